// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <random>
#include <string_view>
#include <vector>

#include "disk_model.hpp"

namespace petstore::faults {

/// One way for the power to go: which of the doubts are on the disk, and a name for reports.
struct cut {
  std::string_view name;
  std::vector<bool> chosen;
};

/// The extremes, and some at random; no two of the same choice.
std::vector<cut> ways_to_cut(std::vector<doubt> const&, std::mt19937_64&);

}  // namespace petstore::faults
