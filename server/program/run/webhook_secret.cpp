// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_secret.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/private_file.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

std::string read_secret_of_webhook(std::filesystem::path const& path) {
  auto secret = read_private_file(path);
  if (secret.size() < webhook_secret_size_min)
    throw value_error(
        fmt::format("has a secret that is shorter than {} characters: make one with openssl rand -base64 33",
                    webhook_secret_size_min));
  return secret;
}

std::string describe_secret_fault(std::filesystem::path const& path, value_error const& wrong) {
  return fmt::format("webhook-secret-file: `{}` {}", path.string(), wrong.what());
}

}  // namespace

std::string read_webhook_secret(loaded_settings const& loaded) {
  std::filesystem::path const path = loaded.values.webhook_secret_file;
  if (path.empty()) return {};
  try {
    return read_secret_of_webhook(path);
  } catch (value_error const& wrong) {
    throw config_error(
        {fmt::format("{} (from {})", describe_secret_fault(path, wrong), loaded.source_of("webhook-secret-file"))});
  }
}

webhook_secret::webhook_secret(loaded_settings const& loaded, event_report r)
    : path_{loaded.values.webhook_secret_file},
      report_{std::move(r)},
      watch_{stamp_of(path_)},
      value_{read_webhook_secret(loaded)} {}

void webhook_secret::reload() {
  watch_.forget_failure();
  if (!path_.empty()) read();
}

void webhook_secret::follow() {
  if (!path_.empty() && watch_.has_changed(stamp_of(path_))) read();
}

void webhook_secret::read() {
  auto const stamp = stamp_of(path_);
  try {
    value_ = read_secret_of_webhook(path_);
  } catch (value_error const& wrong) {
    auto const why = describe_secret_fault(path_, wrong) + "; the secret that was read last stays in use";
    if (watch_.note_failure(stamp, why)) report_(server::severity::error, "webhook_secret_not_reloaded", why);
    return;
  }
  watch_.note_read(stamp);
  report_(server::severity::info, "webhook_secret_reloaded", path_.string());
}

}  // namespace petstore::program
