// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "figures/histogram.hpp"
#include "report/wording.hpp"

namespace petstore::load {

/// "1.24 ms", or a dash if no request is beyond the quantile: the figure would be the maximum and suggest more than is
/// known.
inline std::string quantile_words(histogram const& of, double q) {
  // A thousandth of a request allows for the rounding of 1 - q.
  bool const known = static_cast<double>(of.count()) * (1 - q) > 0.999;
  return known ? duration_words(of.quantile(q)) : "–";
}

}  // namespace petstore::load
