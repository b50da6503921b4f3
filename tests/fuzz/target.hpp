// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace petstore::fuzz {

/// Checks one input. Each target defines it. A failed check ends the process.
void check(std::string_view input);

}  // namespace petstore::fuzz
