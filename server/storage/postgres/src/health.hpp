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

namespace petstore::storage::postgres {

/// What the connections of a node know of the server together, and what operators are told of that.
///
///     [there] --last connection lost, or silent--> [gone] --a connection is made, or the server is heard--> [there]
///
/// The server is silent when one connection has waited for an answer for `silence_limit` and none has received anything
/// for as long. A connection that waits for a lock makes no silence, because others are answered meanwhile.
///
/// While the server is gone, one connection tries to reach it and the others wait until they are called. So a server
/// that starts is not met by all connections of all nodes, the one that tries can do so often, and when it gets through
/// all come back with it.
///
/// Thread safety: any function from any thread. Times are the steady clock's.
class health {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  using report_function = std::function<void(std::string_view event, std::string_view detail)>;
  /// Called on any thread, perhaps once too often.
  using call_function = std::function<void()>;

  health(report_function report, std::chrono::milliseconds silence_limit)
      : report_(std::move(report)), silence_limit_(silence_limit) {}

  std::chrono::milliseconds silence_limit() const noexcept { return silence_limit_; }
  bool is_silent() const noexcept { return silent_.load(std::memory_order_acquire); }
  bool has_heard_after(time_point) const noexcept;

  /// A connection was lost or could not be made; `was_up` when it had been there.
  void note_lost(bool was_up, std::string_view cause);
  void note_connected(time_point now);
  /// The server has sent something. Costs next to nothing when it was not silent.
  void note_heard(time_point now);
  /// A connection has waited for an answer for `silence_limit`.
  void note_waiting(time_point now);

  /// `call` is called whenever the server is there again, or a connection that has tried to reach it gives up. Until
  /// `leave`.
  void join(void const* connection, call_function call);
  void leave(void const* connection);
  /// Whether this connection is to try now. If not, it waits for the call and asks again.
  bool take_turn(void const* connection);
  bool is_gone() const;
  /// How often the server was there again: a connection that sees another number than before tries at once.
  std::size_t returns() const;

  void tell(std::string_view event, std::string_view detail) const;

  /// Why the latest attempt failed, for the cause of an `unavailable`.
  std::string latest_cause() const;
  std::string silence() const;  ///< the same of a server that is silent

 private:
  void end_silence();
  std::vector<call_function> return_and_list_calls();
  std::vector<call_function> list_calls() const;

  report_function const report_;
  std::chrono::milliseconds const silence_limit_;

  // Of these two, who writes the one reads the other afterwards, both in one order for all threads: of a connection
  // that hears the server and one that finds it silent, at least one sees the other.
  std::atomic<time_point::rep> heard_at_{0};  ///< late by a part of the limit, so that it is seldom written
  std::atomic<bool> silent_{false};

  struct member {
    void const* connection;
    call_function call;
  };
  mutable std::mutex mutex_;  ///< guards the rest, and changes of silent_
  std::vector<member> members_;
  std::size_t connected_ = 0;
  std::size_t returns_ = 0;
  bool gone_ = false;
  void const* trying_ = nullptr;  ///< the connection that tries while the server is gone
  std::string cause_ = "no connection yet";
};

}  // namespace petstore::storage::postgres
