// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A log-linear histogram of durations. Below 2^FineBits ns, each nanosecond has a class. Above, each power of two is
// divided into 2^FineBits classes of the same width. So the width of a class is at most the 2^-FineBits part of its
// values; a quantile can be too high by this part, and is never too low. Memory is fixed, recording takes a few
// instructions and never allocates, and histograms of one type are merged by adding their counts (the idea of
// HdrHistogram, http://hdrhistogram.org).
//
// Thread safety: none. One thread writes; others merge it after that thread has ended.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace petstore::load {

template <int FineBits, int RangeBits, class Count>
class log_linear {
 public:
  /// A duration of this or longer has no class: it is counted as overflow, and only the longest is known.
  static constexpr std::chrono::nanoseconds range{std::int64_t{1} << RangeBits};
  /// A quantile is too high by at most this part of itself.
  static constexpr double error_max = 1.0 / (1 << FineBits);

  log_linear() : counts_(classes) {}

  /// A negative duration counts as 0.
  void record(std::chrono::nanoseconds duration, std::uint64_t times = 1) noexcept {
    if (times == 0) return;
    auto const n = std::max<std::int64_t>(duration.count(), 0);
    if (auto const i = class_of(static_cast<std::uint64_t>(n)); i < classes) {
      counts_[i] += static_cast<Count>(times);
    } else {
      overflow_ += times;
    }
    count_ += times;
    sum_ += static_cast<double>(n) * static_cast<double>(times);
    least_ = std::min(least_, n);
    most_ = std::max(most_, n);
  }

  void merge(log_linear const& other) noexcept {
    for (std::size_t i = 0; i < classes; ++i) counts_[i] += other.counts_[i];
    count_ += other.count_;
    overflow_ += other.overflow_;
    sum_ += other.sum_;
    least_ = std::min(least_, other.least_);
    most_ = std::max(most_, other.most_);
  }

  void clear() noexcept {
    std::fill(counts_.begin(), counts_.end(), Count{});
    count_ = overflow_ = 0;
    sum_ = 0;
    least_ = std::numeric_limits<std::int64_t>::max();
    most_ = 0;
  }

  /// The longest duration of the class that `duration` belongs to; `range` if it is beyond all classes.
  static std::chrono::nanoseconds class_end(std::chrono::nanoseconds duration) noexcept {
    if (duration >= range) return range;
    auto const n = std::max<std::int64_t>(duration.count(), 0);
    return std::chrono::nanoseconds(upper_end(class_of(static_cast<std::uint64_t>(n))));
  }

  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t overflow() const noexcept { return overflow_; }  ///< how many of `count()` are beyond the range
  bool empty() const noexcept { return count_ == 0; }
  /// Exact. This and the functions below are zero if nothing was recorded.
  std::chrono::nanoseconds min() const noexcept { return std::chrono::nanoseconds(empty() ? 0 : least_); }
  std::chrono::nanoseconds max() const noexcept { return std::chrono::nanoseconds(most_); }
  std::chrono::nanoseconds mean() const noexcept {
    return std::chrono::nanoseconds(empty() ? 0 : static_cast<std::int64_t>(sum_ / static_cast<double>(count_) + 0.5));
  }

  /// The quantile `q` (0 to 1): the shortest duration that at least this share of all does not exceed, or at most
  /// `error_max` above it.
  std::chrono::nanoseconds quantile(double q) const noexcept {
    if (empty()) return {};
    // A share such as 99.9 / 100 may be a bit above what it stands for.
    auto const wanted = std::clamp(static_cast<double>(count_) * q * (1 - 1e-12), 1.0, static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      seen += counts_[i];
      if (counts_[i] > 0 && static_cast<double>(seen) >= wanted) {
        return std::chrono::nanoseconds(std::clamp(upper_end(i), least_, most_));
      }
    }
    return max();
  }

  /// The number of durations up to `duration`; it may include those of one class above.
  std::uint64_t count_up_to(std::chrono::nanoseconds duration) const noexcept {
    if (duration.count() < 0) return 0;
    if (duration.count() >= most_) return count_;
    auto const last = std::min(class_of(static_cast<std::uint64_t>(duration.count())), classes - 1);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i <= last; ++i) seen += counts_[i];
    return seen;
  }

  /// Calls `visit(upper, count)` for every class that is not empty, in ascending order; `upper` is its longest
  /// duration. If each `upper` is recorded `count` times in an empty histogram, it has the same classes.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (std::size_t i = 0; i < classes; ++i) {
      if (counts_[i] > 0) visit(std::chrono::nanoseconds(upper_end(i)), static_cast<std::uint64_t>(counts_[i]));
    }
  }

  /// Values that the classes do not have, for a histogram that is restored from its classes.
  struct exact_figures {
    std::chrono::nanoseconds min{};
    std::chrono::nanoseconds max{};
    double sum = 0;  ///< in ns
  };
  exact_figures exact() const noexcept { return {min(), max(), sum_}; }
  void set_exact(exact_figures const& known) noexcept {
    if (empty()) return;
    least_ = known.min.count();
    most_ = known.max.count();
    sum_ = known.sum;
  }

  bool operator==(log_linear const&) const = default;

 private:
  static constexpr std::uint64_t fine = std::uint64_t{1} << FineBits;
  static constexpr std::size_t classes = static_cast<std::size_t>(RangeBits - FineBits + 1) * fine;

  static constexpr std::size_t class_of(std::uint64_t n) noexcept {
    if (n < fine) return n;
    auto const shift = static_cast<unsigned>(std::bit_width(n)) - FineBits - 1;
    return shift * fine + (n >> shift);
  }
  static constexpr std::int64_t lower_end(std::size_t i) noexcept {
    if (i < fine) return static_cast<std::int64_t>(i);
    return static_cast<std::int64_t>(((i % fine) + fine) << (i / fine - 1));
  }
  static constexpr std::int64_t upper_end(std::size_t i) noexcept {
    return i < fine ? static_cast<std::int64_t>(i) : lower_end(i) + (std::int64_t{1} << (i / fine - 1)) - 1;
  }

  std::vector<Count> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t overflow_ = 0;
  double sum_ = 0;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_ = 0;
};

/// Three significant digits from 1 ns to 18 minutes, in 248 KiB.
using histogram = log_linear<10, 40, std::uint64_t>;
/// For one second of a run: an error below a hundredth, in 17 KiB.
using coarse_histogram = log_linear<7, 40, std::uint32_t>;

}  // namespace petstore::load
