// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/token_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/values.hpp"

namespace petstore::program {
namespace {

using server::severity;

std::string describe(std::filesystem::path const& path, value_error const& wrong) {
  return fmt::format("admin-token-file: `{}` {}", path.string(), wrong.what());
}

}  // namespace

std::optional<admin_tokens> read_admin_tokens(loaded_settings const& loaded) {
  std::filesystem::path const path = loaded.values.admin_token_file;
  if (path.empty()) return std::nullopt;
  try {
    return admin_tokens::read(path);
  } catch (value_error const& wrong) {
    throw config_error({fmt::format("{} (from {})", describe(path, wrong), loaded.source_of("admin-token-file"))});
  }
}

token_file::token_file(loaded_settings const& loaded, event_report r)
    : path_{loaded.values.admin_token_file},
      report_{std::move(r)},
      watch_{stamp_of(path_)},
      access_{read_admin_tokens(loaded), limits::now} {}

void token_file::reload() {
  watch_.forget_failure();
  if (!path_.empty()) read();
}

void token_file::follow() {
  if (!path_.empty() && watch_.has_changed(stamp_of(path_))) read();
}

void token_file::read() {
  auto const stamp = stamp_of(path_);
  try {
    access_.replace(admin_tokens::read(path_));
  } catch (value_error const& wrong) {
    auto const why = describe(path_, wrong) + "; the tokens that were read last stay in use";
    if (watch_.note_failure(stamp, why)) report_(severity::error, "admin_tokens_not_reloaded", why);
    return;
  }
  watch_.note_read(stamp);
  report_(severity::info, "admin_tokens_reloaded", path_.string());
}

}  // namespace petstore::program
