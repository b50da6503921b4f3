// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace petstore::server {

/// Limits the connections of a thread by how long requests wait for their turn on it.
///
/// With clients that keep their connections and send the next request after each answer, a request waits for the time
/// of one request times the number of clients. On a slow processor that may exceed the clients' patience; then every
/// answer comes too late, however many are made. Refusing requests does not help: nearly all of a read's cost is
/// receiving and sending in the kernel, and a refusal needs both as well. Fewer connections help. So while the wait is
/// too long, the part of the connections that is too many is closed with its next answer (`Connection: close`), and new
/// ones are accepted only one by one. The remaining clients are answered in time, and the thread does as much work as
/// it can.
///
/// Thread safety: none; belongs to the listener's thread.
class shedding {
 public:
  using duration = std::chrono::steady_clock::duration;

  /// `wait_max` is how long a request may wait. `few` connections are never too many: if requests wait with so few, the
  /// machine is the cause, and closing connections would not shorten the wait.
  shedding(duration wait_max, std::size_t few) noexcept : wait_max_{wait_max}, few_{few} {}

  /// Reports how long ready work has waited for its turn, on a thread with this many connections. One long wait may be
  /// a pause of the machine, so the shorter of two consecutive waits counts.
  void observe(duration wait, std::size_t connections) noexcept;
  /// Reports a wait that has lasted this long and is not over. So an overload is noticed before the work gets its turn.
  void observe_at_least(duration wait, std::size_t connections) noexcept;

  /// The wait that was observed last.
  duration wait() const noexcept { return last_; }
  /// Whether requests wait longer than they may.
  bool is_behind() const noexcept { return share_ != 0; }
  /// Whether there can be more connections without making requests wait too long.
  bool can_take_more() const noexcept { return settled_ <= wait_max_ / 2; }
  /// Whether the answer that is made now is the last one of its connection. It only reads one number while no wait is
  /// too long.
  bool must_close() noexcept { return share_ != 0 && counts_as_surplus(); }

 private:
  bool counts_as_surplus() noexcept;
  void settle(duration, std::size_t connections) noexcept;

  /// The unit of shares: 1 / whole.
  static constexpr std::uint32_t whole = 1U << 16;

  duration const wait_max_;
  std::size_t const few_;
  duration last_{};
  duration settled_{};
  std::uint32_t share_ = 0;  ///< the part of the connections that is too many
  std::uint32_t sum_ = 0;    ///< the shares of the answers since the last one that closed its connection
};

}  // namespace petstore::server
