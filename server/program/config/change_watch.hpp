// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace petstore::program {

/// Decides when a file is to be read again, and whether a failure is news. `Stamp` tells whether the file has changed:
/// a `file_stamp`, or those of files that are read together. One thread.
template <class Stamp>
class change_watch {
 public:
  /// The file is read as it is now.
  explicit change_watch(Stamp const& now) : read_{now}, seen_{now} {}

  /// The file was read. `then` is its stamp from before.
  void note_read(Stamp const& then) {
    read_ = seen_ = then;
    failure_.clear();
  }
  /// The file could not be used. Returns whether the cause is another one than at the failure before.
  bool note_failure(Stamp const& then, std::string_view why) {
    read_.reset();
    seen_ = then;
    return std::exchange(failure_, why) != why;
  }
  /// The next failure is news, whatever its cause.
  void forget_failure() { failure_.clear(); }

  /// Whether the file differs from the one that was read. A file that could not be used always does: its stamp does not
  /// have every cause. It waits until two calls in a row find the file the same, so that nobody reads a file that is
  /// being written.
  bool has_changed(Stamp const& now) {
    bool const is_settled = std::exchange(seen_, now) == now;
    return is_settled && now != read_;
  }

 private:
  std::optional<Stamp> read_;  ///< of the file that was read last; nullopt: it could not be used
  Stamp seen_;                 ///< of the file at the last check
  std::string failure_;        ///< why it could not be used
};

}  // namespace petstore::program
