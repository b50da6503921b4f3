// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>

namespace petstore::load {

/// What a shell or a CI job may rely on.
enum class exit_code {
  ok = 0,
  objective_failed = 1,   ///< measured, and a condition of --fail-if or the audit did not hold
  wrong_usage = 2,        ///< nothing was sent
  could_not_measure = 3,  ///< no target answered
};

/// Where the program reads and writes; tests put strings there.
struct streams {
  std::istream& in;
  std::ostream& out;  ///< results
  std::ostream& err;  ///< progress, questions and mistakes
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool colour = true;  ///< where a terminal listens; NO_COLOR (https://no-color.org) turns it off
  /// Columns of the terminal, which may become more or fewer while a run goes on.
  std::function<std::size_t()> width = [] { return std::size_t{100}; };
};

}  // namespace petstore::load
