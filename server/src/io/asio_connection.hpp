// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "io/connection.hpp"

namespace petstore::server::io {

/// Moves the bytes of a session through an Asio socket, in a coroutine: for the backends of Asio that do more than wait
/// (io_uring).
class asio_connection final : public connection {
 public:
  asio_connection(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, session_host&);

  session& conversation() noexcept { return session_; }
  /// Serves the connection from the session's first step to its end. The coroutine owns the connection.
  static void start(std::unique_ptr<asio_connection>, std::unique_ptr<place>, session::step first);

  void check_deadline(steady_time now) override;
  void finish() override;
  void abort() noexcept override;

 private:
  static asio::awaitable<void> serve(std::unique_ptr<asio_connection>, std::unique_ptr<place>, session::step first);
  asio::awaitable<void> run(session::step next);
  session::step judge_read(boost::system::error_code const&, std::size_t n);
  void stop_waiting() noexcept;
  bool has_unread() const noexcept;

  asio::ip::tcp::socket socket_;
  session session_;
  bool is_given_up_ = false;    ///< the read was cancelled, as its time is over
  bool is_broken_off_ = false;  ///< every operation fails from now on
};

}  // namespace petstore::server::io
