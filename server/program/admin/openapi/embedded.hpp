// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::program {

/// The text of openapi.json beside this file. The build puts it into the program (see cmake/EmbedText.cmake).
std::string_view embedded_admin_description() noexcept;

}  // namespace petstore::program
