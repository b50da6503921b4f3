// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace petstore::storage::postgres {

/// What can be read from a socket.
enum class arrival : std::uint8_t {
  nothing,
  bytes,
  end,  ///< the connection has ended
};

/// Reads nothing from the socket and does not wait.
inline arrival peek(int socket) noexcept {
  char byte;
  auto const seen = ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (seen < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? arrival::nothing : arrival::end;
  return seen == 0 ? arrival::end : arrival::bytes;
}

}  // namespace petstore::storage::postgres
