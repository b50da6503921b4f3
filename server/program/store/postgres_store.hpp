// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore migrate`: brings the schema up to date, and prints the old version and the new one. Throws config_error,
/// which names the setting and the cause.
void migrate_command(loaded_settings const&, streams);

}  // namespace petstore::program
