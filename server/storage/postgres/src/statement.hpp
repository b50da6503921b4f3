// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace petstore::storage::postgres {

/// Every statement that a serving connection sends. A connection prepares a statement when it first needs it.
enum class statement : std::uint8_t {
  find_answer,
  find_category,
  find_category_of_name,
  find_pet,
  find_order_and_pet,
  find_pet_and_answer,

  create_pet,
  create_pet_once,
  update_pet,
  delete_pet,
  create_category,
  create_order,
  create_order_once,
  update_order,
  update_order_and_pet,

  heartbeat,
  keys_version,
  read_keys,
  read_audit_log,
  last_audit_entry,
  find_key,
  change_keys,
  notify_keys,
  listen_keys,

  add_usage,
  read_usage,
  read_last_uses,

  forestall,
  find_outcome,
  forget_answers,
  forget_outcomes,
  forget_usage,

  plan_once,
  wait_for_locks,
};
/// Those of record_statements.hpp have the numbers from here on.
inline constexpr std::size_t first_record_statement = static_cast<std::size_t>(statement::wait_for_locks) + 1;

/// Whether a statement can share its transaction and be sent again.
enum class effect : std::uint8_t {
  none,   ///< shares its transaction with other reads; sent again if one of them failed
  probe,  ///< the same; only checks whether the server answers, so it ends when the server is silent
  write,  ///< has its own transaction, sent once: its first parameter is the token of its outcome
};

struct statement_text {
  char const* name;  ///< its name as a prepared statement
  char const* sql;
  effect what;
};

}  // namespace petstore::storage::postgres
