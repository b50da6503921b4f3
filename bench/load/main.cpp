// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "command_line.hpp"

int main(int count, char** arguments) {
  petstore::load::streams io{std::cin, std::cout, std::cerr};
  io.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  char const* const no_colour = std::getenv("NO_COLOR");
  io.colour = no_colour == nullptr || *no_colour == '\0';
  io.width = [] {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : std::size_t{100};
  };
  std::vector<std::string> const line(arguments + 1, arguments + count);
  return static_cast<int>(petstore::load::run_command_line(line, io));
}
