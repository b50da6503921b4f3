// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>

#include "outcome.hpp"

/// `petstore check`, `petstore backup` and `petstore restore`: an embedded store as a whole, beside a server or without
/// one. Each says in a line on `out` what it did. Each throws usage_error or command_error.
namespace petstore::program {

/// A line for each fault, and exit 1 when there is one.
exit_code check_command(std::filesystem::path const& store, streams);

void backup_command(std::filesystem::path const& store, std::filesystem::path const& output, streams);

void restore_command(std::filesystem::path const& backup, std::filesystem::path const& store, streams);

}  // namespace petstore::program
