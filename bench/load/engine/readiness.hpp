// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <span>

namespace petstore::load {

/// Waits for the sockets of one thread, for a time, and for a call from another thread. One system call does all three
/// to the nanosecond (epoll_pwait2, since Linux 5.11), so a schedule needs no timer. Asio's reactor does more for each
/// operation than a socket of one thread needs (server/src/net/poller.hpp).
///
/// Thread safety: only `wake` may be called from other threads.
class readiness {
 public:
  /// Throws std::system_error if there is no descriptor left.
  readiness();
  readiness(readiness const&) = delete;
  readiness& operator=(readiness const&) = delete;
  ~readiness();

  /// Registers a socket until it is closed: events for `who` report every change (EPOLLET) of whether it can be read or
  /// written. False if the kernel has no memory for it.
  bool add(int socket, void* who) noexcept;

  /// Waits for events, which are valid until the next call. Returns none if the time is over or `wake` was called.
  /// Returns at once if `at_most` is not positive.
  std::span<epoll_event const> wait(std::chrono::nanoseconds at_most);

  /// Ends the current `wait`, or the next one. From any thread.
  void wake() noexcept;

 private:
  static constexpr std::size_t events_at_once = 256;

  int epoll_;
  int bell_;
  std::array<epoll_event, events_at_once> events_;
};

}  // namespace petstore::load
