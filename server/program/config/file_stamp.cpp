// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/file_stamp.hpp"

#include <sys/stat.h>

namespace petstore::program {
namespace {

std::int64_t nanoseconds(timespec const& t) {
  return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

}  // namespace

file_stamp stamp_of(std::filesystem::path const& path) {
  struct stat found {};
  if (path.empty() || ::stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino, found.st_size, nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
}

}  // namespace petstore::program
