// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http1/answer_writer.hpp"
#include "http1/date_line.hpp"
#include "http1/request_id.hpp"
#include "http1/request_reader.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

using steady_time = std::chrono::steady_clock::time_point;

/// Memory for answers: of a request that is being served, not of a connection that is idle.
struct answer_buffers {
  server::response answer;
  std::string bytes;  ///< answers that are written but not sent
};

/// Keeps answer_buffers for the next request, the ones used last first, as they are still in the cache. One thread.
class answer_pool {
 public:
  std::unique_ptr<answer_buffers> take();
  void give_back(std::unique_ptr<answer_buffers>);

 private:
  std::vector<std::unique_ptr<answer_buffers>> free_;
};

/// What the sessions of one listener have in common. One thread.
struct session_host {
  http_handler& handler;
  connection_limits const limits;
  log_function const log;
  access_log_function const access_log;

  http1::date_line date;
  http1::request_id_source ids;
  answer_pool answers;

  bool closing = false;    ///< every answer is the last one of its connection
  bool finishing = false;  ///< and nobody is waited for
};

/// One connection: reads requests, has them answered, and sends the answers in the order of the requests. Requests that
/// arrived together are answered together. Its deadlines are looked at by the listener's sweep, so that a request costs
/// no timer.
///
/// Thread safety: everything on the socket's executor. A listener's list links the sessions; the coroutine that runs
/// one owns it.
class session : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  session(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, session_host&);
  session(session const&) = delete;
  session& operator=(session const&) = delete;

  /// Serves the connection to its end.
  asio::awaitable<void> run();
  /// Instead: answers 503 without a request, as there are too many connections.
  asio::awaitable<void> turn_away();
  /// The same without waiting for the client to take it, for when there are too many of these as well.
  void turn_away_at_once();

  /// Ends what has lasted too long.
  void check_deadline(steady_time now);
  /// The listener stops: nothing more is waited for, what arrived is finished.
  void finish();
  /// Breaks the connection off.
  void abort();

 private:
  enum class phase : std::uint8_t { receiving, handling, sending, lingering };
  enum class ending : std::uint8_t { none, at_once, lingering };

  asio::awaitable<void> receive();
  asio::awaitable<void> answer_request();
  asio::awaitable<void> answer_refusal(http1::refusal);
  asio::awaitable<std::size_t> send();
  asio::awaitable<void> linger();

  void prepare_request();
  void refuse(errc, std::string_view message);
  void append_answer(http1::persistence);
  void record_answer(std::size_t bytes, std::size_t unsent) const;
  http1::persistence choose_persistence() const;
  answer_buffers& buffers();
  void wait_for_client() noexcept;
  void stop_waiting();
  bool has_unread() const;
  void report(std::string_view event, std::string_view detail);

  asio::ip::tcp::socket socket_;
  session_host& host_;
  std::array<unsigned char, 16> const peer_;
  http1::request_reader reader_;
  std::unique_ptr<answer_buffers> buffers_;  ///< only while there is something to answer or to send

  phase phase_ = phase::receiving;
  ending ending_ = ending::none;
  bool is_fresh_ = true;       ///< no request has arrived yet
  bool is_timed_out_ = false;  ///< while a request was being read
  steady_time now_;            ///< when the socket was last heard of
  steady_time head_began_;
  steady_time deadline_;
  http1::request_id_text own_id_{};
};

}  // namespace petstore::server
