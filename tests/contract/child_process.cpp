// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>

// The header of glibc 2.36 lacks extern "C".
extern "C" {
#include <sys/pidfd.h>
}

namespace contract {
namespace {

using std::chrono::milliseconds;

bool readable_within(int descriptor, milliseconds limit) {
  pollfd wanted{descriptor, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&wanted, 1, static_cast<int>(limit.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

std::vector<std::string> child_environment(const environment& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    if (!std::string_view(*entry).starts_with("PETSTORE_")) all.emplace_back(*entry);
  }
  for (const auto& [name, value] : variables) all.push_back(name + '=' + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void fail_system(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

child_process::child_process(const arguments& command_line, const environment& variables) {
  std::vector<std::string> words{PETSTORE_PROGRAM};
  words.insert(words.end(), command_line.begin(), command_line.end());
  std::vector<std::string> surroundings = child_environment(variables);
  // Everything is allocated before the fork: between fork and exec, only async-signal-safe calls are allowed.
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> envp = pointers_to(surroundings);

  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) fail_system("pipe2");
  output_ = pipe_ends[0];
  // Standard error goes to a memory file, so that a child that writes much never blocks.
  errors_ = ::memfd_create("petstore-errors", MFD_CLOEXEC);
  if (errors_ < 0) fail_system("memfd_create");
  id_ = ::fork();
  if (id_ < 0) fail_system("fork");
  if (id_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::dup2(pipe_ends[1], STDOUT_FILENO) < 0 || ::dup2(errors_, STDERR_FILENO) < 0) ::_exit(126);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ::close(pipe_ends[1]);
  handle_ = ::pidfd_open(id_, 0);
  if (handle_ < 0) fail_system("pidfd_open");
}

child_process::~child_process() {
  if (!ended_) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  ::close(handle_);
  ::close(output_);
  ::close(errors_);
}

std::optional<std::string> child_process::read_line(milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  std::size_t end = 0;
  while ((end = unread_.find('\n')) == std::string::npos) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !readable_within(output_, left)) return {};
    char buffer[4096];
    const ssize_t count = ::read(output_, buffer, sizeof buffer);
    if (count <= 0) return {};
    unread_.append(buffer, static_cast<std::size_t>(count));
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

void child_process::send_signal(int number) const {
  if (!ended_) ::kill(id_, number);
}

std::optional<int> child_process::wait(milliseconds limit) {
  if (ended_) return ended_;
  if (!readable_within(handle_, limit)) return {};
  int status = 0;
  if (::waitpid(id_, &status, 0) != id_) fail_system("waitpid");
  ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return ended_;
}

std::string child_process::errors() const {
  std::string text(static_cast<std::size_t>(::lseek(errors_, 0, SEEK_END)), '\0');
  const ssize_t count = ::pread(errors_, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text;
}

finished_run run_program(const arguments& command_line, const environment& variables) {
  child_process child(command_line, variables);
  finished_run result{};
  while (auto line = child.read_line()) result.output += *line + '\n';
  const std::optional<int> code = child.wait();
  if (!code) throw std::runtime_error("still running: " + command_line.front() + "; " + child.errors());
  result.exit_code = *code;
  result.errors = child.errors();
  return result;
}

}  // namespace contract
