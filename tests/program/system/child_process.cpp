// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "program/system/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace petstore::test {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 30s;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void check(int code, char const* what) {
  if (code != 0) throw std::system_error(code, std::generic_category(), what);
}

}  // namespace

child_process::child_process(std::vector<std::string> const& arguments, std::vector<std::string> const& variables) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  output_ = pipe[0];

  auto const errors = (directory_ / "stderr").string();
  posix_spawn_file_actions_t actions;
  check(::posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);

  std::vector<std::string> line{PETSTORE_PROGRAM};
  line.insert(line.end(), arguments.begin(), arguments.end());
  auto environment = variables;
  int const failure =
      ::posix_spawn(&pid_, PETSTORE_PROGRAM, &actions, nullptr, pointers(line).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  check(failure, "posix_spawn");
}

child_process::~child_process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(output_);
}

std::size_t child_process::read_some() {
  pollfd waiting{output_, POLLIN, 0};
  if (::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) <= 0) {
    throw std::runtime_error("the program says nothing; its errors: " + standard_error());
  }
  std::array<char, 4096> bytes{};
  auto const n = ::read(output_, bytes.data(), bytes.size());
  if (n < 0) throw std::system_error(errno, std::generic_category(), "read");
  buffer_.append(bytes.data(), static_cast<std::size_t>(n));
  return static_cast<std::size_t>(n);
}

std::string child_process::read_line() {
  while (buffer_.find('\n') == std::string::npos) {
    if (read_some() == 0) throw std::runtime_error("the program has ended; its errors: " + standard_error());
  }
  auto line = buffer_.substr(0, buffer_.find('\n'));
  buffer_.erase(0, line.size() + 1);
  return line;
}

std::string child_process::read_rest() {
  while (read_some() != 0) {
  }
  return std::exchange(buffer_, {});
}

void child_process::send_signal(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

int child_process::wait() {
  int status = 0;
  for (auto const end = std::chrono::steady_clock::now() + patience; ::waitpid(pid_, &status, WNOHANG) == 0;) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the program does not end");
    std::this_thread::sleep_for(2ms);  // waitpid has no time-out of its own
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

finished run_petstore(std::vector<std::string> const& arguments, std::vector<std::string> const& variables) {
  child_process child(arguments, variables);
  finished done;
  done.out = child.read_rest();
  done.code = child.wait();
  done.err = child.standard_error();
  return done;
}

}  // namespace petstore::test
