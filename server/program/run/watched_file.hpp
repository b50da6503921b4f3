// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "config/change_watch.hpp"
#include "config/file_stamp.hpp"
#include "config/load.hpp"
#include "config/values.hpp"
#include "log/event_report.hpp"

namespace petstore::program {

/// Keeps in use what is in a file that a setting names. It reads the file again at a signal, or when the file changes.
/// A file that cannot be used changes nothing, is reported once, and is read again until it can be used. One thread.
class watched_file {
 public:
  /// How messages name the file. Literals.
  struct words {
    std::string_view setting;
    std::string_view still_in_use;  ///< the end of the sentence about a file that cannot be used
    std::string_view read_event;
    std::string_view failure_event;
  };
  /// Takes into use what is in the file. Throws value_error, worded to follow the name of the file.
  using read_function = std::function<void(std::filesystem::path const&)>;

  /// Reads the file, unless the path is empty; then this object does nothing. Throws config_error, which names the
  /// setting and the file.
  watched_file(loaded_settings const&, std::filesystem::path, words const&, read_function, event_report);
  watched_file(watched_file const&) = delete;
  watched_file& operator=(watched_file const&) = delete;

  /// Reads the file, whether or not it changed, and reports a failure again.
  void reload();
  /// Reads the file if it has changed (change_watch.hpp).
  void follow();

 private:
  void read_again();
  std::string describe(value_error const&) const;

  std::filesystem::path const path_;
  words const words_;
  read_function const read_;
  event_report const report_;
  change_watch<file_stamp> watch_;
};

}  // namespace petstore::program
