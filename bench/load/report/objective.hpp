// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A comparison with a figure of a run, for `--fail-if 'p99>5ms'` (true: the run failed) and `--find-capacity 'p99<5ms'`
// (true: the rate was held):
//
//     subject [ "(" argument ")" ] ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) bound
//
//     p50 p99 p99.9 … mean min max     latency from the intended time; of one operation: p99(adopt)
//     service_p99 …                    the same from the time of sending
//     lag_p99 …                        the lag of the tool
//     rate  rate(adopt)                answers a second
//     requests  requests(adopt)        due requests; for one operation, its answers
//     errors  errors(timeout)          all, or of one kind; a number, or a share of requests: errors>0.1%
//     status(404)  status(5xx)         answers; a number, or a share of answers
//     audit                            findings of the audit
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "figures/results.hpp"
#include "parsed.hpp"

namespace petstore::load {

struct objective {
  enum class subject { latency, service, lag, rate, requests, errors, status, audit };
  enum class statistic { quantile, mean, min, max };
  enum class relation { less, less_or_equal, more, more_or_equal, equal, not_equal };

  std::string text;  ///< the objective as it was given
  subject about = subject::latency;
  statistic of = statistic::quantile;   ///< for latency, service and lag
  double quantile = 0;                  ///< 0 to 1
  std::string operation;                ///< empty: all
  error_kind error = error_kind::none;  ///< none: all kinds
  std::uint16_t status_first = 0;       ///< the range of statuses
  std::uint16_t status_last = 0;
  relation is = relation::less;
  double bound = 0;  ///< durations in ns, shares from 0 to 1
  bool bound_is_share = false;
};

/// A mistake has the column where it begins, counted from 1.
parsed<objective> parse_objective(std::string_view);
/// Why it cannot be evaluated with these operations; empty if it can.
std::string misfit_of(objective const&, std::span<std::string const> operations);

struct judgement {
  std::optional<bool> holds;  ///< whether the comparison is true; nullopt without a figure, for example without answers
  std::string observed;       ///< the figure, in words: "p99 is 6.12 ms"
};
judgement judge(objective const&, results const&);
/// The result as a condition of `--fail-if`, for the reports.
judged_condition judged(objective const&, results const&);

}  // namespace petstore::load
