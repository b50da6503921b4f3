// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>

#include "net/poller.hpp"
#include "net/stream.hpp"

namespace petstore::server::net {

/// A socket, moved by plain system calls. A poller tells when it is ready; only then the coroutine that waits is
/// resumed, so what is ready costs no operation of Asio. One thread.
class socket_stream final : public stream, private poller::target {
 public:
  /// Takes the socket over. Throws boost::system::system_error when it cannot be waited for.
  socket_stream(asio::ip::tcp::socket, std::shared_ptr<poller>);
  ~socket_stream();
  socket_stream(socket_stream const&) = delete;
  socket_stream& operator=(socket_stream const&) = delete;

  bool may_read() noexcept override { return is_readable_; }
  transfer read(std::span<char> room) override;
  transfer write(std::string_view bytes) override;
  status shut_down() override;

  /// Completes when the socket has become readable or writable, or after `resume`. One coroutine at a time.
  asio::awaitable<void> ready();
  bool is_awaited() const noexcept { return awaiting_.has_value(); }
  /// What was written last had to wait.
  bool is_write_blocked() const noexcept { return !is_writable_; }
  /// The client has ended its direction, or the connection is broken. Reading tells which, after what came before.
  bool is_hung_up() const noexcept { return is_hung_up_; }
  /// Whether the kernel has something from the client.
  bool has_unread() const noexcept;

  /// Lets the coroutine that waits go on, if there is one. It may destroy this.
  void resume() noexcept;
  /// The same, and what may have come by now is read.
  void look_again() noexcept;
  /// Every call fails from now on. Whoever waits is not told.
  void close() noexcept;
  bool is_open() const noexcept { return fd_ >= 0; }
  /// Before `close`: the kernel throws away what the client has not taken.
  void forget_unsent() noexcept;

 private:
  using resumption = asio::async_result<asio::use_awaitable_t<>, void()>::handler_type;

  void on_ready(std::uint32_t events) override;
  bool has_failed(bool& is_ready) const noexcept;

  std::shared_ptr<poller> const poller_;
  std::optional<resumption> awaiting_;
  int fd_;
  int reads_left_;            ///< before the others get their turn
  bool is_readable_ = false;  ///< as far as the kernel has told
  bool is_writable_ = true;
  bool is_hung_up_ = false;  ///< reading never has to wait again
};

}  // namespace petstore::server::net
