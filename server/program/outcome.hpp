// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace petstore::program {

/// The exit code of a command.
enum class exit_code : int {
  fine = 0,
  failed = 1,       ///< something went wrong, and may not go wrong the next time
  wrong_usage = 2,  ///< the command line, environment, file or store address has to change
};

/// The command line asks for something that makes no sense. Exit 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command could not do what it was asked for. Exit 1.
struct command_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The standard streams of a command: results go to `out`, other messages for a person to `err`.
struct streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  ///< a person reads it, and progress is drawn on it
  std::size_t out_columns = 0;  ///< the width of the terminal; 0 if `out` is not a terminal, so that a program reads it
};

}  // namespace petstore::program
