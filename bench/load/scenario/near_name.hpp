// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The message for an unknown name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace petstore::load {

/// "`wieght` is not known here; did you mean `weight`?", or the known names if none is similar.
std::string unknown_name(std::string_view name, std::span<std::string_view const> known);

}  // namespace petstore::load
