// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace petstore::program {

/// Returns the script with which a shell completes the commands and flags of this command line. It is made from the
/// command line itself, so nothing can be missing. Returns nullopt for a shell other than bash, zsh and fish.
std::optional<std::string> completion_script(CLI::App const&, std::string_view shell);

}  // namespace petstore::program
