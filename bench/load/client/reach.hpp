// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <string>

#include "client/target.hpp"
#include "client/tls.hpp"

namespace petstore::load {

/// Connects once, with TLS if the target has it, so that a wrong port is found before the measurement. Blocks. Returns
/// an empty text if the target is reachable; otherwise a sentence that says why not. `tls` may be null for a target
/// without TLS.
std::string why_unreachable(target const&, address const&, tls_settings const* tls, std::chrono::milliseconds patience);

}  // namespace petstore::load
