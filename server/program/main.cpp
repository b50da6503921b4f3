// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <unistd.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "commands/command_line.hpp"

int main(int count, char** arguments) {
  petstore::program::variables environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view const text = *entry;
    if (!text.starts_with("PETSTORE_")) continue;
    auto const equals = text.find('=');
    environment.emplace(text.substr(0, equals), equals == text.npos ? std::string_view{} : text.substr(equals + 1));
  }
  std::vector<std::string> const line(arguments + 1, arguments + count);
  return petstore::program::run_command_line(line, environment,
                                             {std::cin, std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1});
}
