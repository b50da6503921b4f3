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

/// What the console asks of one key, by its number, and does to it. Never a key itself: ids only. One thread.
class key_actions {
 public:
  /// Everything outlives the desk. `plans` gives those that hold now.
  key_actions(ports::store& store, ports::quota_source& quotas, key_registry const& keys,
              std::function<plan_table()> plans, std::function<limits::instant()> clock)
      : store_{store}, quotas_{quotas}, keys_{keys}, plans_{std::move(plans)}, clock_{std::move(clock)} {}

  /// What the store knows of the key and its identity, with its quotas: a JSON object. It reads all keys, which takes a
  /// moment where there are very many.
  boost::asio::awaitable<result<std::string>> describe(std::uint64_t number);
  /// Its quotas alone, as this node knows them: cheap, for looking again and again. not_found: revoked, expired, or
  /// none.
  result<std::string> quotas(std::uint64_t number) const;

  /// `text`: the JSON body of the request. Return what was done, as a sentence. Written to the audit log.
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
