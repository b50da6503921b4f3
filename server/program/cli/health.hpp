// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// The page of the admin listener that is asked for.
enum class health_page : bool { live, ready };

/// These pages answer with one line; a longer answer is not from the service.
constexpr std::size_t health_answer_bytes_max = 16 * 1024;

/// Asks the server on this machine for /livez or /readyz, at the configured admin address, so that a container without
/// a shell can be probed from inside. If the address stands for all interfaces, it asks on loopback. Returns `fine` if
/// the server answers 200 within the deadline, else `failed` with the reason on `err`. Throws config_error if the port
/// is not known (0).
exit_code health_command(loaded_settings const&, health_page, std::chrono::milliseconds deadline, streams);

}  // namespace petstore::program
