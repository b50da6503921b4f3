// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <optional>

#include "admin/admin_access.hpp"
#include "config/change_watch.hpp"
#include "config/file_stamp.hpp"
#include "config/load.hpp"
#include "log/event_report.hpp"

namespace petstore::program {

/// Reads the file that `admin-token-file` names; nullopt if it names none. Throws config_error, which names the setting
/// and the file.
std::optional<admin_tokens> read_admin_tokens(loaded_settings const&);

/// Keeps the tokens of the admin listener as they are in their file. It reads the file again at a signal, or when the
/// file changes. A file that cannot be used changes nothing, is reported once, and is read again until it can be used.
/// One thread.
class token_file {
 public:
  /// Without a file in the settings, this object does nothing. Throws as read_admin_tokens.
  token_file(loaded_settings const&, event_report);

  /// Those who may use the admin listener.
  admin_access& access() noexcept { return access_; }

  /// Reads the file, whether or not it changed, and reports a failure again.
  void reload();
  /// Reads the file if it has changed (change_watch.hpp).
  void follow();

 private:
  void read();

  std::filesystem::path const path_;
  event_report const report_;
  change_watch<file_stamp> watch_;
  admin_access access_;
};

}  // namespace petstore::program
