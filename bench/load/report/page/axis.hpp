// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An axis of a chart: the position of a value between its ends, and the values with lines.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace petstore::load {

struct tick {
  double value = 0;
  std::string label;
};

/// A value type; made by one of the functions below.
class axis {
 public:
  /// From 0 to a round number at or above `high`; `words` makes the labels.
  template <class Words>
  static axis from_zero(double high, std::size_t ticks_about, Words&& words) {
    axis a = linear_to(high, ticks_about);
    for (auto& t : a.ticks_) t.label = words(t.value);
    return a;
  }
  /// Durations in ns, logarithmic: from the 1, 2 or 5 at or below `low` to the one at or above `high`.
  static axis of_durations(double low, double high);
  /// Time of the run in s, from 0 to `end` exactly, with lines at round times.
  static axis of_time(double end, std::size_t ticks_about);
  /// Percentiles from 0 to `last` (0.99999), logarithmic in 1 - q, with lines at 90 %, 99 % and so on. A narrow chart
  /// has fewer lines.
  static axis of_percentiles(double last, bool fewer_lines);

  /// 0 at the low end, 1 at the high end; clamped.
  double place(double value) const noexcept;
  std::vector<tick> const& ticks() const noexcept { return ticks_; }
  double low() const noexcept { return low_; }
  double high() const noexcept { return high_; }

 private:
  enum class scale { linear, logarithmic, nines };

  static axis linear_to(double high, std::size_t ticks_about);

  scale scale_ = scale::linear;
  double low_ = 0;
  double high_ = 1;
  std::vector<tick> ticks_;
};

/// The smallest of 1, 2 or 5 times a power of ten that is not below `value`, which must be positive.
double round_up(double value) noexcept;

}  // namespace petstore::load
