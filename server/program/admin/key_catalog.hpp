// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admin/key_object.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// A key of the store, its identity, and who pays for it.
struct known_key {
  key_record key;
  identity_record identity;
  ports::payer payer;
  std::string plan_name;                  ///< of the plan in force: `free` if the identity's plan is not configured
  std::optional<unix_ms> last_used = {};  ///< nullopt: never, or not read (key_catalog::read_last_use)
};

/// All keys of the store, by ascending number; revoked and expired ones included. Immutable.
class key_list {
 public:
  explicit key_list(std::vector<known_key> keys) : keys_{std::move(keys)} {}

  std::vector<known_key> const& all() const noexcept { return keys_; }
  known_key const* find(std::uint64_t number) const noexcept;

 private:
  std::vector<known_key> keys_;
};

/// The keys of the store for operators. It reads them again only when they or the plans have changed. One thread.
class key_catalog {
 public:
  /// The references outlive this object. `plans` returns the plans in force.
  key_catalog(ports::store& store, ports::quota_source& quotas, std::function<plan_table()> plans,
              std::function<limits::instant()> clock)
      : store_{store}, quotas_{quotas}, plans_{std::move(plans)}, clock_{std::move(clock)} {}

  /// Returns the keys as they are now, at least as new as every change that was done before. Shared, since the catalog
  /// may read them again while a caller waits.
  boost::asio::awaitable<result<std::shared_ptr<key_list const>>> read();

  /// Returns a key with the time of its last use. Errors: not_found, and those of the store.
  boost::asio::awaitable<result<known_key>> find(std::uint64_t number);

  /// Fills in when the key was last used.
  boost::asio::awaitable<result<void>> read_last_use(known_key&) const;

  /// Learns what other nodes have done to the quotas of a key, so that `describe` and `add_quota` show it.
  boost::asio::awaitable<void> look_at_quota(known_key const&) const;

  /// Returns a key of the store that the caller has read itself.
  known_key make(key_record, identity_record) const;
  /// Returns a key for people, with a ban for strikes as this node knows it.
  key_object describe(known_key const&) const;
  /// Adds a member `quota`: the quotas of a key as this node knows them, in the form of getQuota.
  void add_quota(json_object&, known_key const&) const;

 private:
  key_list list_of(key_directory, plan_table const&) const;
  known_key make(key_record, identity_record, plan_table const&) const;

  ports::store& store_;
  ports::quota_source& quotas_;
  std::function<plan_table()> const plans_;
  std::function<limits::instant()> const clock_;
  std::shared_ptr<key_list const> list_;
  std::uint64_t version_ = 0;  ///< of the keys in the list
  plan_table plans_of_list_;   ///< which the list was made with
};

}  // namespace petstore::program
