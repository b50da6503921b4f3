// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "petstore/disk/file_descriptor.hpp"

/// Files and their names on the disk, so that a power cut takes neither. fsync(2): syncing a file does not promise that
/// its name is on the disk; that takes a sync of the directory. Any thread; both block for as long as the disk takes.
namespace petstore::disk {

/// Puts what is in the file, or directory, on the disk. Fails also where it cannot be opened for reading.
inline std::error_code sync(std::filesystem::path const& path) {
  file_descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  bool const is_on_disk = file.get() >= 0 && ::fsync(file.get()) == 0;
  return is_on_disk ? std::error_code{} : std::error_code{errno, std::generic_category()};
}

/// Makes certain that names in the directory outlast a power cut: those of files made, renamed or removed there. The
/// only failure is EIO, the disk's own. A directory that may be passed and not read is not where we made anything, and
/// filesystems that sync no directories keep names by themselves.
inline std::error_code sync_names(std::filesystem::path const& directory) {
  auto const failure = sync(directory);
  return failure == std::errc::io_error ? failure : std::error_code{};
}

}  // namespace petstore::disk
