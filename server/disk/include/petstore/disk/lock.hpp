// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "petstore/disk/file_descriptor.hpp"

namespace petstore::disk {

/// Locks a file or directory that was opened by this path, as long as the descriptor is held (flock(2)). False when
/// another descriptor holds the lock, and when the path leads elsewhere by now, since whoever held it has renamed or
/// removed the file. A filesystem without locks refuses nobody. Any thread; does not wait.
inline bool lock_alone(file_descriptor const& file, std::filesystem::path const& path) noexcept {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat locked {};
  struct stat named {};
  return ::fstat(file.get(), &locked) == 0 && ::lstat(path.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
         locked.st_ino == named.st_ino;
}

}  // namespace petstore::disk
