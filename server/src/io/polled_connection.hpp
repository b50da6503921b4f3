// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <exception>
#include <memory>
#include <utility>

#include "io/connection.hpp"
#include "io/peer_address.hpp"
#include "io/poller.hpp"
#include "tls/secure_session.hpp"

namespace petstore::server::io {

/// Moves the bytes of a session, encrypted or not, through a socket by plain system calls, when a poller says that the
/// socket is ready.
template <class Session>
class polled_connection final
    : public connection,
      private poller::target,
      public boost::intrusive_ref_counter<polled_connection<Session>, boost::thread_unsafe_counter> {
 public:
  /// Takes the socket over. `more` is what such a session needs besides. Throws system_error when the socket cannot be
  /// waited for.
  template <class... More>
  polled_connection(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, session_host&, std::shared_ptr<poller>,
                    std::unique_ptr<place>, More&... more);
  ~polled_connection();

  /// Begins; `next` is the session's first step.
  void start(session::step next);
  Session& conversation() noexcept { return session_; }

  steady_time waiting_since() const noexcept override { return session_.waiting_since(); }
  connection_state state() const noexcept override { return session_.state(); }
  void make_way() override;
  void check_deadline(steady_time now) override;
  void finish() override;
  void abort() noexcept override;

 private:
  using ownership = boost::intrusive_ptr<polled_connection>;

  void watch(asio::ip::tcp::socket&);
  void on_ready(std::uint32_t events) override;
  void on_worked();
  void run(session::step next);
  void run(session::step (Session::*first)());
  void lose(std::exception const&) noexcept;
  session::step receive();
  session::step send();
  bool has_failed(bool& is_ready) noexcept;
  bool has_unread() const noexcept;
  bool is_waiting() const noexcept { return socket_ >= 0 && is_blocked_ && session_.is_receiving(); }
  void look_again();
  void give_up(steady_time now);
  void end() noexcept;

  asio::any_io_executor const executor_;
  std::shared_ptr<poller> const poller_;
  std::unique_ptr<place> place_;
  ownership self_;  ///< until it ends
  Session session_;
  session_host const& host_;
  int socket_;
  session::step next_ = session::step::receive;
  int reads_left_ = 0;        ///< before the others get their turn
  bool is_readable_ = false;  ///< as far as the kernel has told
  bool is_writable_ = true;
  bool is_hung_up_ = false;  ///< reading will tell how, and never has to wait again
  bool is_blocked_ = false;  ///< the step has to wait for the socket
  bool is_working_ = false;  ///< the step is to wait for the handler
};

template <class Session>
template <class... More>
polled_connection<Session>::polled_connection(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer,
                                              session_host& host, std::shared_ptr<poller> p,
                                              std::unique_ptr<place> held, More&... more)
    : executor_{socket.get_executor()},
      poller_{std::move(p)},
      place_{std::move(held)},
      session_{to_bytes(peer.address()), host, more...},
      host_{host},
      socket_{-1} {
  watch(socket);
}

extern template class polled_connection<session>;
extern template class polled_connection<tls::secure_session>;

}  // namespace petstore::server::io
