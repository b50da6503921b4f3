// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore config check`, of settings that are sound one by one: warnings, and whether the addresses of PostgreSQL
/// and Redis are some and the files that they name can be used, as far as that can be said without connecting. Throws
/// config_error with every fault.
void config_check_command(loaded_settings const&, streams);

}  // namespace petstore::program
