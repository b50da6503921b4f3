// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "petstore/key_record.hpp"
#include "store/daily_usage.hpp"

namespace petstore::program {

/// The user who runs the command, and the time. Both go into the audit log.
struct caller {
  std::string actor;
  unix_ms now;
};

/// A key that was just made.
struct made_key {
  std::uint64_t number = 0;
  std::string key;  ///< known here, and nowhere else any more
};

/// A key as lists show it.
struct shown_key {
  key_record key;
  identity_record identity;
  std::string state;                      ///< `active`, `banned`, `expired` or `revoked`
  std::optional<unix_ms> last_used = {};  ///< nullopt: never
};

/// What the commands of `petstore keys …` need: a store (store_keys.hpp), or the administration API of a running server
/// (remote_keys.hpp). Each function throws usage_error or command_error. One thread.
class key_service {
 public:
  virtual ~key_service() = default;

  /// Runs create_key or rotate_key. The service makes the key itself.
  virtual made_key make(key_command, caller const&) = 0;
  /// Runs revoke_key, ban_identity, unban_identity, reset_quota or set_plan.
  virtual void change(key_command, caller const&) = 0;
  /// Returns all keys, by ascending number.
  virtual std::vector<shown_key> list(unix_ms now) = 0;
  /// Returns one key. Throws command_error if there is none of that number.
  virtual shown_key find(std::uint64_t number, unix_ms now) = 0;
  /// Returns how often a key was used, with a row for every day of the period.
  virtual std::vector<ports::usage_of_day> daily_usage(std::uint64_t number, usage_period) = 0;
  /// Hands over the audit log, the oldest entry first. A service that does not know the sequence of an entry leaves it
  /// 0.
  virtual void visit_audit_log(std::function<void(audit_entry const&)> const&) = 0;
};

}  // namespace petstore::program
