// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http1/answer_writer.hpp"
#include "http1/date_line.hpp"
#include "http1/input_buffers.hpp"
#include "http1/request_id.hpp"
#include "http1/request_reader.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "shedding.hpp"

namespace petstore::server {

namespace asio = boost::asio;

using steady_time = std::chrono::steady_clock::time_point;

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
struct session_host {
  http_handler& handler;
  connection_limits limits;
  log_function const log;
  access_log_function const access_log;

  http1::date_line date;
  http1::request_id_source ids;
  answer_pool answers;
  http1::input_buffers inputs;
  std::array<char, 16 * 1024> unread;  ///< where bytes go that nobody will look at
  shedding surplus;                    ///< which connections are too many
  metrics_shard* counters;             ///< nullptr: nothing is counted

  bool expects_proxy_header = false;  ///< before the first request of each connection
  bool closing = false;               ///< every answer is the last one of its connection
  bool finishing = false;             ///< and nobody is waited for

  void count(parting p) const noexcept {
    if (counters) counters->count_parting(p);
  }
};

/// What happens on one connection, without the connection: it takes bytes, has requests answered one after the other,
/// and says what its owner, who has the socket (io/), is to do next. Requests that arrived together are answered
/// together.
///
///     step       what the owner does                        and then calls
///     receive    reads into `room()`, for as long as        received(), ended() or given_up()
///                `deadline()` allows
///     identify   asks for a place for `peer()`              identified()
///     wait       runs `work()` to its end                   worked()
///     send       sends all of `unsent()`                    sent()
///     shut_down  ends its own direction                     is_shut_down()
///     close      closes, for good                           nothing
///
/// What the owner cannot do it tells with `broken()`; the connection is over then. One thread.
class session {
 public:
  enum class step : std::uint8_t { receive, identify, wait, send, shut_down, close };

  session(std::array<unsigned char, 16> const& peer, session_host&);
  session(session const&) = delete;
  session& operator=(session const&) = delete;

  /// The first step of a connection that is served.
  step begin() noexcept { return step::receive; }
  /// The first step of one that gets a 503 without a request.
  step turn_away(std::string_view why);
  /// The same with another answer.
  step turn_away(errc, std::string_view why);
  /// The first step of one that could not begin before now: what it waits for is waited for from now on.
  step begin_late();

  std::span<char> room();
  step received(std::size_t n);
  /// The client will send no more.
  step ended();
  /// Nothing arrived until the deadline, or the listener stops.
  step given_up();

  /// The client: who is at the other end, or whom a proxy named.
  std::array<unsigned char, 16> const& peer() const noexcept { return peer_; }
  step identified(connection_budget::verdict);
  /// What came behind the proxy header, before `identified` takes it for requests: the owner's to make sense of.
  std::string take_rest();

  asio::awaitable<void> work();
  step worked();

  std::string_view unsent() const noexcept { return std::string_view{buffers_->bytes}.substr(sent_); }
  /// `n` bytes more are sent. Called until nothing is unsent; until then the step is `send`.
  step sent(std::size_t n);
  step is_shut_down();
  /// The client does not take at once what is unsent: memory that holds the body a second time goes back.
  void stalled() noexcept;

  /// Reading or writing failed. What was not sent is recorded as lost.
  void broken() noexcept;
  /// Something was thrown: out of memory, or a log that throws. The connection is lost, the others are not.
  void lost(std::string_view why) noexcept;

  /// When the owner should stop waiting in the step it is in; `max` for never.
  steady_time deadline() const noexcept { return deadline_; }
  /// Between two requests: nobody is waiting for an answer.
  bool is_idle() const noexcept { return is_receiving() && is_between(); }
  /// Waiting for a request or the rest of one, in which case the client may be answered before the connection ends; or
  /// for the proxy to say who the client is.
  bool is_receiving() const noexcept { return phase_ == phase::receiving || phase_ == phase::introducing; }
  bool is_introducing() const noexcept { return phase_ == phase::introducing; }
  bool is_sending() const noexcept { return phase_ == phase::sending; }
  /// Since when it has waited for a request or the rest of one; `max` while it does not.
  steady_time waiting_since() const noexcept;
  connection_state state() const noexcept;
  /// The listener stops. Returns whether the connection, being idle, may be closed at once.
  bool finish() noexcept;

 private:
  enum class phase : std::uint8_t { introducing, receiving, handling, sending, lingering };

  step read_proxy_header(std::size_t n);
  step begin_requests();
  step advance();
  std::optional<step> answer_request();
  std::optional<step> finish_answer();
  step wait_for_part();
  asio::awaitable<void> add_part();
  step answer_refusal(http1::refusal const&);
  step begin_to_send() noexcept;
  step wait_for_client();

  void prepare_request();
  void refuse(errc, std::string_view message);
  void fail(std::string_view what);
  void append_answer(http1::persistence);
  void record_answer(std::size_t unsent);
  http1::persistence choose_persistence() const;
  bool takes_leave() const noexcept;
  answer_buffers& buffers();
  bool is_between() const noexcept { return reader_.where() == http1::request_reader::stage::between; }
  void report(std::string_view event, std::string_view detail);

  session_host& host_;
  std::array<unsigned char, 16> peer_;
  http1::request_reader reader_;
  std::unique_ptr<char[]> introduction_;  ///< what came before the requests, while there is a proxy header to read
  std::size_t introduction_bytes_ = 0;
  std::size_t introduction_read_ = 0;
  std::unique_ptr<answer_buffers> buffers_;  ///< only while there is something to answer or to send
  std::optional<asio::awaitable<void>> work_;

  phase phase_ = phase::receiving;
  bool is_last_ = false;          ///< this answer ends the connection
  bool is_streaming_ = false;     ///< the body of this answer comes in parts
  bool is_fresh_ = true;          ///< no request has arrived yet
  std::size_t sent_ = 0;          ///< of the bytes that are written
  std::size_t answer_bytes_ = 0;  ///< of the last answer written, as far as it goes, while it is not recorded
  std::size_t lingered_ = 0;
  steady_time now_;  ///< when the socket was last heard of
  steady_time head_began_;
  steady_time deadline_;
  http1::request_id_text own_id_{};
};

}  // namespace petstore::server
