// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <span>

namespace petstore::load {

/// What one thread waits for: its sockets, a moment, and a call from another thread. One system call does all three
/// (epoll_pwait2, since Linux 5.11), to the nanosecond, so that keeping a schedule needs no timer of its own. Asio's
/// reactor does more for each operation than a socket of one thread needs (server/src/net/poller.hpp).
///
/// Thread safety: none, but for `wake`.
class readiness {
 public:
  /// Throws std::system_error where there is no descriptor left.
  readiness();
  readiness(readiness const&) = delete;
  readiness& operator=(readiness const&) = delete;
  ~readiness();

  /// From now on until the socket is closed, `who` is told of every change (EPOLLET) of whether it can be read or
  /// written. False where the kernel has no memory for it.
  bool add(int socket, void* who) noexcept;

  /// The events that are there, valid until the next call: none when the time is over or `wake` was called. Returns at
  /// once when `at_most` is not positive.
  std::span<epoll_event const> wait(std::chrono::nanoseconds at_most);

  /// Ends a `wait`, now or when it is called next. From any thread.
  void wake() noexcept;

 private:
  static constexpr std::size_t events_at_once = 256;

  int epoll_;
  int bell_;
  std::array<epoll_event, events_at_once> events_;
};

}  // namespace petstore::load
