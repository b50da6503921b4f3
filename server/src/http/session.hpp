// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/answer_writer.hpp"
#include "http/date_line.hpp"
#include "http/input_buffers.hpp"
#include "http/request_id.hpp"
#include "http/request_reader.hpp"
#include "net/connection_host.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server::http {

namespace asio = boost::asio;

/// A connection that was accepted just before the listener stopped gets this long to send its request.
inline constexpr std::chrono::milliseconds fresh_grace{250};

/// Memory for answers: of a request that is being served, not of a connection that is idle.
struct answer_buffers {
  server::response answer;
  std::string bytes;                 ///< answers that are written but not sent
  std::chrono::nanoseconds read{0};  ///< how long the request took to come that is answered
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
struct session_host : net::connection_host {
  session_host(http_handler& h, connection_limits const& l, log_function to, access_log_function each)
      : connection_host{l, std::move(to)}, handler{h}, access_log{std::move(each)} {}

  http_handler& handler;
  access_log_function const access_log;

  date_line date;
  request_id_source ids;
  answer_pool answers;
  input_buffers inputs;
};

/// The requests of one connection and their answers, without the connection: bytes go in, bytes come out, and nothing
/// waits but a handler. Requests that arrived together are answered together.
///
///     received(n) bytes that were put into room()
///     while next_request(): handle(), then write_answer()
///     while there are bytes unsent(): sent(n) of them
///
/// One thread.
class session {
 public:
  session(std::array<unsigned char, 16> const& peer, session_host&);
  session(session const&) = delete;
  session& operator=(session const&) = delete;

  /// The client: who is at the other end, or whom a proxy named.
  std::array<unsigned char, 16> const& peer() const noexcept { return peer_; }
  void set_peer(std::array<unsigned char, 16> const& client) noexcept { peer_ = client; }
  /// The first request is waited for from now on.
  void begin() noexcept;

  /// Where the next bytes of the client belong.
  std::span<char> room() { return reader_.prepare(); }
  void received(std::size_t n);
  /// Whether a request is there that can be handled now. If not, what is written has to be sent first, or more has to
  /// come.
  bool next_request();
  /// Has the request handled: within what is returned, when that is valid, else it is done. What the handler throws is
  /// logged, and answered 500.
  asio::awaitable<void> handle();
  void write_answer();
  /// The body comes in parts, of which there may be more, once what is written is sent.
  bool has_parts() const noexcept { return is_streaming_ && buffers_->answer.stream; }
  asio::awaitable<void> write_part();

  /// Answers instead of a handler: something that is no request, or was not wanted. It is the last answer.
  void refuse(refusal const&);

  std::string_view unsent() const noexcept;
  /// `n` bytes more are sent.
  void sent(std::size_t n);
  /// The client does not take at once what is unsent: memory that holds the body a second time goes back.
  void stalled() noexcept;
  /// What is unsent never will be: it is recorded so.
  void broken() noexcept;

  /// The last answer is sent.
  bool is_over() const noexcept { return is_last_ && answer_bytes_ == 0; }
  /// Between two requests: nobody is waiting for an answer.
  bool is_between() const noexcept { return reader_.where() == request_reader::stage::between; }
  /// No request has arrived yet.
  bool is_fresh() const noexcept { return is_fresh_; }
  /// Since when the next request, or the rest of one, has been waited for.
  steady_time waiting_since() const noexcept { return is_between() ? now_ : head_began_; }
  /// Until when that may go on.
  steady_time receive_deadline() const noexcept;
  /// Until when what is unsent may be taken.
  steady_time send_deadline() const noexcept { return now_ + host_.limits.write_timeout; }

 private:
  void prepare_request();
  asio::awaitable<void> finish_later(asio::awaitable<void> work);
  void fail(std::exception_ptr);
  void write_refusal(refusal const&);
  void append_answer(persistence);
  void record_answer(std::size_t unsent);
  persistence choose_persistence() const;
  bool is_surplus() const noexcept;
  answer_buffers& buffers();
  void report(std::string_view event, std::string_view detail);

  session_host& host_;
  std::array<unsigned char, 16> peer_;
  request_reader reader_;
  std::unique_ptr<answer_buffers> buffers_;  ///< only while there is something to answer or to send

  bool is_last_ = false;
  bool is_streaming_ = false;  ///< the body of this answer comes in parts
  bool is_fresh_ = true;
  std::size_t sent_ = 0;          ///< of the bytes that are written
  std::size_t answer_bytes_ = 0;  ///< of the last answer written, as far as it goes, while it is not recorded
  steady_time now_;               ///< when the socket was last heard of
  steady_time head_began_;
  request_id_text own_id_{};
};

}  // namespace petstore::server::http
