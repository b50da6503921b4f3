// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace petstore::program {

/// Returns "; did you mean `--listen`?" for a name that is near a known one (nearest_name.hpp), else an empty text.
std::string suggestion_for(std::string_view name, std::vector<std::string> const& known);

}  // namespace petstore::program
