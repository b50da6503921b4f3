// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The few system calls that the floor and the load client share, as they are: no library stands between these programs
// and the kernel, because what a library costs is what they exist to show. Loopback only. Failures throw
// std::system_error.
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

/// A port of 0 takes a free one.
descriptor listen_on_loopback(std::uint16_t port);
std::uint16_t port_of(descriptor const& listener);

/// The next connection that waits, not blocking and without Nagle's delay; an empty descriptor when none does.
descriptor accept_one(descriptor const& listener);
descriptor connect_to_loopback(std::uint16_t port);

/// What recv and send say, with their two ways of doing nothing told apart.
struct transfer {
  std::size_t bytes = 0;
  bool ended = false;  ///< the peer is gone; otherwise no bytes mean: not now
};

transfer receive(descriptor const& from, std::span<char> into) noexcept;
transfer send(descriptor const& to, std::span<char const> bytes) noexcept;

class epoll {
 public:
  epoll();

  /// Level-triggered. `tag` comes back in the events.
  void add(descriptor const& d, std::uint32_t events, void* tag);
  void change(descriptor const& d, std::uint32_t events, void* tag);

  /// The events that are there, valid until the next call; none when the time is over. A negative time is no limit.
  std::span<epoll_event const> wait(std::chrono::milliseconds at_most = std::chrono::milliseconds{-1});

 private:
  static constexpr std::size_t events_at_once = 256;

  descriptor descriptor_;
  epoll_event events_[events_at_once];
};

}  // namespace petstore::bench
