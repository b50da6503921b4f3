// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace petstore::tests {

/// A new directory, removed with everything in it at the end of the scope.
class temporary_directory {
 public:
  temporary_directory() {
    auto pattern = (std::filesystem::temp_directory_path() / "petstore-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
  }
  ~temporary_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_directory(temporary_directory const&) = delete;
  temporary_directory& operator=(temporary_directory const&) = delete;

  std::filesystem::path const& path() const noexcept { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file into it that only its owner may read, as a private key must be.
  std::filesystem::path write(std::string_view name, std::string_view text) const {
    using std::filesystem::perms;
    auto const file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    std::filesystem::permissions(file, perms::owner_read | perms::owner_write);
    return file;
  }

 private:
  std::filesystem::path path_;
};

/// The content of a file; empty if there is none.
inline std::string read_file(std::filesystem::path const& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace petstore::tests
