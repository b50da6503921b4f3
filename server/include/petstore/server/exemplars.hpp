// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::server {

/// One of the requests that a counter has counted, as an example.
struct PETSTORE_EXPORT exemplar {
  std::string request_id;               ///< as in the answer's X-Request-Id; 1 to 64 visible characters of ASCII
  std::chrono::nanoseconds duration{};  ///< from the request to its answer
  limits::wall_time time;               ///< when the request came
};

/// One exemplar for each of a number of counters, in memory that is taken once.
///
/// Thread safety: `offer` on one thread; `find` on any thread. `offer` never waits: when a reader has the lock, it
/// keeps what it had.
class PETSTORE_EXPORT exemplars {
 public:
  /// Requests with a longer id, which only a client can make, are not kept.
  static constexpr std::size_t id_bytes_max = 64;
  /// How long a counter keeps an exemplar at least.
  static constexpr std::chrono::seconds interval{1};

  /// `count`: the number of counters.
  explicit exemplars(std::size_t count);
  ~exemplars();

  /// Keeps the request unless the counter has one that came less than `interval` before it. `counter` is below the
  /// number of counters. An empty id keeps nothing.
  void offer(std::size_t counter, std::string_view request_id, std::chrono::nanoseconds duration,
             limits::wall_time time) noexcept {
    auto const age = time - kept_at_[counter];  // a clock that steps back makes it negative
    if (age < age.zero() || age >= interval) keep(counter, request_id, duration, time);
  }
  /// The exemplar of a counter: nothing if no request was kept.
  [[nodiscard]] std::optional<exemplar> find(std::size_t counter) const;

 private:
  struct cell;

  void keep(std::size_t counter, std::string_view request_id, std::chrono::nanoseconds duration,
            limits::wall_time time) noexcept;

  std::vector<limits::wall_time> kept_at_;  ///< only used by the thread that offers
  std::mutex mutable mutex_;                ///< for the cells
  std::unique_ptr<cell[]> const cells_;
};

}  // namespace petstore::server
