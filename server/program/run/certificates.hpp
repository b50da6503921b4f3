// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/types.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/figures.hpp"
#include "config/load.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::program {

/// The certificate the public listener serves with, as its files have it at present. One thread.
///
/// A new pair is taken over when the files change (they are looked at every second: certificate tools rename files,
/// Kubernetes turns a link) or at a signal. A pair that cannot be used changes nothing, and is said once.
class certificates {
 public:
  using report = std::function<void(server::severity, std::string_view event, std::string_view detail)>;

  /// Without a certificate in the settings: nothing to do, ever. Throws config_error, which names the setting and the
  /// file.
  certificates(loaded_settings const&, report);

  /// nullptr: connections are not encrypted.
  std::shared_ptr<server::tls_context> const& context() const noexcept { return context_; }

  /// Without encryption there is none.
  std::optional<certificate_figures> figures() const;

  /// Takes what the files have now, whether or not they changed.
  void reload();
  /// Takes it when they have changed, and not while they are changing: they have to look alike twice in a row.
  void follow();

 private:
  /// What tells one content of a file from the next without reading it.
  struct look {
    dev_t device = 0;
    ino_t file = 0;
    off_t size = 0;
    std::int64_t changed_ns = 0;
    friend bool operator==(look const&, look const&) = default;
  };
  using looks = std::array<look, 3>;

  looks look_at_files() const;
  void warn() const;
  void tell_failure(std::string_view why);

  server::tls_files const files_;
  report const report_;
  std::shared_ptr<server::tls_context> context_;
  looks taken_{};
  looks seen_{};
  std::chrono::system_clock::time_point read_at_ = std::chrono::system_clock::now();
  bool is_current_ = true;
};

/// Throws config_error when the files that are named cannot be used. Returns what clients may object to,
/// and that every user of the machine can read the private key.
std::vector<std::string> judge_certificates(loaded_settings const&, std::chrono::system_clock::time_point now);

}  // namespace petstore::program
