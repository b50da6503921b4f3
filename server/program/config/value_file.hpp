// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace petstore::program {

/// No setting is longer; whoever names a device or a log by mistake is told so.
constexpr std::size_t value_file_bytes_max = 64 * 1024;

/// What a file holds in place of a variable's own text, as orchestrators hand out secrets; line ends that close it are
/// none of the value. Throws value_error, worded to follow the name of the file, when it cannot be read or is longer
/// than value_file_bytes_max.
std::string read_value_file(std::filesystem::path const&);

}  // namespace petstore::program
