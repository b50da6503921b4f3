// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>

namespace petstore::load {

/// The mean that the ratio uses. Latencies differ by factors, and one stall should not hide all other seconds, so they
/// use the geometric mean, for which all values must be positive.
enum class mean_kind { arithmetic, geometric };

/// The range of the middle 95 % of ratios of the means of `after` and `before`. For each ratio, both are drawn again
/// from their own values in blocks of neighbours (a moving-block bootstrap: Künsch, The Annals of Statistics 17, 1989).
/// The same values give the same range. nullopt if one of them has fewer than `resampled_values_min` values, or if the
/// mean of `before` is not positive.
struct ratio_range {
  double low = 0;
  double high = 0;
};
inline constexpr std::size_t resampled_values_min = 5;
inline constexpr unsigned resamplings = 2'000;

std::optional<ratio_range> ratio_noise(std::span<double const> before, std::span<double const> after, mean_kind);

}  // namespace petstore::load
