// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <memory>
#include <string>

#include "http/session.hpp"
#include "net/connection.hpp"
#include "net/open_connections.hpp"
#include "net/socket_stream.hpp"
#include "net/tls/handshake.hpp"
#include "net/tls/stream.hpp"

namespace petstore::server::http {

/// The time that a TLS handshake in progress gets when the listener stops.
inline constexpr std::chrono::milliseconds handshake_grace{1'000};

/// One connection from its first byte to its last, as one coroutine.
///
///     [introducing] -> [shaking_hands] -> [receiving] -> [handling] -> [sending] --last answer--> [lingering]
///                                              '<-----------------------'
///
/// It begins in receiving, unless it has a PROXY header to read (introducing) or a TLS handshake to make
/// (shaking_hands). It does not linger for a client that has asked for the end and has nothing more to send. Plain
/// calls do what is possible at once; the coroutine is suspended only while it waits for the socket or for a handler.
/// The coroutine owns the connection; the listener may read its state and end it. One thread.
class connection final : public net::connection,
                         public boost::intrusive_ref_counter<connection, boost::thread_unsafe_counter> {
 public:
  /// Takes over the socket; `encryption` is null without TLS. A connection that got no slot is answered 503.
  connection(net::descriptor socket, asio::ip::tcp::endpoint const& peer, http_state&, tls::listener_tls* encryption,
             std::shared_ptr<net::poller>, std::unique_ptr<net::registration>);

  /// Starts the coroutine. The connection may have ended when this returns.
  static void start(boost::intrusive_ptr<connection>, asio::any_io_executor const&);

  steady_time waiting_since() const noexcept override;
  connection_state state() const noexcept override;
  bool has_slot() const noexcept override { return registration_->has_slot(); }
  bool make_way() override;
  void follow_write_timeout() noexcept override { socket_.set_write_timeout(shared_.limits); }
  void check_deadline(steady_time now) override;
  void finish() override;
  bool break_off(steady_time now) noexcept override;
  void abort() noexcept override;

 private:
  using ownership = boost::intrusive_ptr<connection>;
  enum class phase : std::uint8_t { introducing, shaking_hands, receiving, handling, sending, lingering };

  static asio::awaitable<void> live(ownership);
  asio::awaitable<void> run();
  void enter(phase, steady_time deadline) noexcept;

  // introduction.cpp
  bool must_introduce() const noexcept;
  asio::awaitable<void> introduce();
  void refuse_at_once();
  asio::awaitable<std::string> read_proxy_header();
  asio::awaitable<tls::handshake::progress> shake_hands(std::string_view arrived);

  // mounted_work.cpp
  struct mounted_work;
  struct end_of_work;
  asio::awaitable<void> answer_apart(asio::awaitable<void> work);
  asio::awaitable<void> run_apart(asio::awaitable<void> work);
  bool is_mount_over() const noexcept;
  bool give_mount_a_turn(steady_time now) noexcept;
  void cancel_mount() noexcept;

  // Each does what is possible at once, and returns false if it must be called again when the socket is ready.
  bool receive();
  bool send();

  net::status write_unsent();
  asio::awaitable<void> send_parts();
  bool may_close_at_once() const noexcept;
  asio::awaitable<void> shut_down();
  bool fail();
  bool close_if_abandoned();
  void end() noexcept;
  void lose(std::string_view why) noexcept;
  void report(severity, std::string_view event, std::string_view detail);

  bool is_receiving() const noexcept;
  bool awaits_client() const noexcept;
  bool is_idle() const noexcept;
  bool is_waiting() const noexcept { return socket_.is_awaited() && awaits_client(); }
  template <class GoesOn>
  bool end_wait(GoesOn);

  http_state& shared_;
  tls::listener_tls* const encryption_;
  std::unique_ptr<net::registration> registration_;
  net::socket_stream socket_;
  std::unique_ptr<tls::stream> tls_;  ///< from the end of the handshake on
  net::stream* stream_ = &socket_;    ///< carries requests and answers
  session session_;
  std::shared_ptr<mounted_work> mounted_;      ///< while a mount is at work; shared with its coroutine
  steady_time deadline_ = steady_time::max();  ///< of what it waits for
  phase phase_ = phase::receiving;
  bool reads_no_more_ = false;  ///< no more requests are read
  bool lingers_ = false;        ///< the client must get time to read the last bytes sent
  bool is_given_up_ = false;    ///< the wait for the client has been ended
};

}  // namespace petstore::server::http
