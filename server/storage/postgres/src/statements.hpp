// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace petstore::storage::postgres {

/// Every statement that a serving connection sends. They are prepared on a connection when it first needs them.
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
  find_key,
  change_keys,
  notify_keys,
  listen_keys,

  forestall,
  find_outcome,
  forget_answers,
  forget_outcomes,

  plan_once,
  wait_for_locks,
};
/// Those of record_statements.hpp have the numbers from here on.
inline constexpr std::size_t first_record_statement = static_cast<std::size_t>(statement::wait_for_locks) + 1;

/// What it may share and whether it may be sent again.
enum class effect : std::uint8_t {
  none,   ///< shares its transaction with the reads beside it; sent again when one of those failed
  probe,  ///< the same; who asks wants to know whether the server answers, and waits no longer than until it is silent
  write,  ///< a transaction of its own, sent once: its first parameter is the token of its outcome
};

struct statement_text {
  char const* name;  ///< under which it is prepared
  char const* sql;
  effect what;
};

statement_text const& text_of(statement) noexcept;

}  // namespace petstore::storage::postgres
