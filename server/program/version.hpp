// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

namespace petstore::program {

/// The version of the project, as CMake knows it.
inline constexpr char const* program_version = PETSTORE_VERSION;

}  // namespace petstore::program
