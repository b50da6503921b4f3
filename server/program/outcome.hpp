// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace petstore::program {

/// How a command ends, as scripts see it.
enum class exit_code : int {
  fine = 0,
  failed = 1,       ///< something went wrong while running
  wrong_usage = 2,  ///< another command line, environment, file or store address would mend it
};

/// The command line asks for something that makes no sense. Exit 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command could not do what it was asked for. Exit 1.
struct command_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a command writes: results to `out`, what a person should know besides to `err`.
struct streams {
  std::ostream& out;
  std::ostream& err;
  std::size_t out_columns = 0;   ///< of the terminal that `out` is; 0: it is none, and a program reads it
  bool err_is_terminal = false;  ///< so a person reads it
};

/// All that a command line is connected to.
struct console {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  ///< progress is drawn there
  std::size_t out_columns = 0;   ///< as of `streams`
};

}  // namespace petstore::program
