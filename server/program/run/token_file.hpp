// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "admin/admin_access.hpp"
#include "config/load.hpp"
#include "log/event_report.hpp"
#include "run/watched_file.hpp"

namespace petstore::program {

/// The tokens of the admin listener, as they are in the file that `admin-token-file` names (watched_file). One thread.
class token_file {
 public:
  /// Without a file in the settings, nobody has access. Throws config_error, which names the setting and the file.
  token_file(loaded_settings const&, event_report);

  /// Those who may use the admin listener.
  admin_access& access() noexcept { return access_; }

  void reload() { file_.reload(); }
  void follow() { file_.follow(); }

 private:
  admin_access access_;
  watched_file file_;  ///< replaces the tokens of `access_`
};

}  // namespace petstore::program
