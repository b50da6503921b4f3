// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "program/temporary_directory.hpp"

namespace petstore::test {

/// A run of the real program, with an environment of its own. Its standard error goes to a file. Whatever still runs
/// when the test is over is killed; every wait has an end.
class child_process {
 public:
  /// `variables` as NAME=value.
  explicit child_process(std::vector<std::string> const& arguments, std::vector<std::string> const& variables = {});
  ~child_process();
  child_process(child_process const&) = delete;
  child_process& operator=(child_process const&) = delete;

  /// The next line of standard output without its end. Throws when the program ends or half a minute passes before.
  std::string read_line();
  /// What is left of standard output, to its end.
  std::string read_rest();
  std::string standard_error() const { return read_file(directory_ / "stderr"); }

  pid_t pid() const { return pid_; }
  void send_signal(int signal) const;
  /// The exit code, or 128 + the signal that ended it. Throws after half a minute.
  int wait();

 private:
  std::size_t read_some();

  temporary_directory directory_;
  pid_t pid_ = -1;
  int output_ = -1;
  std::string buffer_;
};

/// A command that runs to its end.
struct finished {
  int code = 0;
  std::string out;
  std::string err;
};
finished run_petstore(std::vector<std::string> const& arguments, std::vector<std::string> const& variables = {});

}  // namespace petstore::test
