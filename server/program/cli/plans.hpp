// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore plans`: name, tokens in each period, refill and source of each plan.
void plans_command(loaded_settings const&, bool json, streams);

}  // namespace petstore::program
