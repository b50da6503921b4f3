// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace petstore::program {

/// No setting is longer. A user who names a device or a log by mistake gets an error.
constexpr std::size_t value_file_bytes_max = 64 * 1024;

/// Reads a value from a file, as orchestrators provide secrets, in place of a variable's own text. Line ends at the end
/// of the file are removed. Throws value_error, worded to follow the name of the file, if the file cannot be read or is
/// longer than value_file_bytes_max.
std::string read_value_file(std::filesystem::path const&);

}  // namespace petstore::program
