// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "schedule/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace petstore::load {
namespace {

/// The relative rounding error of sums of areas.
constexpr double rounding = 1e-13;

std::uint64_t share_of(std::optional<std::uint64_t> requests, schedule::share mine) noexcept {
  if (!requests) return std::numeric_limits<std::uint64_t>::max();
  return *requests / mine.of + (mine.index < *requests % mine.of ? 1 : 0);
}

/// Seeds differ for two workers of a run, and for the same worker of two runs with consecutive seeds.
std::mt19937_64 make_random(std::uint64_t seed, unsigned index) {
  std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), index};
  return std::mt19937_64(words);
}

}  // namespace

schedule::schedule(load_shape const& shape, limits all, share mine, std::uint64_t seed)
    : step_(mine.of),
      left_(share_of(all.requests, mine)),
      is_poisson_(shape.arrivals == arrival_kind::poisson),
      random_(make_random(seed, mine.index)) {
  if (all.warm_up.count() > 0) {
    auto const rate = shape.stages.empty() ? shape.to : shape.stages.front().from;
    add_piece(std::chrono::duration<double>(all.warm_up).count(), rate, rate);
    warm_up_area_ = area_end_;
  }
  for (auto const& s : shape.stages) add_piece(std::chrono::duration<double>(s.length).count(), s.from, s.to);
  if (shape.stages.empty()) add_piece(std::chrono::duration<double>(all.duration).count(), shape.to, shape.to);
  area_ = is_poisson_ ? 0 : mine.index;
}

void schedule::add_piece(double length, double rate, double rate_at_end) {
  auto const begin = pieces_.empty() ? 0 : pieces_.back().begin + pieces_.back().length;
  auto const area = length * (rate + rate_at_end) / 2;
  pieces_.push_back({begin, length, rate, (rate_at_end - rate) / length, area, area_end_});
  area_end_ += area;
}

std::optional<std::chrono::nanoseconds> schedule::next() {
  if (left_ == 0) return std::nullopt;
  if (is_poisson_) area_ += step_ * std::exponential_distribution<>(1)(random_);
  // An arrival exactly at the end does not count: a rate of 10 for a second gives 10 requests, not 11, despite
  // rounding.
  if (area_ >= area_end_ * (1 - rounding)) return std::nullopt;
  auto const due = time_of(area_);
  if (area_ >= warm_up_area_ * (1 - rounding)) --left_;
  if (!is_poisson_) area_ += step_;
  return std::chrono::nanoseconds(std::llround(due * 1e9));
}

double schedule::time_of(double area) noexcept {
  while (current_ + 1 < pieces_.size() && area >= pieces_[current_].area_before + pieces_[current_].area) ++current_;
  auto const& p = pieces_[current_];
  auto const inside = area - p.area_before;
  if (inside <= 0) return p.begin;
  // Solves rate * t + slope * t^2 / 2 = area, in a form that is exact for small slopes.
  auto const root = std::sqrt(std::max(0.0, p.rate * p.rate + 2 * p.slope * inside));
  return p.begin + std::min(p.length, 2 * inside / (p.rate + root));
}

}  // namespace petstore::load
