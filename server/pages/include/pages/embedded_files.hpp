// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <span>
#include <string_view>

namespace petstore::pages {

/// A file that the build has put into the program (see Embed.cmake).
struct embedded_file {
  std::string_view name;
  std::string_view bytes;
  std::string_view gzip;  ///< empty where the build had no gzip
};

/// What comes from npm is not among them where the build had no npm. Any thread.
std::span<embedded_file const> embedded_files() noexcept;

/// nullptr: there is none of that name. Any thread.
embedded_file const* find_embedded_file(std::string_view name) noexcept;

/// One that is always there: a file of our own.
embedded_file const& own_file(std::string_view name);

}  // namespace petstore::pages
