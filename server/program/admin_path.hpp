// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::program {

/// The administration API is below this path of the admin listener.
inline constexpr std::string_view admin_path = "/admin/v1";

}  // namespace petstore::program
