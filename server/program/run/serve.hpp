// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>

#include "config/load.hpp"
#include "outcome.hpp"

namespace petstore::program {

/// `petstore serve`: runs until a signal ends it.
///
///     SIGTERM, SIGINT   not ready, accept for the drain delay, stop accepting, finish what was accepted, return fine
///     a second one      ends the process at once with exit code 1
///     SIGHUP            reads the plans anew (`reload`) and opens the log files anew
///
/// Serves on the sockets that its starter passes (LISTEN_FDS) instead of opening its own: passed_sockets.hpp.
/// Tells a service manager that waits to hear it (NOTIFY_SOCKET) when it accepts connections, when it stops, and that
/// it is alive.
///
/// Throws config_error when it cannot start for a reason that another configuration would mend.
exit_code serve_command(loaded_settings const&, std::function<loaded_settings()> reload, streams);

}  // namespace petstore::program
