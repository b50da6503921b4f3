// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "simulator.hpp"

/// What the tests of simulated worlds ask of them.
namespace petstore::quota {

inline std::int64_t excess_of(simulator::window_tally const& w, std::uint64_t quota) {
  std::int64_t worst = w.worst;
  if (quota == 0) return worst;
  for (auto const& [end, count] : w.by_end) worst = std::max(worst, static_cast<std::int64_t>(count - quota));
  return worst;
}
/// By how much the worst period of each window exceeds its quota.
struct excess {
  std::int64_t of_short = 0;
  std::int64_t of_long = 0;
};
inline excess excess_of(simulator const& s) {
  excess worst;
  for (auto const& [key, tally] : s.tallies()) {
    limits::plan const p = s.plan_of(key);
    worst.of_short = std::max(worst.of_short, excess_of(tally.of_short, p.short_window.tokens()));
    worst.of_long = std::max(worst.of_long, excess_of(tally.of_long, p.long_window.tokens()));
  }
  return worst;
}

/// Few keys get most of the requests.
inline simulator::key_number skewed(simulator& s, std::size_t keys) {
  double const u = static_cast<double>(s.up_to(999'999)) / 1e6;
  return static_cast<simulator::key_number>(std::pow(static_cast<double>(keys), u)) - 1;
}

/// Each admission used a token that was granted, but for those of the failure policy.
inline bool all_were_granted(simulator const& s) {
  return std::ranges::all_of(s.tallies(), [](auto const& key) {
    auto const& t = key.second;
    return t.admitted <= t.granted + t.admitted_alone;
  });
}

inline std::uint64_t decided_alone(simulator const& s) {
  std::uint64_t count = 0;
  for (auto const& [key, tally] : s.tallies()) count += tally.alone;
  return count;
}

inline std::function<std::pair<std::size_t, simulator::key_number>()> anybody(simulator& s, std::size_t keys) {
  return [&s, keys] { return std::pair{s.up_to(s.node_count() - 1), skewed(s, keys)}; };
}

inline void print(char const* what, simulator const& s) {
  std::uint64_t asked = 0, admitted = 0;
  for (auto const& [key, t] : s.tallies()) asked += t.asked, admitted += t.admitted;
  excess const e = excess_of(s);
  BOOST_TEST_MESSAGE(what << ": " << asked << " requests, " << admitted << " admitted, " << s.calls()
                          << " calls; worst short period " << e.of_short << ", worst long one " << e.of_long
                          << " over the quota");
}

}  // namespace petstore::quota
