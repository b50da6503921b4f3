// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/child_process.hpp"

namespace petstore::tests {

/// How the real program is started, with an environment of its own: `variables` as NAME=value.
inline child_options petstore_command(std::vector<std::string> arguments, std::vector<std::string> variables = {}) {
  arguments.insert(arguments.begin(), PETSTORE_PROGRAM);
  return {.words = std::move(arguments), .variables = std::move(variables)};
}

/// The real program, run to its end.
inline finished run_petstore(std::vector<std::string> arguments, std::vector<std::string> variables = {}) {
  return run(petstore_command(std::move(arguments), std::move(variables)));
}

}  // namespace petstore::tests
