// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore config check`, for settings that are valid one by one. Prints warnings, and checks what `petstore serve`
/// would refuse: the store, or that there is none in the configuration, the addresses of PostgreSQL and Redis, the TLS
/// files and the admin token, as far as possible without a connection. It changes nothing. Throws config_error with
/// every fault.
void config_check_command(loaded_settings const&, streams);

}  // namespace petstore::program
