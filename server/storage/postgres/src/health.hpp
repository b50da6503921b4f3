// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/ports/report.hpp"

namespace petstore::storage::postgres {

/// The state of the server, as seen by all connections of a node together; changes are reported to operators.
///
///     [there] --last connection lost, or silent--> [gone] --a connection is made, or the server is heard--> [there]
///
/// The server is silent when one connection has waited for an answer for `silence_limit` and no connection has received
/// anything for that time. A connection that waits for a lock does not cause silence, because others are answered
/// meanwhile.
///
/// While the server is gone, one connection tries to reach it, and the others wait until they are called. So when the
/// server starts, not all connections of all nodes connect at once. The one that tries can try often, and when it
/// succeeds, all others come back.
///
/// Thread safety: any function from any thread. Times are the steady clock's.
class health {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  /// Called on any thread, maybe without need.
  using call_function = std::function<void()>;

  health(ports::report_function report, std::chrono::milliseconds silence_limit)
      : report_(ports::without_exceptions(std::move(report))), silence_limit_(silence_limit) {}

  std::chrono::milliseconds silence_limit() const noexcept { return silence_limit_; }
  bool is_silent() const noexcept { return silent_.load(std::memory_order_acquire); }
  bool has_heard_after(time_point) const noexcept;

  /// A connection was lost or could not be made; `was_up` if it had been established.
  void note_lost(bool was_up, std::string_view cause);
  void note_connected(time_point now);
  /// The server has sent something. It costs next to nothing if the server was not silent.
  void note_heard(time_point now);
  /// A connection has waited for an answer for `silence_limit`.
  void note_waiting(time_point now);

  /// Calls `call` whenever the server is there again, when the connection that tries to reach it gives up, or when a
  /// server takes no writes any more. Until `leave`.
  void join(void const* connection, call_function call);
  void leave(void const* connection);
  /// Whether this connection should try now. If not, it waits for the call and asks again.
  bool take_turn(void const* connection);
  bool is_gone() const;
  /// The number of times the server came back: a connection that sees a new number tries at once.
  std::size_t returns() const;

  /// How often a server was found to take no writes any more. A connection that was made before is to be left: another
  /// server may be in charge, and what this one knows of animals and of keys gets old.
  std::size_t demotions() const noexcept { return demotions_.load(std::memory_order_acquire); }
  /// A connection that was made after so many has found that.
  void note_demoted(std::size_t demotions_before);

  void report_event(std::string_view event, std::string_view detail) const noexcept { report_(event, detail); }

  /// The reason of the latest failure, for the cause of an `unavailable`.
  std::string latest_cause() const;
  std::string silence() const;  ///< the same for a silent server

 private:
  void end_silence();
  std::vector<call_function> return_and_list_calls();
  std::vector<call_function> list_calls() const;

  ports::report_function const report_;
  std::chrono::milliseconds const silence_limit_;

  // A thread that writes one of these two reads the other afterwards, in one order for all threads. So if one
  // connection hears the server while another finds it silent, at least one of them sees the other's change.
  std::atomic<time_point::rep> heard_at_{0};  ///< late by a part of the limit, so that it is rarely written
  std::atomic<bool> silent_{false};
  std::atomic<std::size_t> demotions_{0};

  struct member {
    void const* connection;
    call_function call;
  };
  mutable std::mutex mutex_;  ///< guards the members below, and changes of silent_
  std::vector<member> members_;
  std::size_t connected_ = 0;
  std::size_t returns_ = 0;
  bool gone_ = false;
  void const* trying_ = nullptr;  ///< the connection that tries while the server is gone
  std::string cause_ = "no connection yet";
};

}  // namespace petstore::storage::postgres
