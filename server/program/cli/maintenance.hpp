// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>

#include "outcome.hpp"

/// `petstore check`, `petstore backup` and `petstore restore` work on a whole embedded store, with or without a running
/// server. Each prints a line on `out` that says what it did. Each throws usage_error or command_error.
namespace petstore::program {

/// Prints a line for each fault, and returns `failed` if there is one.
exit_code check_command(std::filesystem::path const& store, streams);

void backup_command(std::filesystem::path const& store, std::filesystem::path const& output, streams);

void restore_command(std::filesystem::path const& backup, std::filesystem::path const& store, streams);

}  // namespace petstore::program
