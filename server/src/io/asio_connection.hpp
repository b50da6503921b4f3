// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <utility>

#include "io/connection.hpp"
#include "io/peer_address.hpp"
#include "tls/secure_session.hpp"

namespace petstore::server::io {

/// Moves the bytes of a session, encrypted or not, through an Asio socket, in a coroutine: for the backends of Asio
/// that do more than wait (io_uring).
template <class Session>
class asio_connection final : public connection {
 public:
  /// `more` is what such a session needs besides.
  template <class... More>
  asio_connection(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer, session_host& host,
                  std::unique_ptr<place> held, More&... more)
      : socket_{std::move(socket)}, place_{std::move(held)}, session_{to_bytes(peer.address()), host, more...} {}

  Session& conversation() noexcept { return session_; }
  /// Serves the connection from the session's first step to its end. The coroutine owns the connection.
  static void start(std::unique_ptr<asio_connection>, session::step first);

  steady_time waiting_since() const noexcept override;
  connection_state state() const noexcept override { return session_.state(); }
  void make_way() override;
  void check_deadline(steady_time now) override;
  void finish() override;
  void abort() noexcept override;

 private:
  static asio::awaitable<void> serve(std::unique_ptr<asio_connection>, session::step first);
  asio::awaitable<void> run(session::step next);
  session::step judge_read(boost::system::error_code const&, std::size_t n);
  void stop_waiting() noexcept;
  bool has_unread() const noexcept;

  asio::ip::tcp::socket socket_;
  std::unique_ptr<place> place_;
  Session session_;
  bool is_given_up_ = false;    ///< the read was cancelled, as its time is over
  bool is_broken_off_ = false;  ///< every operation fails from now on
};

extern template class asio_connection<session>;
extern template class asio_connection<tls::secure_session>;

}  // namespace petstore::server::io
