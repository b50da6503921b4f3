// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "petstore/disk/file_descriptor.hpp"

/// Sync files and their names to the disk, so that a power cut loses neither. After a sync of a file, its name may
/// still be missing on the disk; that needs a sync of the directory (fsync(2)). Any thread; both functions block for as
/// long as the disk takes.
namespace petstore::disk {

/// Syncs the content of a file or directory to the disk. It also fails if that cannot be opened for reading.
inline std::error_code sync(std::filesystem::path const& path) {
  file_descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  bool const is_on_disk = file.get() >= 0 && ::fsync(file.get()) == 0;
  return is_on_disk ? std::error_code{} : std::error_code{errno, std::generic_category()};
}

/// Syncs the names in a directory, so that files that were made, renamed or removed there stay so after a power cut.
/// The only failure is EIO, an error of the disk. Other errors are ignored: nothing of ours was made in a directory
/// that cannot be read, and a filesystem that cannot sync directories keeps names by itself.
inline std::error_code sync_names(std::filesystem::path const& directory) {
  auto const failure = sync(directory);
  return failure == std::errc::io_error ? failure : std::error_code{};
}

}  // namespace petstore::disk
