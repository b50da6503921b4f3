// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace petstore::program {

/// A listening socket that the starter of this process (systemd, with a socket unit) has opened. The starter keeps it
/// open when this process ends. So clients that connect between the end of one process and the start of the next one
/// wait in the socket's queue instead of being refused.
struct passed_socket {
  int descriptor = -1;
  std::string name;  ///< FileDescriptorName= of the socket unit

  friend bool operator==(passed_socket const&, passed_socket const&) = default;
};

/// Parses LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES (sd_listen_fds(3)), in this order; a variable that is not set is a
/// null pointer. Returns nothing if they are meant for another process. Throws config_error if they make no sense.
std::vector<passed_socket> parse_passed_sockets(char const* pid, char const* count, char const* names, int own_pid);

/// Parses the variables of this process, and unsets them, so that no process that this one starts takes the sockets for
/// its own. The descriptors are closed on exec. Call it before there are threads.
std::vector<passed_socket> take_passed_sockets();

/// The purposes of the sockets. The one for the admin listener is named `admin`. The public one is named `public`, or
/// is the only other one, whatever its name.
struct socket_purposes {
  std::optional<int> admin_listen;
  std::optional<int> listen;
};

/// Throws config_error for a socket without a purpose, for two sockets of one purpose, and for one that does not accept
/// TCP connections.
socket_purposes assign_sockets(std::span<passed_socket const>);

}  // namespace petstore::program
