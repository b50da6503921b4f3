// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// What the console reads about one key, and does to it. It knows the key by its number, never the key itself. One
/// thread.
class key_actions {
 public:
  /// The references outlive this object. `plans` returns the plans in force.
  key_actions(ports::store& store, ports::quota_source& quotas, key_registry const& keys,
              std::function<plan_table()> plans, std::function<limits::instant()> clock)
      : store_{store}, quotas_{quotas}, keys_{keys}, plans_{std::move(plans)}, clock_{std::move(clock)} {}

  /// Returns what the store knows about the key and its identity, with its quotas, as a JSON object. It reads all keys,
  /// which takes a moment if there are very many.
  boost::asio::awaitable<result<std::string>> describe(std::uint64_t number);
  /// Returns only its quotas. That is cheap, so it may be called often. Fails with not_found for a key that is revoked,
  /// expired, or does not exist.
  boost::asio::awaitable<result<std::string>> quotas(std::uint64_t number) const;

  /// Each of these changes the key's identity and writes that to the audit log. `text` is the JSON body of the request.
  /// Returns a sentence that says what was done.
  boost::asio::awaitable<result<std::string>> ban(std::uint64_t number, std::string_view text, std::string actor);
  boost::asio::awaitable<result<std::string>> unban(std::uint64_t number, std::string actor);
  boost::asio::awaitable<result<std::string>> set_plan(std::uint64_t number, std::string_view text, std::string actor);

 private:
  boost::asio::awaitable<result<std::string>> change(key_command, std::string actor);
  unix_ms now() const;

  ports::store& store_;
  ports::quota_source& quotas_;
  key_registry const& keys_;
  std::function<plan_table()> const plans_;
  std::function<limits::instant()> const clock_;
};

}  // namespace petstore::program
