// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/certificates.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <exception>
#include <utility>

namespace petstore::program {
namespace {

constexpr std::chrono::hours warning_interval{24};

using server::severity;
using server::tls_error;

std::string_view setting_of(tls_error::part part) {
  switch (part) {
    case tls_error::part::certificates: return "tls-cert";
    case tls_error::part::private_key: return "tls-key";
    case tls_error::part::client_authorities: break;
  }
  return "tls-client-ca";
}

std::filesystem::path const& file_of(server::tls_files const& files, tls_error::part part) {
  switch (part) {
    case tls_error::part::certificates: return files.certificates;
    case tls_error::part::private_key: return files.private_key;
    case tls_error::part::client_authorities: break;
  }
  return files.client_authorities;
}

std::string describe(tls_error const& wrong, server::tls_files const& files) {
  return fmt::format("{}: `{}` {}", setting_of(wrong.of), file_of(files, wrong.of).string(), wrong.what());
}

std::shared_ptr<server::tls_context> open(loaded_settings const& loaded) {
  auto const& files = loaded.values.tls;
  if (files.certificates.empty()) return nullptr;
  try {
    return std::make_shared<server::tls_context>(server::read_tls_files(files));
  } catch (tls_error const& wrong) {
    throw config_error({fmt::format("{} (from {})", describe(wrong, files), loaded.source_of(setting_of(wrong.of)))});
  }
}

/// Returns warnings: what clients may refuse, and a private key that every user of this machine can read.
std::vector<std::string> warnings_about(server::tls_context const& context, server::tls_files const& files,
                                        std::chrono::system_clock::time_point now) {
  auto warnings = context.warnings(now);
  struct stat key {};
  if (::stat(files.private_key.c_str(), &key) == 0 && (key.st_mode & S_IROTH) != 0)
    warnings.push_back(
        fmt::format("tls-key: the mode of `{}` lets every user of this machine read it; chmod o-r prevents that",
                    files.private_key.string()));
  return warnings;
}

}  // namespace

certificates::certificates(loaded_settings const& loaded, event_report r)
    : files_{loaded.values.tls}, report_{std::move(r)}, watch_{read_stamps()} {
  context_ = open(loaded);
  warn(read_at_);
}

void certificates::reload() {
  watch_.forget_failure();
  if (context_) read();
}

void certificates::read() {
  auto const stamps = read_stamps();
  try {
    context_->replace(server::read_tls_files(files_));
  } catch (tls_error const& wrong) {
    return note_failure(stamps, fmt::format("{}; the one that was read last stays in use", describe(wrong, files_)));
  } catch (std::exception const& failure) {
    return note_failure(stamps, failure.what());
  }
  watch_.note_read(stamps);
  is_current_ = true;
  read_at_ = std::chrono::system_clock::now();
  report_(severity::info, "certificate_reloaded", files_.certificates.string());
  warn(read_at_);
}

void certificates::note_failure(file_stamps const& then, std::string_view why) {
  is_current_ = false;
  if (watch_.note_failure(then, why)) report_(severity::error, "certificate_not_reloaded", why);
}

std::optional<certificate_figures> certificates::figures() const {
  if (!context_) return std::nullopt;
  return certificate_figures{context_->expires_at(), read_at_, is_current_};
}

void certificates::follow(time_point now) {
  if (!context_) return;
  if (watch_.has_changed(read_stamps())) read();
  if (now - warned_at_ >= warning_interval) warn(now);
}

certificates::file_stamps certificates::read_stamps() const {
  return {stamp_of(files_.certificates), stamp_of(files_.private_key), stamp_of(files_.client_authorities)};
}

void certificates::warn(time_point now) {
  warned_at_ = now;
  if (!context_) return;
  for (auto const& warning : warnings_about(*context_, files_, now)) report_(severity::warning, "certificate", warning);
}

std::vector<std::string> check_certificates(loaded_settings const& loaded, std::chrono::system_clock::time_point now) {
  auto const context = open(loaded);
  return context ? warnings_about(*context, loaded.values.tls, now) : std::vector<std::string>{};
}

}  // namespace petstore::program
