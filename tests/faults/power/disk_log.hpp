// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What programs did to a part of the filesystem, in one order: `record_disk.cpp` writes it, the replayer reads it.
///
/// An act is appended to the log after it succeeded, in one write, by whichever process did it. Both ends of a sync are
/// acts of their own: what it makes safe is what had been appended when it began. So whoever sees an answer of the
/// program, and then how long the log is, knows that what made the answer true lies before that place.
namespace petstore::faults {

enum class act : std::uint32_t {
  write = 1,
  synchronous_write,  ///< safe by itself: through a descriptor with O_DSYNC
  set_size,
  sync_begins,  ///< of a file or a directory
  sync_ends,
  make_file,
  make_directory,
  rename,
  remove,
};

/// Followed by the path, the second path of a rename, and the data of a write.
struct entry_head {
  act what;
  std::uint32_t thread;  ///< tells which end of a sync belongs to which beginning
  std::uint64_t offset;  ///< of a write; the new size for set_size
  std::uint32_t path_size;
  std::uint32_t to_size;
  std::uint64_t data_size;
};

struct entry {
  std::uint64_t begins_at = 0;  ///< in the log
  act what{};
  std::uint32_t thread = 0;
  std::uint64_t offset = 0;
  std::string_view path;
  std::string_view to;
  std::string_view data;
};

/// A whole log in memory; its entries point into it.
class disk_log {
 public:
  /// Throws std::runtime_error when it cannot be read or ends within an entry.
  explicit disk_log(std::filesystem::path const&);
  disk_log(disk_log const&) = delete;
  disk_log& operator=(disk_log const&) = delete;

  std::vector<entry> const& entries() const noexcept { return entries_; }

 private:
  std::string bytes_;
  std::vector<entry> entries_;
};

}  // namespace petstore::faults
