// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "petstore/limits/address.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "quota_names.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The shared quotas of addresses without a key: a table of bounded size (recent_quotas.hpp). If no entry can be
/// removed, new addresses share a few overflow quotas.
///
/// Thread safety: any thread.
class address_quotas {
 public:
  address_quotas(std::size_t capacity_max, quota_names);
  ~address_quotas();

  /// Finds or creates a quota.
  quota::pin pin(limits::address const&);
  /// Finds a quota.
  std::optional<quota::pin> find_and_pin(limits::address const&);
  /// The same for a key of the server.
  std::optional<quota::pin> find_and_pin(std::string_view key);

  std::size_t size() const;

  /// The number of parts of the table. Each part has some of the quotas.
  static constexpr std::size_t parts = 65;
  template <class Visit>
  void visit_part(std::size_t number, Visit const& visit) {
    for (quota::pin const& one : pin_part(number)) visit(*one);
  }

 private:
  struct entry;
  struct shard;

  /// Pins all quotas of a shard, or of the overflow.
  std::vector<quota::pin> pin_part(std::size_t number);
  shard& shard_of(limits::address const&) const;
  quota::pin pin_overflow(limits::address const&);

  quota_names const names_;
  limits::keyed_hash const hash_;
  std::vector<std::unique_ptr<shard>> shards_;  // immutable after construction
  std::mutex overflow_mutex_;
  std::map<std::size_t, std::unique_ptr<entry>> overflow_;
};

}  // namespace petstore::quota
