// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

namespace petstore::program {

/// Gives back to the system the memory that malloc keeps after many clients have left. glibc itself returns only the
/// memory at the end of a heap, so one small block in use keeps everything below it.
///
/// Thread safety: one thread.
class unused_memory {
 public:
  /// Less than this is kept for the next clients.
  static constexpr std::size_t kept_max = 32 * 1024 * 1024;

  /// Call it about every second. Returns whether memory was given back. That takes about 0.1 ms for each MiB, during
  /// which other threads that allocate may have to wait.
  bool give_back();

 private:
  std::size_t left_over_ = 0;  ///< resident bytes after the last time
};

}  // namespace petstore::program
