// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/child_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "support/eventually.hpp"

namespace petstore::tests {
namespace {

[[noreturn]] void fail(char const* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

bool opens_as(int descriptor, char const* file, int flags) {
  int const opened = ::open(file, flags | O_CLOEXEC, 0600);
  return opened >= 0 && ::dup2(opened, descriptor) >= 0;
}

}  // namespace

child_process::child_process(child_options options) : options_(std::move(options)) {
  if (options_.errors.empty()) options_.errors = directory_ / "stderr";
  std::array<int, 2> ends{-1, -1};
  if (options_.output.empty() && ::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  output_ = ends[0];

  auto const words = pointers(options_.words);
  auto const variables = options_.variables ? pointers(*options_.variables) : std::vector<char*>{};
  pid_t const parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become_program(ends[1], parent, words.data(), options_.variables ? variables.data() : environ);
  int const cause = errno;
  if (ends[1] >= 0) ::close(ends[1]);
  errno = cause;
  if (pid_ < 0) fail("fork");
}

/// Runs in the child, where no lock may be taken: another thread of the test may have held it at the fork.
void child_process::become_program(int output, pid_t parent, char* const* words, char* const* variables) const {
  constexpr int append = O_WRONLY | O_CREAT | O_APPEND;
  ::setpgid(0, 0);
  if (auto const& u = options_.run_as;
      u && (::setgroups(0, nullptr) != 0 || ::setgid(u->gid) != 0 || ::setuid(u->uid) != 0)) {
    ::_exit(126);
  }
  ::prctl(PR_SET_PDEATHSIG, options_.end_signal);  // after the change of user, which resets it
  if (::getppid() != parent) ::_exit(126);
  bool const has_files =
      opens_as(STDIN_FILENO, "/dev/null", O_RDONLY) &&
      (output >= 0 ? ::dup2(output, STDOUT_FILENO) >= 0 : opens_as(STDOUT_FILENO, options_.output.c_str(), append)) &&
      opens_as(STDERR_FILENO, options_.errors.c_str(), append);
  if (!has_files || (!options_.directory.empty() && ::chdir(options_.directory.c_str()) != 0)) ::_exit(126);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(words[0], words, variables);
  ::_exit(127);
}

child_process::~child_process() {
  if (!exit_code()) {
    send_signal(options_.end_signal);
    ::waitpid(pid_, nullptr, 0);
    ::kill(-pid_, SIGKILL);
  }
  if (output_ >= 0) ::close(output_);
}

std::size_t child_process::read_some() {
  if (output_ < 0) return 0;
  pollfd waiting{output_, POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, time_limit_ms());
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) {
    throw std::runtime_error("the program says nothing; its errors: " + standard_error());
  }
  std::array<char, 4096> bytes{};
  auto const n = ::read(output_, bytes.data(), bytes.size());
  if (n < 0) fail("read");
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
  if (!exit_code_) ::kill(pid_, signal);
}

std::optional<int> child_process::exit_code() {
  int status = 0;
  if (!exit_code_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ::kill(-pid_, SIGKILL);  // the rest of its process group
  }
  return exit_code_;
}

int child_process::wait() {
  // waitpid has no timeout.
  if (!eventually([this] { return exit_code().has_value(); })) throw std::runtime_error("the program does not end");
  return *exit_code_;
}

finished run(child_options options) {
  child_process child(std::move(options));
  finished done;
  done.out = child.read_rest();
  done.code = child.wait();
  done.err = child.standard_error();
  return done;
}

}  // namespace petstore::tests
