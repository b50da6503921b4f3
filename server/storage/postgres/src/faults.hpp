// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <string>
#include <string_view>

#include "petstore/error.hpp"

namespace petstore::storage::postgres {

/// The error that a server returned for a statement.
struct server_fault {
  std::string state;       ///< SQLSTATE, five characters
  std::string message;     ///< in the server's language
  std::string constraint;  ///< the violated constraint
};
server_fault fault_of(PGresult const*);
/// The fault of a call without a result.
server_fault fault_of(PGconn const*);
/// The fault of a connection that was not made, in libpq's verbose words.
server_fault read_connection_fault(std::string_view);

/// Another transaction was in the way (a serialization failure, a deadlock): nothing happened, and a retry may succeed
/// at once.
bool is_worth_another_try(server_fault const&) noexcept;

/// Whether a unique constraint was violated, with this name or any.
bool is_duplicate(server_fault const&, std::string_view constraint = {}) noexcept;

/// The server takes no writes, since it is no longer the primary: the connection leads to the wrong server.
bool is_read_only(server_fault const&) noexcept;
/// A lock was not there within lock_timeout.
bool is_lock_missed(server_fault const&) noexcept;
/// The server itself does not know whether the transaction took effect.
bool is_outcome_unknown(server_fault const&) noexcept;

/// A prepared statement is not there, or is there already although it was to be prepared: nothing happened.
bool is_unprepared(server_fault const&) noexcept;
bool is_prepared_already(server_fault const&) noexcept;

/// Whether the fault passes by itself or after an operator's action, so that a later try may succeed although no
/// setting has changed. The others are errors of settings or of this program.
bool may_pass(server_fault const&) noexcept;

/// The error that the store returns, for a statement that has changed nothing: `unavailable` if the fault may pass.
error to_error(server_fault const&);

error unavailable(std::string cause);
error internal(std::string cause);

}  // namespace petstore::storage::postgres
