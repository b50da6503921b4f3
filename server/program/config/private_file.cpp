// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/private_file.hpp"

#include <fmt/format.h>

#include <system_error>

#include "config/value_file.hpp"
#include "config/values.hpp"

namespace petstore::program {

std::string read_private_file(std::filesystem::path const& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  auto const allowed = fs::status(path, failure).permissions();
  if (failure) throw value_error("is a file that cannot be read");
  if ((allowed & fs::perms::others_read) != fs::perms::none)
    throw value_error(fmt::format("may be read by everybody: chmod o-rwx {}", path.string()));
  if ((allowed & (fs::perms::others_write | fs::perms::group_write)) != fs::perms::none)
    throw value_error(fmt::format("may be written by others than its owner: chmod g-w,o-rwx {}", path.string()));
  return read_value_file(path);
}

}  // namespace petstore::program
