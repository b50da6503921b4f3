// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <span>
#include <string_view>

namespace petstore::pages {

/// A file that the build has embedded into the program (see Embed.cmake).
struct embedded_file {
  std::string_view name;
  std::string_view bytes;
  std::string_view gzip;  ///< empty where the build had no gzip
};

/// The embedded files; without those from npm if the build had no npm. Any thread.
std::span<embedded_file const> embedded_files() noexcept;

/// Returns nullptr if there is no file of that name. Any thread.
embedded_file const* find_embedded_file(std::string_view name) noexcept;

/// Returns a file that always exists, because it is not from npm.
embedded_file const& own_file(std::string_view name);

}  // namespace petstore::pages
