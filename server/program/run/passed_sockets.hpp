// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace petstore::program {

/// A socket that was open before this process began, and stays open when it ends: whoever started it (systemd, by a
/// socket unit) goes on holding it. So clients that connect while one process ends and the next one begins wait in the
/// socket's queue instead of being refused.
struct passed_socket {
  int descriptor = -1;
  std::string name;  ///< FileDescriptorName= of the socket unit

  friend bool operator==(passed_socket const&, passed_socket const&) = default;
};

/// What LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES (sd_listen_fds(3)) say, in this order; null pointers for those that
/// are not set. Nothing when they are meant for another process. Throws config_error when they make no sense.
std::vector<passed_socket> parse_passed_sockets(char const* pid, char const* count, char const* names, int own_pid);

/// The same of this process. The variables are unset, so that no process that this one starts takes the sockets for its
/// own, and the descriptors are closed on exec. Before there are threads.
std::vector<passed_socket> take_passed_sockets();

/// Which of the sockets are for whom. `admin` is told by its name; the public one is called `public`, or is the only
/// other one, whatever its name.
struct socket_purposes {
  std::optional<int> admin_listen;
  std::optional<int> listen;
};

/// Throws config_error for a socket that is for nothing, for two of one purpose, and for one that does not accept TCP
/// connections.
socket_purposes assign_sockets(std::span<passed_socket const>);

}  // namespace petstore::program
