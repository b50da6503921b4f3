// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

namespace petstore::program {

/// Gives memory back to the system that malloc keeps after a crowd of clients has left. glibc returns by itself only
/// what lies at the end of a heap, so one small block that is still in use keeps everything below it.
///
/// Thread safety: one thread.
class unused_memory {
 public:
  /// Less than this is kept for whoever comes next.
  static constexpr std::size_t kept_max = 32 * 1024 * 1024;

  /// To be called every second or so. Returns whether memory was given back. That costs about 0.1 ms for each MiB, in
  /// which other threads that need memory may have to wait.
  bool give_back();

 private:
  std::size_t left_over_ = 0;  ///< resident bytes after the last time
};

}  // namespace petstore::program
