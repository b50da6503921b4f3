// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// Which page of the admin listener is asked.
enum class health_page : bool { live, ready };

/// An answer of these pages is a line; whoever sends more is not the service.
constexpr std::size_t health_answer_bytes_max = 16 * 1024;

/// Asks the server on this machine, at the configured admin address, for /livez or /readyz, so that a container without
/// a shell can be probed from inside. An address that stands for every interface is asked on loopback. fine: it
/// answered 200 within the deadline. failed: anything else, said on `err`. Throws config_error where the port is not
/// known (0).
exit_code health_command(loaded_settings const&, health_page, std::chrono::milliseconds deadline, streams);

}  // namespace petstore::program
