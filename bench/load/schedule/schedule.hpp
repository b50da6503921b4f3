// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "schedule/load_shape.hpp"

namespace petstore::load {

/// The times at which requests are due, from the beginning of a run. They are known before the run and do not depend on
/// answers; this makes the load an open loop.
///
/// The rate over time is a piecewise linear curve. The area under it up to a time is the number of requests due until
/// then. Evenly spaced arrivals are at the times at which the area is 0, 1, 2...; for a Poisson process, the area
/// reaches the points of a Poisson process of rate 1 (the time rescaling theorem).
///
/// Workers share a schedule without communication. Of `of` workers, number `index` takes every of-th arrival. For a
/// Poisson process, each worker has a process with its share of the rate, since independent processes add up to the
/// whole one.
///
/// Thread safety: none. Costs a square root and no allocation for each arrival.
class schedule {
 public:
  struct share {
    unsigned index = 0;
    unsigned of = 1;
  };
  struct limits {
    std::chrono::nanoseconds duration = duration_max;      ///< of a constant rate; nothing is due at its end or later
    std::chrono::nanoseconds warm_up{};                    ///< before the shape, with its first rate
    std::optional<std::uint64_t> requests = std::nullopt;  ///< for all workers together, after the warm-up
  };

  /// The shape must not be `max`, which has no schedule. `seed` decides a Poisson process, together with the share.
  schedule(load_shape const&, limits, share, std::uint64_t seed);

  /// The next due time, in ascending order, from the beginning of the warm-up; nullopt if no more are due.
  std::optional<std::chrono::nanoseconds> next();

 private:
  /// A piece of the curve: `rate` at its beginning, changing by `slope` a second.
  struct piece {
    double begin;   ///< in seconds
    double length;  ///< in seconds
    double rate;
    double slope;
    double area;         ///< the area under it
    double area_before;  ///< the area under all pieces before it
  };

  void add_piece(double length, double rate, double rate_at_end);
  double time_of(double area) noexcept;

  std::vector<piece> pieces_;
  std::size_t current_ = 0;  ///< the piece of the last arrival
  double area_ = 0;          ///< the area at the next arrival
  double step_;              ///< the mean area between two arrivals of this share
  double area_end_ = 0;
  double warm_up_area_ = 0;
  std::uint64_t left_;
  bool is_poisson_;
  std::mt19937_64 random_;
};

}  // namespace petstore::load
