// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "quota_names.hpp"
#include "recent_quotas.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The shared quotas of addresses without a key: a table of bounded size (recent_quotas.hpp). If no entry can be
/// removed, new addresses share a few overflow quotas.
///
/// Thread safety: any thread.
class address_quotas {
 public:
  address_quotas(std::size_t capacity_max, quota_names);

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
    if (number < shard_count) return shards_[number]->visit(visit);
    for (quota::pin const& one : pin_overflow()) visit(*one);
  }

 private:
  static constexpr std::size_t shard_count = parts - 1;  // the last part is the overflow

  struct entry {
    entry(std::string name, limits::address const& whose, shared_quota::owner owner)
        : quota(std::move(name), account, owner), address(whose) {}

    limits::address const& key() const noexcept { return address; }
    shared_quota* find_quota() noexcept { return &quota; }

    limits::account account;
    shared_quota quota;
    limits::address const address;
  };
  using shard = recent_shard<limits::address, entry, limits::keyed_hash>;

  shard& shard_of(limits::address const&) const;
  quota::pin pin_overflow_of(limits::address const&);
  std::vector<quota::pin> pin_overflow();

  quota_names const names_;
  limits::keyed_hash const hash_;
  std::vector<std::unique_ptr<shard>> shards_;  // immutable after construction
  std::mutex overflow_mutex_;
  std::map<std::size_t, std::unique_ptr<entry>> overflow_;
};

}  // namespace petstore::quota
