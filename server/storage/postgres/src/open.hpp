// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "address.hpp"
#include "health.hpp"
#include "petstore/storage/postgres.hpp"
#include "session.hpp"

namespace petstore::storage::postgres {

/// Opens a session; if the server cannot be reached or is starting up, it tries again until the time-out. Throws
/// open_error.
session open_session(address const&, std::chrono::milliseconds timeout, std::chrono::milliseconds attempt_timeout);

/// Upgrades the schema, creates the store if that is wanted, and reports what operators should know; returns the
/// store's environment. An upgrade waits for tables until the deadline. Throws open_error.
petstore::environment prepare_store(session&, address const&, postgres_options const&, health const&,
                                    std::chrono::steady_clock::time_point deadline);

}  // namespace petstore::storage::postgres
