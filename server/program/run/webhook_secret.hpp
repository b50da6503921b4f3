// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "config/change_watch.hpp"
#include "config/file_stamp.hpp"
#include "config/load.hpp"
#include "log/event_report.hpp"

namespace petstore::program {

/// The shortest secret, in characters.
inline constexpr std::size_t webhook_secret_size_min = 32;

/// Reads the file that `webhook-secret-file` names; empty if it names none. Throws config_error, which names the
/// setting and the file.
std::string read_webhook_secret(loaded_settings const&);

/// Keeps the secret that signs messages as it is in its file. It reads the file again at a signal, or when the file
/// changes. A file that cannot be used changes nothing, is reported once, and is read again until it can be used. One
/// thread.
class webhook_secret {
 public:
  /// Without a file in the settings, this object does nothing. Throws as read_webhook_secret.
  webhook_secret(loaded_settings const&, event_report);

  std::string const& value() const noexcept { return value_; }

  /// Reads the file, whether or not it changed, and reports a failure again.
  void reload();
  /// Reads the file if it has changed (change_watch.hpp).
  void follow();

 private:
  void read();

  std::filesystem::path const path_;
  event_report const report_;
  change_watch<file_stamp> watch_;
  std::string value_;
};

}  // namespace petstore::program
