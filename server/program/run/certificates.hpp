// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/figures.hpp"
#include "config/change_watch.hpp"
#include "config/file_stamp.hpp"
#include "config/load.hpp"
#include "log/event_report.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::program {

/// Keeps the certificate of the public listener as it is in its files. One thread.
///
/// It loads the certificate and its key again at a signal, or when the files change. It checks their paths every
/// second, because certificate tools rename files, and Kubernetes changes a link. A pair that cannot be used changes
/// nothing, is reported once, and is loaded again until it can be used. Warnings about the pair in use, such as its
/// expiry, are repeated every day.
class certificates {
 public:
  using time_point = std::chrono::system_clock::time_point;

  /// Without a certificate in the settings, this object does nothing. Throws config_error, which names the setting and
  /// the file.
  certificates(loaded_settings const&, event_report);

  /// Returns nullptr if connections are not encrypted.
  std::shared_ptr<server::tls_context> const& context() const noexcept { return context_; }

  /// Returns nullopt if connections are not encrypted.
  std::optional<certificate_figures> figures() const;

  /// Loads the files, whether or not they changed, and reports a failure again.
  void reload();
  /// Loads the files if they have changed (change_watch.hpp), and warns if the last warnings are a day old.
  void follow(time_point now);

 private:
  using file_stamps = std::array<file_stamp, 3>;

  void read();
  file_stamps read_stamps() const;
  void warn(time_point now);
  void note_failure(file_stamps const& then, std::string_view why);

  server::tls_files const files_;
  event_report const report_;
  std::shared_ptr<server::tls_context> context_;
  change_watch<file_stamps> watch_;
  time_point read_at_ = std::chrono::system_clock::now();
  time_point warned_at_;
  bool is_current_ = true;
};

/// Throws config_error if the named files cannot be used. Returns warnings: what clients may refuse, and a private key
/// that every user of the machine can read.
std::vector<std::string> check_certificates(loaded_settings const&, std::chrono::system_clock::time_point now);

}  // namespace petstore::program
