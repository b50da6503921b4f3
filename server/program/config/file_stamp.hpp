// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>

namespace petstore::program {

/// Tells whether a file or who may read it (owner, group, mode, access list) has changed, without reading it. The
/// default is the stamp of a file that does not exist.
struct file_stamp {
  dev_t device = 0;
  ino_t file = 0;
  off_t size = 0;
  std::int64_t written_ns = 0;  ///< when its content changed
  std::int64_t changed_ns = 0;  ///< when anything of it changed

  friend bool operator==(file_stamp const&, file_stamp const&) = default;
};

/// Follows links. Any thread.
file_stamp stamp_of(std::filesystem::path const&);

}  // namespace petstore::program
