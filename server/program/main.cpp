// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <sys/ioctl.h>
#include <unistd.h>

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

}  // namespace

int main(int count, char** arguments) {
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
