// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <vector>

#include "scenario/file/table_reader.hpp"
#include "scenario/read_scenario.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// `[headers]` and `[[operations]]` of a scenario file.
std::vector<operation> read_operations(table_reader& file, std::filesystem::path const& directory, surroundings const&);

}  // namespace petstore::load
