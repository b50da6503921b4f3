// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A closed loop of load on loopback: each connection sends `depth` copies of a request at once, waits for all their
// answers, and begins again. Its one thread has less work for a request than any server. So if both have a core of
// their own, the server limits the rate.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "figures/histogram.hpp"

namespace petstore::bench {

struct load {
  std::uint16_t port = 0;
  std::string request;
  /// Sent in turn with the first one, by whichever connection sends next: requests for data that no cache has.
  std::vector<std::string> more_requests;
  std::size_t connections = 64;
  std::size_t depth = 1;
  std::chrono::nanoseconds warm_up{};   ///< answers within this time are not counted
  std::chrono::nanoseconds duration{};  ///< the time after it, in which answers are counted
  /// Instead of the two times: sends this many requests, and ends with the last answer.
  std::optional<std::uint64_t> requests;
  std::optional<pid_t> server;  ///< the process whose processor time is measured
};

inline constexpr std::size_t statuses_max = 1'000;

struct load_report {
  std::uint64_t answers = 0;
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, statuses_max> by_status{};
  /// Connections that ended, broke or sent something other than an answer; they are not opened again.
  std::uint64_t broken_connections = 0;
  std::uint64_t unanswered = 0;  ///< when no event came for longer than patience_max
  petstore::load::coarse_histogram waits;
  std::chrono::nanoseconds duration{};
  std::optional<std::chrono::nanoseconds> server_processor_time;  ///< of all threads, in kernel and user mode
};

inline constexpr std::chrono::seconds patience_max{10};

/// Throws std::system_error if it cannot connect, or cannot read the clock of the server's process.
load_report run_load(load const& wanted);

}  // namespace petstore::bench
