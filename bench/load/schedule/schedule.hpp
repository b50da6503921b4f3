// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "schedule/load_shape.hpp"

namespace petstore::load {

/// The moments at which requests are due, counted from the beginning of a run and known before it begins: whether and
/// when anything is answered does not change them. That is what makes the load an open loop.
///
/// A rate over time is a curve of straight pieces; the area under it up to a moment is how many requests are due until
/// then. Evenly spaced arrivals are where the area reaches 0, 1, 2...; a Poisson process is where it reaches the points
/// of one of rate 1 (the time rescaling theorem).
///
/// Workers share a schedule without talking to each other: of `of` workers, number `index` takes every of-th arrival,
/// or, of a Poisson process, one that is as much thinner, since many thin ones make up the whole one.
///
/// Thread safety: none. Costs a square root and no allocation for each arrival.
class schedule {
 public:
  struct share {
    unsigned index = 0;
    unsigned of = 1;
  };
  struct limits {
    std::chrono::nanoseconds duration = duration_max;      ///< of the shape; what is due at its end or later is not
    std::chrono::nanoseconds warm_up{};                    ///< before that, at the rate with which the shape begins
    std::optional<std::uint64_t> requests = std::nullopt;  ///< of all workers together, after the warm-up
  };

  /// The shape must not be `max`, which has no schedule. `seed` decides a Poisson process, together with the share.
  schedule(load_shape const&, limits, share, std::uint64_t seed);

  /// In ascending order, from the beginning of the warm-up; nothing when no more are due.
  std::optional<std::chrono::nanoseconds> next();

 private:
  /// A piece of the curve: `rate` at its beginning, changing by `slope` a second.
  struct piece {
    double begin;   ///< in seconds
    double length;  ///< in seconds
    double rate;
    double slope;
    double area;         ///< under it
    double area_before;  ///< under all pieces before it
  };

  void add_piece(double length, double rate, double rate_at_end);
  double time_of(double area) noexcept;

  std::vector<piece> pieces_;
  std::size_t current_ = 0;  ///< the piece of the last arrival
  double area_ = 0;          ///< of the next arrival
  double step_;              ///< between two arrivals of this share, on average
  double area_end_ = 0;
  double warm_up_area_ = 0;
  std::uint64_t left_;
  bool is_poisson_;
  std::mt19937_64 random_;
};

}  // namespace petstore::load
