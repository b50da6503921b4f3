// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// `--find-capacity`: the highest rate at which an objective holds. Decides which rate is tried next from how the last
// ones went, and knows neither a clock nor a socket.
//
// Each round looks for the knee anew. Rates grow by a factor until the objective breaks, then the gap between the
// highest rate that held and the lowest that did not is halved (in ratio) until it is narrow. Later rounds begin near
// where the earlier ones ended, with smaller steps. The spread of the rounds is what the figure is uncertain by.
//
//     [stepping] --broke--> [halving] --narrow--> next round, or [done]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/capacity_figures.hpp"
#include "report/columns.hpp"

namespace petstore::load {

struct capacity_options {
  double first = 100;       ///< rate of the first try
  double most = 1'000'000;  ///< never tried above
  double factor = 2;        ///< of one step to the next in the first round
  double precision = 0.05;  ///< a gap of this ratio is narrow enough
  unsigned rounds = 3;
};
/// A service that does not hold its objective at this rate has no capacity that could be told.
inline constexpr double capacity_rate_min = 1;
/// Tries of one round, in case that outcomes contradict each other for ever.
inline constexpr unsigned capacity_tries_max = 40;

class capacity_search {
 public:
  explicit capacity_search(capacity_options);

  /// The rate to try now; nothing when the search is over.
  std::optional<double> next() const noexcept { return next_; }
  /// How trying `next()` went; its rate is known here.
  void tried(capacity_try);
  /// What is known so far.
  capacity_figures found() const;

 private:
  void step();
  void end_round();

  capacity_options options_;
  std::optional<double> next_;
  std::optional<double> held_;    // highest of this round that held
  std::optional<double> broken_;  // lowest of this round that did not
  bool broken_by_tool_ = false;
  double factor_;
  unsigned round_ = 1;
  unsigned tries_in_round_ = 0;
  capacity_figures found_;
};

/// A table of the tries and the knee, for a terminal.
std::string capacity_text(capacity_figures const&, text_style);
/// What became of a try, in a word or a few.
std::string outcome_words(capacity_try const&);
/// The knee in a sentence or two.
std::string capacity_verdict(capacity_figures const&);
/// What makes it less than that; empty when nothing does.
std::string capacity_warning(capacity_figures const&);

}  // namespace petstore::load
