// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/value_file.hpp"

#include <fstream>

#include "config/values.hpp"

namespace petstore::program {

std::string read_value_file(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(value_file_bytes_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  // A directory can be opened, but not read.
  if (!in.is_open() || in.bad()) throw value_error("is a file that cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > value_file_bytes_max) throw value_error("is a file too long for a setting");
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace petstore::program
