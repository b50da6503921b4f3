// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <string>

#include "client/target.hpp"
#include "client/tls.hpp"

namespace petstore::load {

/// Connects once, and speaks TLS where the target does, so that a mistyped port is told before anything is measured.
/// Blocks. Empty when somebody is there; otherwise who is not, and why, in a sentence. `tls` may be null for a target
/// without it.
std::string who_is_not_there(target const&, address const&, tls_settings const* tls,
                             std::chrono::milliseconds patience);

}  // namespace petstore::load
