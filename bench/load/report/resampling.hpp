// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>

namespace petstore::load {

/// Of what the ratio is. Latencies differ by factors, and one stall should not drown all other seconds: they take the
/// geometric mean, for which all values have to be positive.
enum class mean_kind { arithmetic, geometric };

/// The middle 95 of 100 ratios of the means of `after` and `before`, each drawn anew from its own values in blocks of
/// neighbours (a moving-block bootstrap: Künsch, The Annals of Statistics 17, 1989). The same values give the same
/// range. Nothing when there are fewer than `resampled_values_min` in one of them, or the mean of `before` is not
/// positive.
struct ratio_range {
  double low = 0;
  double high = 0;
};
inline constexpr std::size_t resampled_values_min = 5;
inline constexpr unsigned resamplings = 2'000;

std::optional<ratio_range> ratio_noise(std::span<double const> before, std::span<double const> after, mean_kind);

}  // namespace petstore::load
