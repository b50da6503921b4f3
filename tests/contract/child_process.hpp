// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract {

using arguments = std::vector<std::string>;
using environment = std::vector<std::pair<std::string, std::string>>;

// A run of the program under test. It has the environment of the test without PETSTORE_ variables, plus `variables`.
// It ends at the latest with the object, and with the test program even if that is killed.
//
//   [running] --exit or signal--> [ended], noticed by wait()
class child_process {
 public:
  static constexpr std::chrono::seconds patience{60};

  explicit child_process(const arguments& command_line, const environment& variables = {});
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process();

  // The next line of standard output; nullopt at its end or when the limit is over.
  std::optional<std::string> read_line(std::chrono::milliseconds limit = patience);
  void send_signal(int number) const;
  // The exit code, or minus the signal that ended it; nullopt if it still runs after the limit.
  std::optional<int> wait(std::chrono::milliseconds limit = patience);
  // Standard error so far.
  std::string errors() const;

 private:
  pid_t id_ = -1;
  int handle_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::string unread_;
  std::optional<int> ended_;
};

struct finished_run {
  int exit_code;
  std::string output;
  std::string errors;
};

// Runs a program to its end; throws if that takes longer than child_process::patience.
finished_run run_program(const arguments& command_line, const environment& variables = {});

}  // namespace contract
