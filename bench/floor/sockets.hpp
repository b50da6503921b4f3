// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The system calls that the floor and the load client share. These programs use no library over the kernel, because
// they exist to show what such a library costs. Loopback only. Failures throw std::system_error.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace petstore::bench {

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();

  int get() const noexcept { return number_; }

 private:
  int number_ = -1;
};

/// Port 0 means any free port.
descriptor listen_on_loopback(std::uint16_t port);
std::uint16_t port_of(descriptor const& listener);

/// Accepts the next waiting connection, non-blocking and with TCP_NODELAY; an empty descriptor if there is none.
descriptor accept_one(descriptor const& listener);
descriptor connect_to_loopback(std::uint16_t port);

/// The result of recv or send.
struct transfer {
  std::size_t bytes = 0;
  bool ended = false;  ///< the peer has closed; if this is false and there are no bytes, the call would block
};

transfer receive(descriptor const& from, std::span<char> into) noexcept;
transfer send(descriptor const& to, std::span<char const> bytes) noexcept;

class epoll {
 public:
  epoll();

  /// Level-triggered. The events have this `tag`.
  void add(descriptor const& d, std::uint32_t events, void* tag);
  void change(descriptor const& d, std::uint32_t events, void* tag);

  /// Waits for events, which are valid until the next call; returns none if the time is over. A negative time is no
  /// limit.
  std::span<epoll_event const> wait(std::chrono::milliseconds at_most = std::chrono::milliseconds{-1});

 private:
  static constexpr std::size_t events_at_once = 256;

  descriptor descriptor_;
  epoll_event events_[events_at_once];
};

}  // namespace petstore::bench
