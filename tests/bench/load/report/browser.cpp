// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/browser.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "program/temporary_directory.hpp"

namespace petstore::load {
namespace {

constexpr std::chrono::seconds patience{60};

std::string browser_path() {
  for (auto const* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

[[noreturn]] void fail_system(char const* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4'096> buffer;
  for (::ssize_t n = 0; (n = ::pread(descriptor, buffer.data(), buffer.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(n));
  return text;
}

/// Both outputs go to memory, so that nothing that the browser leaves behind keeps a pipe open.
struct outputs {
  int out = ::memfd_create("browser-output", MFD_CLOEXEC);
  int err = ::memfd_create("browser-errors", MFD_CLOEXEC);
  ~outputs() {
    ::close(out);
    ::close(err);
  }
};

void run(std::vector<std::string> words, outputs const& to) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  auto const id = ::fork();
  if (id < 0) fail_system("fork");
  if (id == 0) {
    // A group of its own, so that all its processes can be ended with it.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::dup2(to.out, STDOUT_FILENO) < 0 || ::dup2(to.err, STDERR_FILENO) < 0) ::_exit(126);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  auto const deadline = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (::waitpid(id, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(-id, SIGKILL);
      ::waitpid(id, nullptr, 0);
      throw std::runtime_error("the browser did not end: " + read_all(to.err));
    }
    ::poll(nullptr, 0, 20);
  }
  ::kill(-id, SIGKILL);
  if (status != 0) throw std::runtime_error("the browser failed: " + read_all(to.err));
}

}  // namespace

std::optional<opened_page> open_in_browser(std::string const& html) {
  auto const browser = browser_path();
  if (browser.empty()) return std::nullopt;
  test::temporary_directory const directory;
  auto const page = directory.write("page.html", html);
  outputs const to;
  // Root may not have the sandbox. The page is ours, and nothing of it may be fetched from anywhere.
  run({browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
       "--disable-component-update", "--disable-dev-shm-usage", "--user-data-dir=" + (directory / "profile").string(),
       "--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", "file://" + page.string()},
      to);
  opened_page opened{read_all(to.out), {}};
  std::istringstream errors(read_all(to.err));
  for (std::string line; std::getline(errors, line);)
    if (line.find("CONSOLE") != line.npos) opened.console.push_back(line);
  return opened;
}

}  // namespace petstore::load
