// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string>

#include "config/load.hpp"
#include "log/event_report.hpp"
#include "run/watched_file.hpp"

namespace petstore::program {

/// The shortest secret, in characters.
inline constexpr std::size_t webhook_secret_size_min = 32;

/// The secret that signs messages, as it is in the file that `webhook-secret-file` names (watched_file). One thread.
class webhook_secret {
 public:
  /// Without a file in the settings, the secret is empty. Throws config_error, which names the setting and the file.
  webhook_secret(loaded_settings const&, event_report);

  std::string const& value() const noexcept { return value_; }

  void reload() { file_.reload(); }
  void follow() { file_.follow(); }

 private:
  std::string value_;
  watched_file file_;  ///< replaces `value_`
};

}  // namespace petstore::program
