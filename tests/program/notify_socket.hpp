// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "support/time_limit.hpp"

namespace petstore::tests {

/// The service manager's side of sd_notify: a socket that takes datagrams.
class notify_socket {
 public:
  /// A path, or @ and an abstract name.
  explicit notify_socket(std::string const& name) : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_ < 0 || name.size() >= sizeof address.sun_path) throw std::runtime_error("no socket " + name);
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    if (::bind(socket_, reinterpret_cast<sockaddr const*>(&address), size) != 0) {
      int const cause = errno;
      ::close(socket_);
      throw std::system_error(cause, std::generic_category(), name);
    }
  }
  ~notify_socket() { ::close(socket_); }
  notify_socket(notify_socket const&) = delete;
  notify_socket& operator=(notify_socket const&) = delete;

  /// The next message; throws when none comes within the time limit.
  std::string receive() { return receive(0); }
  /// Sends itself "filled" until it would have to wait; how often.
  std::size_t fill() {
    sockaddr_un address{};
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    std::size_t count = 0;
    while (::sendto(socket_, "filled", 6, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&address), size) == 6) ++count;
    return count;
  }
  /// What is there already; empty when nothing is.
  std::string received() { return receive(MSG_DONTWAIT); }

 private:
  std::string receive(int flags) {
    timeval const limit{static_cast<time_t>(time_limit.count()), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    std::array<char, 4096> bytes{};
    ssize_t size = 0;
    do size = ::recv(socket_, bytes.data(), bytes.size(), flags);
    while (size < 0 && errno == EINTR);  // as after a stop of this process
    if (size >= 0) return {bytes.data(), static_cast<std::size_t>(size)};
    if (flags == MSG_DONTWAIT) return {};
    throw std::runtime_error("the service manager heard nothing");
  }

  int socket_;
};

}  // namespace petstore::tests
