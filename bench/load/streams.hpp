// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>

namespace petstore::load {

/// Exit codes, for shells and CI jobs.
enum class exit_code {
  ok = 0,
  objective_failed = 1,   ///< measured, but a condition of --fail-if is true, or the audit has findings
  wrong_usage = 2,        ///< nothing was sent
  could_not_measure = 3,  ///< no target answered
  interrupted = 130,      ///< by Ctrl-C or SIGTERM; the reports have what was measured until then
};

/// The streams of the program; tests use string streams.
struct streams {
  std::istream& in;
  std::ostream& out;  ///< results
  std::ostream& err;  ///< progress, questions and mistakes
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool colour = true;  ///< colours on a terminal; NO_COLOR (https://no-color.org) turns them off
  /// Columns of the terminal, which may change during a run.
  std::function<std::size_t()> width = [] { return std::size_t{100}; };
};

}  // namespace petstore::load
