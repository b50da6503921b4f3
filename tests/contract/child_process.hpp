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

// A run of the program under test. Its environment is ours without any PETSTORE_ variable, and with those asked for.
// The child never outlives the object (nor the test program, should that die): the destructor kills it by its id.
//
//   [running] --exit or signal--> [ended], noticed by wait()
class child_process {
 public:
  static constexpr std::chrono::seconds patience{60};

  explicit child_process(const arguments& command_line, const environment& variables = {});
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process();

  // A line of standard output; nothing when the output ends or the time does.
  std::optional<std::string> read_line(std::chrono::milliseconds limit = patience);
  void send_signal(int number) const;
  // The exit code, or minus the signal that ended it; nothing while it still runs after the limit.
  std::optional<int> wait(std::chrono::milliseconds limit = patience);
  // All of standard error up to now.
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

// Runs to the end; throws when that takes longer than child_process::patience.
finished_run run_program(const arguments& command_line, const environment& variables = {});

}  // namespace contract
