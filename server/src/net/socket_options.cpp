// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/socket_options.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstdint>
#include <limits>

namespace petstore::server::net {
namespace {

/// The kernel holds about this many unsent bytes of a connection; by default it would hold several MiB. It is enough
/// for the answers that a session sends at once.
constexpr int unsent_bytes_max = 64 * 1024;

void set_tcp_option(int socket, int option, int value) {
  if (::setsockopt(socket, IPPROTO_TCP, option, &value, sizeof value) == 0) return;
  throw boost::system::system_error{errno, boost::system::system_category(), "setsockopt"};
}

int patience_ms(connection_limits const& limits) noexcept {
  auto const ms = std::min<std::int64_t>(limits.write_timeout.count(), std::numeric_limits<int>::max());
  return static_cast<int>(ms);
}

}  // namespace

void prepare_socket(int socket, connection_limits const& limits) {
  set_tcp_option(socket, TCP_NODELAY, 1);
  set_tcp_option(socket, TCP_NOTSENT_LOWAT, unsent_bytes_max);
  // It also ends a connection to which everything seems to be sent, but whose client's machine acknowledges nothing.
  set_tcp_option(socket, TCP_USER_TIMEOUT, patience_ms(limits));
}

void set_write_timeout(int socket, connection_limits const& limits) noexcept {
  int const value = patience_ms(limits);
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &value, sizeof value);
}

void forget_unsent(int socket) noexcept {
  linger const at_once{1, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace petstore::server::net
