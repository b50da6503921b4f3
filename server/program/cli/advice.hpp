// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::program {

/// Returns a sentence that says what to do about a failure of a command; empty if there is no advice.
std::string_view advice_for(std::string_view failure);

}  // namespace petstore::program
