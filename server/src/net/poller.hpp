// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <memory>

namespace petstore::server::net {

namespace asio = boost::asio;

/// Tells many sockets of one thread when they are ready, without an Asio operation for each of them. An epoll instance
/// of its own is itself a descriptor, which becomes readable when one of its sockets is ready: the io_context waits for
/// that one, so everything else in the program (timers, stores, other sockets) goes on as with any Asio object.
///
/// Why: an operation of Asio's reactor costs about 1,200 instructions for bookkeeping that a socket which lives and
/// dies on one thread does not need. bench/README.md has what this brings.
///
/// Thread safety: everything on the executor given, which must run on one thread or be a strand.
class poller : public std::enable_shared_from_this<poller> {
 public:
  /// What waits for a socket.
  class target {
   public:
    /// `events` as epoll(7) has them. May remove any target, or destroy one that is removed.
    virtual void on_ready(std::uint32_t events) = 0;

   protected:
    ~target() = default;
  };

  /// Throws boost::system::system_error when there are no descriptors left.
  explicit poller(asio::any_io_executor const&);

  void start();
  void stop() noexcept;

  /// From now on the target is told once of every change (EPOLLET) of whether the socket is readable or writable. The
  /// socket must be non-blocking.
  boost::system::error_code add(int socket, target&) noexcept;
  /// Of what is ready already the target is told once more, after the others that are ready.
  void tell_again(int socket, target&) noexcept;
  /// Before the socket is closed.
  void remove(int socket, target&) noexcept;

 private:
  void wait();
  void dispatch();

  asio::posix::stream_descriptor epoll_;
  std::array<epoll_event, 128> events_;
  int current_ = 0;
  int count_ = 0;
};

}  // namespace petstore::server::net
