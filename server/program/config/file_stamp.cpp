// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/file_stamp.hpp"

#include <sys/stat.h>

namespace petstore::program {

file_stamp stamp_of(std::filesystem::path const& path) {
  struct stat found {};
  if (path.empty() || ::stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev,  found.st_ino,
          found.st_size, found.st_mtim.tv_sec * std::int64_t{1'000'000'000} + found.st_mtim.tv_nsec,
          found.st_mode, found.st_uid};
}

}  // namespace petstore::program
