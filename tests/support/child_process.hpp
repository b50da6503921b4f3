// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/temporary_directory.hpp"

namespace petstore::tests {

struct user {
  uid_t uid;
  gid_t gid;
};

/// How a child process is started.
struct child_options {
  std::vector<std::string> words;                          ///< the program, found by PATH, and its arguments
  std::optional<std::vector<std::string>> variables = {};  ///< NAME=value; without it, the environment of the test
  std::filesystem::path output = {};                       ///< a file; without it, the test reads standard output
  std::filesystem::path errors = {};                       ///< a file; without it, a file of the object
  std::filesystem::path directory = {};                    ///< the working directory
  std::optional<user> run_as = {};
  int end_signal = SIGKILL;  ///< sent when the object is destroyed or the test ends
};

/// A program in a process group of its own. It ends with the object, and with the thread that started it, even if that
/// is killed. Every wait throws if it exceeds the time limit. One thread.
class child_process {
 public:
  explicit child_process(child_options);
  ~child_process();
  child_process(child_process const&) = delete;
  child_process& operator=(child_process const&) = delete;

  /// The next line of standard output without its line end. Throws if the program ends before.
  std::string read_line();
  /// The rest of standard output, up to its end.
  std::string read_rest();
  std::string standard_error() const { return read_file(options_.errors); }

  pid_t pid() const { return pid_; }
  void send_signal(int signal) const;
  /// The exit code, or 128 + the signal that ended it; nullopt while it runs.
  std::optional<int> exit_code();
  /// Waits until it has ended; returns the exit code.
  int wait();

 private:
  std::size_t read_some();
  [[noreturn]] void become_program(int output, pid_t parent, char* const* words, char* const* variables) const;

  temporary_directory directory_;
  child_options options_;
  pid_t pid_ = -1;
  int output_ = -1;
  std::optional<int> exit_code_;
  std::string buffer_;
};

/// The result of a command that has ended.
struct finished {
  int code = 0;
  std::string out;
  std::string err;
};
finished run(child_options);

}  // namespace petstore::tests
