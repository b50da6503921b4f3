// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <memory>

#include "petstore/asio/reserved_memory.hpp"

namespace petstore::server::net {

namespace asio = boost::asio;

/// Notifies many sockets of one thread when they are ready, without an Asio operation for each of them. It has an epoll
/// instance of its own. That instance is itself a descriptor, which becomes readable when one of its sockets is ready.
/// The io_context waits for that one descriptor, so the rest of the program (timers, stores, other sockets) works as
/// with any Asio object.
///
/// Reason: an operation of Asio's reactor needs about 1,200 instructions of bookkeeping, which a socket that stays on
/// one thread does not need. bench/README.md has the measured gain.
///
/// Thread safety: all calls on the given executor, which must run on one thread or be a strand.
class poller : public std::enable_shared_from_this<poller> {
 public:
  /// Is notified about one socket.
  class target {
   public:
    /// `events` are those of epoll(7). It may remove any target, or destroy one that is removed.
    virtual void on_ready(std::uint32_t events) = 0;

   protected:
    ~target() = default;
  };

  /// Throws boost::system::system_error when there are no descriptors left.
  explicit poller(asio::any_io_executor const&);

  void start();
  void stop() noexcept;

  /// From now on the target is notified once of every change (EPOLLET) of whether the socket is readable. The socket
  /// must be non-blocking.
  boost::system::error_code add(int socket, target&) noexcept;
  /// If the socket is ready already, notifies the target once more, after the other ready ones. From now on the target
  /// is also notified of whether the socket is writable, or is not.
  void notify_again(int socket, target&, bool of_writable = false) noexcept;
  /// Removes a socket; call it before the socket is closed.
  void remove(int socket, target&) noexcept;

 private:
  void wait();
  void dispatch();

  reserved_memory waiting_;  ///< for the wait, which goes on without free memory; outlives it
  asio::posix::stream_descriptor epoll_;
  std::array<epoll_event, 128> events_;
  int current_ = 0;
  int count_ = 0;
};

}  // namespace petstore::server::net
