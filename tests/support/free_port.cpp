// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <random>
#include <string>
#include <system_error>

namespace petstore::tests {
namespace {

/// A socket that closes with the object.
class probe {
 public:
  probe(int family, int type) : socket_{::socket(family, type | SOCK_CLOEXEC, 0)} {
    if (socket_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
  }
  ~probe() {
    if (socket_ >= 0) ::close(socket_);
  }
  probe(probe const&) = delete;
  probe& operator=(probe const&) = delete;

  template <class Address>
  bool can_bind(Address const& address, std::size_t size) const {
    return ::bind(socket_, reinterpret_cast<sockaddr const*>(&address), static_cast<socklen_t>(size)) == 0;
  }
  /// The socket stays open until the process ends.
  void leave_open() noexcept { socket_ = -1; }

 private:
  int socket_;
};

/// Takes a name in the abstract namespace of local sockets, where each name has one owner and is free again when its
/// owner has ended. tests/support/ports.py takes the same names.
bool reserve(std::uint16_t port) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  auto const name = "petstore-test-port-" + std::to_string(port);
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  probe reservation{AF_UNIX, SOCK_DGRAM};
  if (!reservation.can_bind(address, offsetof(sockaddr_un, sun_path) + 1 + name.size())) return false;
  reservation.leave_open();
  return true;
}

bool is_free(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return probe{AF_INET, SOCK_STREAM}.can_bind(address, sizeof address);
}

}  // namespace

std::uint16_t free_port() {
  std::uniform_int_distribution<std::uint16_t> any(15'000, 32'000);
  std::random_device random;
  for (;;) {
    auto const port = any(random);
    if (is_free(port) && reserve(port)) return port;
  }
}

}  // namespace petstore::tests
