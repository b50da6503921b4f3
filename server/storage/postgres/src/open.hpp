// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "address.hpp"
#include "health.hpp"
#include "petstore/storage/postgres.hpp"
#include "session.hpp"

namespace petstore::storage::postgres {

/// A session with the server; one that cannot be reached or is starting up is tried again until the deadline. Throws
/// open_error.
session open_session(address const&, std::chrono::milliseconds timeout);

/// The schema brought up to date, the shop made where that is wanted, what operators should know told of; returns the
/// shop's environment. Throws open_error.
petstore::environment prepare_shop(session&, address const&, postgres_options const&, health const&);

}  // namespace petstore::storage::postgres
