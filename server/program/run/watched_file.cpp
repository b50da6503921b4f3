// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/watched_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace petstore::program {

watched_file::watched_file(loaded_settings const& loaded, std::filesystem::path path, words const& w,
                           read_function read, event_report report)
    : path_{std::move(path)}, words_{w}, read_{std::move(read)}, report_{std::move(report)}, watch_{stamp_of(path_)} {
  if (path_.empty()) return;
  try {
    read_(path_);
  } catch (value_error const& wrong) {
    throw config_error({fmt::format("{} (from {})", describe(wrong), loaded.source_of(words_.setting))});
  }
}

void watched_file::reload() {
  watch_.forget_failure();
  if (!path_.empty()) read_again();
}

void watched_file::follow() {
  if (!path_.empty() && watch_.has_changed(stamp_of(path_))) read_again();
}

void watched_file::read_again() {
  auto const stamp = stamp_of(path_);
  try {
    read_(path_);
  } catch (value_error const& wrong) {
    auto const why = fmt::format("{}; {}", describe(wrong), words_.still_in_use);
    if (watch_.note_failure(stamp, why)) report_(server::severity::error, words_.failure_event, why);
    return;
  }
  watch_.note_read(stamp);
  report_(server::severity::info, words_.read_event, path_.string());
}

std::string watched_file::describe(value_error const& wrong) const {
  return fmt::format("{}: `{}` {}", words_.setting, path_.string(), wrong.what());
}

}  // namespace petstore::program
