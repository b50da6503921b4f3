// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <utility>

namespace petstore::program {

/// Decides when a file is to be read again. `Stamp` tells whether it has changed: a `file_stamp`, or those of files
/// that are read together. One thread.
template <class Stamp>
class change_watch {
 public:
  /// The file is read as it is now.
  explicit change_watch(Stamp const& now) : read_{now}, seen_{now} {}
  void note_read(Stamp const& now) { read_ = seen_ = now; }

  /// Whether the file differs from the one that was read. It waits until two calls in a row find it the same, so that
  /// nobody reads a file that is being written.
  bool has_changed(Stamp const& now) {
    bool const is_settled = std::exchange(seen_, now) == now;
    return is_settled && now != read_;
  }

 private:
  Stamp read_;  ///< of the file that was read last
  Stamp seen_;  ///< of the file at the last check
};

}  // namespace petstore::program
