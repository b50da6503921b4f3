// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <array>
#include <atomic>
#include <bitset>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "address.hpp"
#include "connect_attempt.hpp"
#include "health.hpp"
#include "pending.hpp"
#include "petstore/names/lookup.hpp"
#include "record_statements.hpp"
#include "traffic.hpp"

namespace petstore::storage::postgres {

namespace asio = boost::asio;

/// The settings that all connections share. It must outlive them.
struct link_settings {
  address where;
  std::chrono::milliseconds connect_timeout;
  std::chrono::milliseconds statement_timeout;
  std::size_t in_flight_max;
  std::chrono::milliseconds whole_answer_timeout() const noexcept { return 12 * statement_timeout; }
  /// Who waits for a lock gets the server's refusal before the connection is given up, with all that wait behind it.
  std::chrono::milliseconds lock_timeout() const noexcept { return statement_timeout * 3 / 4; }
  static constexpr std::chrono::milliseconds first_back_off{100};
  static constexpr std::chrono::milliseconds longest_back_off{5'000};
  /// For the one connection that tries while the server is gone.
  static constexpr std::chrono::milliseconds longest_back_off_while_gone{1'000};
};

/// One connection to the server, in pipeline mode: many requests are in flight at once, answered in their order.
///
///     [away] --start--> [connecting] --> [ready] --lost--> [away] --back-off--> [connecting] …   any --close-->
///     [closed]
///
/// A request that comes while the connection is not ready is answered at once, and so is one beyond `in_flight_max`.
/// The same holds while the connection has waited for an answer for `health::silence_limit`, or the whole server is
/// silent. Pending requests then go on waiting, and the first bytes that arrive end the silence. A connection is lost
/// when nothing of an answer has arrived for `statement_timeout`, or not all of it within `whole_answer_timeout`.
///
/// While the server is gone, one connection of the node tries, and the others wait for it (`health`). Requests of one
/// turn of the loop are sent together at its end. Reads then share a transaction, which saves both sides the work of
/// one for each; a write has its own transaction. An answer is final when the transaction is committed: the server
/// sends the result of a statement before that.
///
/// Thread safety: everything on the executor, except `is_ready`, `takes_requests` and `add_to`. Shared with its own
/// operations; one of them is always pending until the connection is closed.
class link : public std::enable_shared_from_this<link> {
 public:
  /// Called for each notification of the server, and for each new connection, since one may have been missed.
  using notified_function = std::function<void()>;

  link(asio::any_io_executor, link_settings const&, health&);

  /// Begins to connect, and reconnects whenever the connection is lost.
  void start();
  /// Listens for changes of keys. Call it before `start`.
  void listen(notified_function f) { notified_ = std::move(f); }
  /// May also be called when the executor does not run any more. Requests in flight are answered as lost.
  void close();

  bool is_ready() const noexcept { return ready_.load(std::memory_order_acquire); }
  /// Whether it is ready and no request has waited too long.
  bool takes_requests() const noexcept {
    return is_ready() && !is_outdated() && !silent_.load(std::memory_order_relaxed) && !health_.is_silent();
  }
  std::size_t in_flight() const noexcept { return queue_.size() + sent_; }
  void add_to(ports::connection_figures&) const noexcept;

  asio::awaitable<reply> ask(statement s, parameters p) {
    return asio::async_initiate<asio::use_awaitable_t<> const, void(reply)>(
        [this](auto handler, statement what, parameters values) {
          using handler_type = std::decay_t<decltype(handler)>;
          take(std::make_unique<pending_of<handler_type>>(what, std::move(values), std::move(handler)));
        },
        asio::use_awaitable, s, std::move(p));
  }

 private:
  static constexpr char const* takes_no_writes = "the server takes no writes any more";

  /// The next thing that the server owes.
  struct owed {
    enum class kind : std::uint8_t { preparation, rows, end_of_transaction };
    kind what;
    statement prepared{};                ///< of a preparation
    std::unique_ptr<pending> request{};  ///< of rows
    bool has_come = false;               ///< its result has arrived, but not yet the end of the results
  };

  /// Whether a server was found to take no writes since this connection was made.
  bool is_outdated() const noexcept { return made_after_.load(std::memory_order_relaxed) != health_.demotions(); }
  void leave_if_outdated();
  void take(std::unique_ptr<pending>);
  void enqueue(std::unique_ptr<pending>);
  std::string why_not() const;

  // Connecting.
  asio::awaitable<void> stay_connected();
  asio::awaitable<std::string> connect();  ///< empty: connected; otherwise the reason
  void watch_socket(int socket);
  asio::awaitable<bool> wait_for_socket(connect_attempt const&);
  void become_ready();
  void lose(std::string cause, bool timed_out = false);
  void forget_requests() noexcept;
  asio::awaitable<void> take_turn();
  asio::awaitable<void> pause(std::size_t returns_before, std::chrono::steady_clock::time_point since);
  asio::awaitable<void> wait_for_call(std::chrono::steady_clock::time_point until);
  void on_call();

  // Sending.
  /// A step that finds no memory leaves a connection that neither sends nor hears: it is lost like one that breaks.
  template <class Step>
  void do_or_lose(Step step) {
    try {
      if (is_ready()) step();
    } catch (std::exception const& failure) {
      if (is_ready()) lose(failure.what());
    }
  }
  void send_soon();
  void send();
  bool send_one(std::unique_ptr<pending>);
  bool end_transaction();
  void flush();

  // Receiving.
  void await_readable();
  void receive();
  bool take_result(PGresult*);
  void finish_transaction();
  void finish_one(std::unique_ptr<pending>);
  void answer_finished();

  // Waiting.
  void watch_clock();
  void look_at_clock();
  std::chrono::steady_clock::time_point due() const;
  std::chrono::steady_clock::time_point waits_since() const;
  void become_silent(std::chrono::steady_clock::time_point now);

  asio::any_io_executor const executor_;
  link_settings const& settings_;
  health& health_;
  notified_function notified_;

  std::atomic<bool> ready_{false};
  std::atomic<std::size_t> made_after_{0};  ///< so many demotions; written here, read by any thread
  std::atomic<bool> silent_{false};         ///< it has waited for `silence_limit`; written here, read by any thread
  bool closed_ = false;
  unsigned failures_ = 0;
  std::minstd_rand random_;
  names::lookup names_;
  asio::steady_timer pause_;  ///< back-off, the wait for a call, and the wait until the connection is lost
  bool waits_for_call_ = false;
  asio::steady_timer connect_clock_;
  asio::steady_timer clock_;  ///< for the time that answers may take
  bool clock_runs_ = false;

  owned_connection connection_;
  asio::posix::stream_descriptor socket_;  ///< a duplicate of libpq's, which may close its own at any time
  std::bitset<statement_count> prepared_;  ///< or will be: its preparation is sent
  std::array<unsigned, statement_count> preparations_{};  ///< how many were sent

  std::deque<std::unique_ptr<pending>> queue_;  ///< not sent yet
  std::deque<owed> owed_;
  std::deque<std::chrono::steady_clock::time_point> sent_at_;  ///< of each unfinished transaction
  std::chrono::steady_clock::time_point heard_at_{};           ///< when something arrived last
  std::chrono::steady_clock::time_point arriving_at_{};        ///< when it was a part of an answer, not the end of one
  std::size_t sent_ = 0;                                       ///< requests in `owed_` and `transaction_`
  bool is_sending_soon_ = false;
  bool awaits_writable_ = false;
  pending_list transaction_;  ///< answered, but not committed
  std::optional<server_fault> transaction_fault_;
  pending_list finished_;
  traffic traffic_;
};

}  // namespace petstore::storage::postgres
