// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace petstore::program {

/// What a shell reads so that it completes the commands and flags of this command line: made from the line itself, so
/// that nothing can be missing. nullopt for a shell that is none of bash, zsh and fish.
std::optional<std::string> completion_script(CLI::App const&, std::string_view shell);

}  // namespace petstore::program
