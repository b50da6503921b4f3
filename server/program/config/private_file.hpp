// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <string>

namespace petstore::program {

/// Reads a file with a secret, as `read_value_file` does. Throws value_error if it cannot be read, or if others than
/// its owner (and its group, for reading) may read or write it.
std::string read_private_file(std::filesystem::path const&);

}  // namespace petstore::program
