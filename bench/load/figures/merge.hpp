// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <span>

#include "figures/results.hpp"
#include "parsed.hpp"

namespace petstore::load {

/// The figures of runs that were made at the same time, such as by several machines, as if they were one run: counts,
/// rates and histograms add up, interval by interval from the beginning of each run. A quantile of an interval is the
/// worst of the runs, which that of all is never above. Operations and keys with the same name are one.
///
/// Conditions are left out, because each was judged for its run alone. Findings of audits are all kept; whether the
/// runs together kept the quotas is not checked.
///
/// A mistake if there are fewer than two runs, if one is a search for the capacity, or if their intervals differ.
parsed<results> merged(std::span<results const>);

}  // namespace petstore::load
