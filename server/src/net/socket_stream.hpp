// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>

#include "net/descriptor.hpp"
#include "net/poller.hpp"
#include "net/stream.hpp"
#include "petstore/server/connection_limits.hpp"

namespace petstore::server::net {

/// A socket that is read and written by plain system calls. The waiting coroutine is resumed only when a poller reports
/// the socket ready, so a ready socket needs no Asio operation. One thread.
class socket_stream final : public stream, private poller::target {
 public:
  /// The socket must not block. The poller watches it from the first wait on: short connections need none.
  socket_stream(descriptor socket, std::shared_ptr<poller>);
  ~socket_stream();
  socket_stream(socket_stream const&) = delete;
  socket_stream& operator=(socket_stream const&) = delete;

  bool may_read() noexcept override { return is_readable_; }
  bool has_unread() const noexcept override;
  transfer read(std::span<char> buffer) override;
  transfer write(std::string_view bytes) override;
  status shut_down() override;

  /// The next read waits for the poller, which also reports whether the client has left.
  void read_when_reported() noexcept { is_readable_ = false; }
  /// From now on the poller watches the socket. Throws boost::system::system_error when it cannot.
  void watch();
  /// Completes when the socket has become readable or writable, or after `resume`. One coroutine at a time. Watches the
  /// socket, and throws as `watch`.
  asio::awaitable<void> ready();
  bool is_awaited() const noexcept { return awaiting_.has_value(); }
  /// Whether the last write was blocked.
  bool is_write_blocked() const noexcept { return !is_writable_; }
  /// Whether the poller has reported that the client has ended its direction, or that the connection is broken. A read
  /// returns which, after the data before it.
  bool is_hung_up() const noexcept { return is_hung_up_; }

  /// Resumes the waiting coroutine, if there is one. It may destroy this object.
  void resume() noexcept;
  /// The same, and the coroutine tries to read what may have arrived.
  void look_again() noexcept;
  /// Every call fails from now on. A waiting coroutine is not resumed.
  void close() noexcept;
  bool is_open() const noexcept { return fd_ >= 0; }
  /// Calls net::set_write_timeout with the socket.
  void set_write_timeout(connection_limits const&) noexcept;
  /// Call it before `close`: the kernel then discards unsent data.
  void forget_unsent() noexcept;

 private:
  using resumption = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;

  void on_ready(std::uint32_t events) override;
  bool has_failed(bool& is_ready) const noexcept;

  std::shared_ptr<poller> const poller_;
  std::optional<resumption> awaiting_;
  int fd_;
  int reads_left_;  ///< until the other connections get their turn
  bool is_watched_ = false;
  bool is_watched_for_writable_ = false;  ///< from the first blocked write on: most sockets are always writable
  bool is_readable_ = true;  ///< until a read finds less than it may take, and again when the poller reports more
  bool is_writable_ = true;
  bool is_hung_up_ = false;  ///< no read blocks any more
};

}  // namespace petstore::server::net
