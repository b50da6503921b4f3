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
#include "net/listener_state.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server::http {

namespace asio = boost::asio;

/// The time that a connection accepted just before the stop of the listener gets to send its request.
inline constexpr std::chrono::milliseconds fresh_grace{250};

/// The buffers of answers; a connection holds them while it serves a request, and none while it is idle.
struct answer_buffers {
  server::response answer;
  std::string bytes;                 ///< answers that are written but not sent
  std::chrono::nanoseconds read{0};  ///< how long the answered request took to arrive
};

/// A pool of answer_buffers. The buffers used last are taken first, since they are still in the cache. One thread.
class answer_pool {
 public:
  answer_pool();
  std::unique_ptr<answer_buffers> take();
  void give_back(std::unique_ptr<answer_buffers>) noexcept;

 private:
  std::vector<std::unique_ptr<answer_buffers>> free_;
};

/// The state that the sessions of one listener share, with the pools that their buffers return to. One thread.
struct http_state : net::listener_state {
  http_state(http_handler& h, connection_limits const& l, log_function to, access_log_function each)
      : listener_state{l, std::move(to)}, handler{h}, access_log{std::move(each)} {}

  http_handler& handler;
  access_log_function const access_log;

  date_line date;
  request_id_source ids;
  answer_pool answers;
  input_buffers inputs;
};

/// The requests of one connection and their answers, without the socket: it takes bytes and gives bytes, and waits only
/// for handlers. Requests that arrived together are answered together.
///
///     received(n): n bytes were put into buffer()
///     while next_request(): handle(), then write_answer()
///     while there are unsent() bytes: sent(n) of them
///
/// One thread.
class session {
 public:
  session(raw_address const& peer, http_state&);
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session();

  /// The client's address: the peer's, or the one that a proxy named.
  raw_address const& peer() const noexcept { return peer_; }
  void set_peer(raw_address const& client) noexcept { peer_ = client; }
  /// The wait for the first request begins now.
  void begin() noexcept;

  /// The buffer for the next bytes of the client.
  std::span<char> buffer() { return reader_.prepare(); }
  void received(std::size_t n);
  void received_nothing() { reader_.commit_nothing(); }
  /// Whether there is a request that can be handled now. If not, send what is written first, or read more.
  bool next_request();
  /// Runs the handler. If the returned awaitable is valid, the request is handled when it completes; otherwise it is
  /// handled already. An exception of the handler is logged, and answered 500. The work of a mount is returned as it
  /// is: pass it to `await_work`.
  asio::awaitable<void> handle();
  /// The request is handled when `work` has ended.
  asio::awaitable<void> await_work(asio::awaitable<void> work);
  /// The mount that answers the request; nullptr: the handler itself.
  server::mount const* mounted() const noexcept { return mount_; }
  /// The work of the mount was cancelled: its exceptions are expected.
  void note_cancellation() noexcept { is_cancelled_ = true; }
  /// The work of the mount does not end, and goes on without the connection. From now on it alone uses request and
  /// answer, and the session is only kept for it.
  void leave() noexcept;
  bool is_left_behind() const noexcept { return is_left_behind_; }
  /// Appends the answer to the unsent bytes. `has_unread`: the client has sent bytes after those of `received`.
  void write_answer(bool has_unread = false);
  /// Whether the body is streamed and may have more parts, after the written one is sent.
  bool has_parts() const noexcept { return is_streaming_ && buffers_->answer.stream; }
  /// Makes the next part; pass it to `write_part`.
  asio::awaitable<void> next_part();
  asio::awaitable<void> write_part(asio::awaitable<void> next);

  /// Answers without a handler, if the bytes are no request or the connection is refused. It is the last answer.
  void refuse(refusal const&);

  std::string_view unsent() const noexcept;
  /// `n` more bytes have been sent.
  void sent(std::size_t n);
  /// The client does not read the unsent bytes at once: releases the memory that holds the body a second time.
  void stalled() noexcept;
  /// Records the last answer, if it is not recorded yet; its unsent bytes will never be sent.
  void record_unsent() noexcept;

  /// Whether the last answer is sent.
  bool is_over() const noexcept { return is_last_ && answer_bytes_ == 0; }
  /// Whether the client has said that this request is its last (RFC 9112, section 9.6), and nothing after it was
  /// received.
  bool client_is_done() const noexcept;
  /// Whether it is between two requests: the client waits for no answer.
  bool is_between() const noexcept { return reader_.where() == request_reader::stage::between; }
  /// Whether no request has arrived yet.
  bool is_fresh() const noexcept { return is_fresh_; }
  /// The time since which it has waited for the next request, or for the rest of one.
  steady_time waiting_since() const noexcept { return is_between() ? now_ : head_began_; }
  /// The end of that wait.
  steady_time receive_deadline() const noexcept;
  /// The time by which the client must have read the unsent bytes.
  steady_time send_deadline() const noexcept { return deadline_after(shared_.limits.write_timeout, now_); }

 private:
  void prepare_request();
  void note_handling() noexcept;
  void fail(std::exception_ptr);
  void report_failure(std::exception_ptr);
  void write_refusal(refusal const&);
  void append_answer(persistence);
  void record_answer(std::size_t unsent, steady_time ended);
  persistence choose_persistence(bool has_unread);
  bool shed_if_surplus() noexcept;
  answer_buffers& buffers();
  void report(std::string_view event, std::string_view detail);

  http_state& shared_;
  raw_address peer_;
  request_reader reader_;
  std::unique_ptr<answer_buffers> buffers_;  ///< only while there is something to answer or to send

  server::mount const* mount_ = nullptr;
  bool is_cancelled_ = false;
  bool is_left_behind_ = false;
  bool has_next_part_ = false;
  bool is_last_ = false;
  bool is_streaming_ = false;  ///< the body of this answer is streamed
  bool is_fresh_ = true;
  std::size_t sent_ = 0;          ///< of the written bytes
  std::size_t answer_bytes_ = 0;  ///< of the last written answer so far; 0 once it is recorded
  steady_time now_;               ///< the time of the last event of the socket
  steady_time head_began_;
  request_id_text own_id_{};
};

}  // namespace petstore::server::http
