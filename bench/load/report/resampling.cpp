// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace petstore::load {
namespace {

/// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). It gives the same numbers
/// everywhere; distributions of the standard library do not.
class draws {
 public:
  std::size_t below(std::size_t end) noexcept {
    state_ += 0x9e3779b97f4a7c15;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((z ^ (z >> 31)) % end);
  }

 private:
  std::uint64_t state_ = 1;
};

double mean(std::span<double const> values) noexcept {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The mean of a sample of the same size, drawn in blocks whose length grows with the cube root of that size.
double redrawn_mean(std::span<double const> values, draws& random) noexcept {
  auto const block = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(values.size()))));
  double sum = 0;
  std::size_t drawn = 0;
  while (drawn < values.size()) {
    auto const begin = random.below(values.size() - block + 1);
    auto const length = std::min(block, values.size() - drawn);
    for (std::size_t i = 0; i < length; ++i) sum += values[begin + i];
    drawn += length;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<ratio_range> ratio_noise(std::span<double const> before, std::span<double const> after, mean_kind kind) {
  if (std::min(before.size(), after.size()) < resampled_values_min || !(mean(before) > 0)) return std::nullopt;
  std::vector<double> a(before.begin(), before.end());
  std::vector<double> b(after.begin(), after.end());
  bool const geometric = kind == mean_kind::geometric;
  if (geometric) {
    for (auto* values : {&a, &b})
      for (auto& value : *values) value = std::log(value);
  }
  draws random;
  std::vector<double> ratios;
  ratios.reserve(resamplings);
  for (unsigned i = 0; i < resamplings; ++i) {
    auto const base = redrawn_mean(a, random);
    auto const other = redrawn_mean(b, random);
    if (geometric) {
      ratios.push_back(std::exp(other - base));
    } else if (base > 0) {
      ratios.push_back(other / base);
    }
  }
  if (ratios.empty()) return std::nullopt;
  std::sort(ratios.begin(), ratios.end());
  auto const at = [&](double q) {
    return ratios[static_cast<std::size_t>(q * static_cast<double>(ratios.size() - 1))];
  };
  return ratio_range{at(0.025), at(0.975)};
}

}  // namespace petstore::load
