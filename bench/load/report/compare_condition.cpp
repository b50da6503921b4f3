// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <array>

#include "report/compare.hpp"
#include "report/wording.hpp"
#include "scenario/near_name.hpp"

namespace petstore::load {
namespace {

/// The maximum is not among them: it is one request, and intervals do not show its noise.
constexpr std::array<std::string_view, 7> judged_names{"capacity", "rate", "errors", "p50", "p90", "p99", "p99.9"};

std::string observed(difference const& d) {
  auto const verdict = verdict_text(d);
  auto const change = d.before + " and " + d.after + (d.ratio ? ", " + ratio_text(*d.ratio) : "");
  return verdict.empty() ? change + ": too few intervals to judge" : change + ": " + verdict;
}

}  // namespace

parsed<std::string> parse_comparison_condition(std::string_view text) {
  auto const space = text.find(' ');
  auto const name = text.substr(0, space);
  if (space == text.npos || text.substr(space + 1) != "worse")
    return {{}, "a condition is a figure and the word worse, as 'p99 worse'; not '" + std::string(text) + "'"};
  if (std::ranges::find(judged_names, name) == judged_names.end()) return {{}, unknown_name(name, judged_names)};
  return {std::string(name), {}};
}

judged_condition judged(std::string const& name, comparison const& compared) {
  auto const text = name + " worse";
  auto const found = std::ranges::find(compared.differences, name, &difference::name);
  if (found == compared.differences.end()) return {text, "the runs have no such figure", true};
  using verdict = difference::verdict;
  return {text, observed(*found), found->judged == verdict::worse || found->judged == verdict::unknown};
}

}  // namespace petstore::load
