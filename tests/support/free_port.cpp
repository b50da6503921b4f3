// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

namespace petstore::tests {

std::uint16_t free_port() {
  std::uniform_int_distribution<std::uint16_t> any(15'000, 32'000);
  std::random_device random;
  for (;;) {
    auto const port = any(random);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    int const s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s < 0) throw std::system_error(errno, std::generic_category(), "socket");
    bool const is_free = ::bind(s, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0;
    ::close(s);
    if (is_free) return port;
  }
}

}  // namespace petstore::tests
