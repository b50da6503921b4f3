// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// `--find-capacity`: the search for the highest rate at which an objective holds. It chooses the next rate from the
// results of the last tries, without clocks and sockets.
//
// Each round searches for the knee again. The rate grows by a factor until the objective does not hold. Then the gap
// between the highest rate that held and the lowest that did not is halved (in ratio) until it is narrow. Later rounds
// begin near the results of the earlier ones, with smaller steps. The spread of the rounds is the uncertainty.
//
//     [stepping] --broke--> [halving] --narrow--> next round, or [done]
//
// A try that the tool broke, and not the server, is made again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/capacity_figures.hpp"
#include "report/columns.hpp"

namespace petstore::load {

struct capacity_options {
  double first = 100;       ///< the rate of the first try
  double most = 1'000'000;  ///< the highest rate
  double factor = 2;        ///< between two steps of the first round
  double precision = 0.05;  ///< a gap of this ratio is narrow
  unsigned rounds = 3;
};
/// If the objective does not hold at this rate, there is no capacity to report.
inline constexpr double capacity_rate_min = 1;
/// A try that did not hold while the tool was the limit is repeated up to so often. Only the last of them counts: a
/// hiccup of the tool passes, and a rate that is too high for the tool does not.
inline constexpr unsigned tool_repeats_max = 2;
/// The most tries of one round, in case results contradict each other.
inline constexpr unsigned capacity_tries_max = 40;

class capacity_search {
 public:
  explicit capacity_search(capacity_options);

  /// The rate to try now; nullopt if the search is over.
  std::optional<double> next() const noexcept { return next_; }
  /// The result of the try at `next()`; sets its rate and round.
  void tried(capacity_try);
  /// The results so far.
  capacity_figures found() const;

 private:
  void step();
  void end_round();

  capacity_options options_;
  std::optional<double> next_;
  std::optional<double> held_;    // the highest rate of this round that held
  std::optional<double> broken_;  // the lowest rate of this round that did not
  bool broken_by_tool_ = false;
  double factor_;
  unsigned round_ = 1;
  unsigned tries_in_round_ = 0;
  unsigned repeats_ = 0;  // of the try at `next_`
  capacity_figures found_;
};

/// A table of the tries and the knee, for a terminal.
std::string capacity_text(capacity_figures const&, text_style);
/// The outcome of a try, in a few words.
std::string outcome_words(capacity_try const&);
/// The knee, in one or two sentences.
std::string capacity_verdict(capacity_figures const&);
/// A warning if the tool was the limit in a round; otherwise empty.
std::string capacity_warning(capacity_figures const&);

}  // namespace petstore::load
