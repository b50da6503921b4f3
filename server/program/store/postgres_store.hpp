// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore migrate`: brings the schema up to date, and prints the old version and the new one. Throws config_error,
/// or command_error if the cause may pass.
void migrate_command(loaded_settings const&, streams);

}  // namespace petstore::program
