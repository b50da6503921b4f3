// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore serve`: runs until a signal ends it.
///
///     SIGTERM, SIGINT   not ready, accept for the drain delay, stop accepting, finish what was accepted, return fine
///     a second one      ends the process at once with exit code 1, at any time
///     SIGHUP            reads the configuration again (`reload`) and opens the log files again
///
/// If the drain fails, because a disk or a thread hangs, the return value is failed. If that keeps the store or the
/// quotas from closing, the process ends two seconds later with exit code 1.
///
/// If the process gets sockets from its starter (LISTEN_FDS), it serves on those instead of its own:
/// passed_sockets.hpp. It tells a service manager (NOTIFY_SOCKET) when it accepts connections, when it stops, and that
/// it is alive.
///
/// Throws config_error if it cannot start because of the configuration, command_error if a later start may succeed with
/// the same one.
exit_code serve_command(loaded_settings const&, std::function<loaded_settings()> reload, streams);

}  // namespace petstore::program
