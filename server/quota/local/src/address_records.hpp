// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "petstore/limits/address_table.hpp"
#include "petstore/quota/quota_records.hpp"
#include "record.hpp"

namespace petstore::quota {

/// The accounts of an address table that are on the disk, and the changes since.
///
/// Thread safety: none; only the thread that writes calls it.
class address_records {
 public:
  address_records(limits::address_table& table, record_kind kind) : table_(table), kind_(kind) {}

  /// Restores one record of the disk into the table.
  void restore(limits::address const&, limits::saved_account const&, limits::ban_policy const&, limits::instant);

  /// Collects at most `changes_max` changes. Bans come first, since they matter most after a restart; of the rest
  /// chance decides, so that nothing waits for ever.
  void collect(std::vector<quota_records::change>&, std::size_t changes_max, limits::instant);
  /// The changes collected last are on the disk.
  void confirm();

 private:
  using state = std::pair<std::string, limits::saved_account>;

  void choose(std::size_t changes_max);

  limits::address_table& table_;
  record_kind const kind_;
  std::unordered_map<std::string, limits::saved_account> written_;
  std::vector<state> pending_;
  std::vector<std::string> forgotten_;
  std::minstd_rand random_;
};

}  // namespace petstore::quota
