// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace petstore::server {

/// How many connections a thread keeps, judged by how long requests wait for their turn on it.
///
/// Clients that keep their connections and ask again once they are answered make requests wait for their number times
/// what one request takes. On a slow processor that may be longer than the clients' patience, and then every answer
/// comes too late, however many are made. Refusing does not help: nearly all of a read's cost is the kernel's receiving
/// and sending, which a refusal needs as well. What helps is fewer connections. So while the wait is too long, of the
/// connections that are answered as large a part is taken leave of (`Connection: close`) as is too many, and new ones
/// are taken only one by one. Those that are left are answered in time, and the thread does as much as it can do.
///
/// Thread safety: none; belongs to the listener's thread.
class shedding {
 public:
  using duration = std::chrono::steady_clock::duration;

  /// `wait_max` is how long a request may wait, `few` how many connections are never too many: when those wait, it is
  /// for the machine, and would not be for less time if there were fewer.
  shedding(duration wait_max, std::size_t few) noexcept : wait_max_{wait_max}, few_{few} {}

  /// What was ready at some moment had its turn after so long, on a thread with so many connections. Once may be a
  /// pause of the machine's, so the shorter one of two in a row counts.
  void observe(duration wait, std::size_t connections) noexcept;
  /// What is ready has been waiting for so long and still is. Tells of too much to do before anything has its turn.
  void observe_at_least(duration wait, std::size_t connections) noexcept;

  /// As it was observed last.
  duration wait() const noexcept { return last_; }
  /// Requests wait for longer than they may.
  bool is_behind() const noexcept { return share_ != 0; }
  /// There is room for more connections without making requests wait too long.
  bool has_room() const noexcept { return settled_ <= wait_max_ / 2; }
  /// Whether the answer that is made now is the last one of its connection. Costs a look at one number, while nothing
  /// waits for long.
  bool takes_leave() noexcept { return share_ != 0 && counts_as_surplus(); }

 private:
  bool counts_as_surplus() noexcept;
  void settle(duration, std::size_t connections) noexcept;

  /// Shares are in parts of this.
  static constexpr std::uint32_t whole = 1U << 16;

  duration const wait_max_;
  std::size_t const few_;
  duration last_{};
  duration settled_{};
  std::uint32_t share_ = 0;  ///< of the connections, that is too many
  std::uint32_t sum_ = 0;    ///< of the shares of the answers since the last one that was a connection's last
};

}  // namespace petstore::server
