// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ios>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"

namespace {

/// Returns the width of the terminal that standard output is; 0 if it is not a terminal.
std::size_t columns_of_output() {
  constexpr std::size_t unknown = 80;
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1) return 0;
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : unknown;
}

/// Opens /dev/null in place of each standard stream that is closed. Otherwise the next file that the process opens,
/// such as a store's, has the number of that stream, and output goes into it. Returns false if /dev/null cannot be
/// opened.
bool open_closed_streams() {
  for (int const stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", O_RDWR) != stream) return false;
    if (stream == STDOUT_FILENO) std::cout.setstate(std::ios::badbit);  // nobody gets what a command prints
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write, not the end of the process
  if (!open_closed_streams()) {
    std::cerr << "petstore: a standard stream is closed, and /dev/null cannot be opened\n";
    return static_cast<int>(petstore::program::exit_code::failed);
  }
  petstore::program::variables environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view const text = *entry;
    if (!text.starts_with("PETSTORE_")) continue;
    auto const equals = text.find('=');
    environment.emplace(text.substr(0, equals), equals == text.npos ? std::string_view{} : text.substr(equals + 1));
  }
  std::vector<std::string> const line(arguments + 1, arguments + count);
  return petstore::program::run_command_line(
      line, environment, {std::cin, std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1, columns_of_output()});
}
