// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/service_manager.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "petstore/whole_number.hpp"

namespace petstore::program {
namespace {

std::string variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
}

/// Returns the interval if it is meant for this process, and not for a parent process that left its variables set.
std::optional<std::chrono::microseconds> watchdog_of_this_process() {
  auto const interval = whole_number(variable("WATCHDOG_USEC"));
  if (!interval || *interval <= 0) return std::nullopt;
  auto const process = variable("WATCHDOG_PID");
  if (!process.empty() && whole_number(process) != ::getpid()) return std::nullopt;
  return std::chrono::microseconds{*interval};
}

}  // namespace

service_manager::service_manager(std::string socket, std::optional<std::chrono::microseconds> watchdog,
                                 std::chrono::seconds patience)
    : name_(std::move(socket)), watchdog_(watchdog), patience_(patience) {
  if (name_.empty()) return;
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  timeval const limit{static_cast<time_t>(patience.count()), 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

service_manager service_manager::of_this_process() {
  return service_manager(variable("NOTIFY_SOCKET"), watchdog_of_this_process());
}

service_manager::~service_manager() {
  if (socket_ >= 0) ::close(socket_);
}

bool service_manager::tell(std::string_view state) const noexcept {
  if (name_.empty()) return true;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name_.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, name_.data(), name_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';  // how the kernel marks an abstract name
  auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
  auto const* const to = reinterpret_cast<sockaddr const*>(&address);
  auto const end = std::chrono::steady_clock::now() + patience_;  // a limit for repeated interruptions
  ssize_t sent = 0;
  do {
    sent = ::sendto(socket_, state.data(), state.size(), MSG_NOSIGNAL, to, size);
    // If the socket has a send time-out, signals interrupt the call even with SA_RESTART.
  } while (sent < 0 && errno == EINTR && std::chrono::steady_clock::now() < end);
  return sent == static_cast<ssize_t>(state.size());
}

}  // namespace petstore::program
