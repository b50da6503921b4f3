// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore config check`, for settings that are valid one by one. Prints warnings, and checks the TLS files, the
/// addresses of PostgreSQL and Redis, and the files that these name, as far as possible without a connection. Throws
/// config_error with every fault.
void config_check_command(loaded_settings const&, streams);

}  // namespace petstore::program
