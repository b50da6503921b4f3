// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "search/capacity.hpp"

#include <algorithm>
#include <cmath>

namespace petstore::load {
namespace {

/// Later rounds begin this far below the result of the earlier ones, and take smaller steps.
constexpr double later_first = 0.8;
constexpr double later_factor = 1.25;

}  // namespace

capacity_search::capacity_search(capacity_options options)
    : options_(options), next_(std::clamp(options.first, capacity_rate_min, options.most)), factor_(options.factor) {}

void capacity_search::tried(capacity_try outcome) {
  if (!next_) return;
  outcome.rate = *next_;
  outcome.round = round_;
  found_.tries.push_back(outcome);
  ++tries_in_round_;
  bool const says_nothing = !outcome.held && outcome.tool_was_limit;
  if (says_nothing && repeats_ < tool_repeats_max && tries_in_round_ < capacity_tries_max) {
    ++repeats_;
    return;
  }
  repeats_ = 0;
  if (outcome.held) {
    held_ = outcome.rate;
  } else {
    broken_ = outcome.rate;
    broken_by_tool_ = outcome.tool_was_limit;
  }
  step();
}

void capacity_search::step() {
  if (tries_in_round_ >= capacity_tries_max) return end_round();
  if (!broken_) {
    if (*held_ >= options_.most) return end_round();
    next_ = std::min(*held_ * factor_, options_.most);
  } else if (!held_) {
    if (*broken_ <= capacity_rate_min) return end_round();
    next_ = std::max(*broken_ / factor_, capacity_rate_min);
  } else if (*broken_ / *held_ > 1 + options_.precision) {
    next_ = std::sqrt(*broken_ * *held_);
  } else {
    end_round();
  }
}

void capacity_search::end_round() {
  found_.knees.push_back(held_.value_or(0));
  if (broken_by_tool_) found_.tool_was_limit = true;
  if (!broken_) found_.end_of_range = true;
  held_.reset();
  broken_.reset();
  broken_by_tool_ = false;
  tries_in_round_ = 0;
  if (round_++ == options_.rounds) {
    next_.reset();
    return;
  }
  auto const known = found();
  next_ = std::clamp(known.median * later_first, capacity_rate_min, options_.most);
  factor_ = std::min(options_.factor, later_factor);
}

capacity_figures capacity_search::found() const {
  auto known = found_;
  if (known.knees.empty()) return known;
  auto ordered = known.knees;
  std::sort(ordered.begin(), ordered.end());
  auto const middle = ordered.size() / 2;
  known.median = ordered.size() % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
  known.least = ordered.front();
  known.most = ordered.back();
  return known;
}

}  // namespace petstore::load
