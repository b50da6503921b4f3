// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/token_file.hpp"

#include <optional>
#include <utility>

namespace petstore::program {
namespace {

constexpr watched_file::words words_of_tokens{.setting = "admin-token-file",
                                              .still_in_use = "the tokens that were read last stay in use",
                                              .read_event = "admin_tokens_reloaded",
                                              .failure_event = "admin_tokens_not_reloaded"};

}  // namespace

token_file::token_file(loaded_settings const& loaded, event_report report)
    : access_{std::nullopt, limits::now},
      file_{loaded, loaded.values.admin_token_file, words_of_tokens,
            [this](auto const& path) { access_.replace(admin_tokens::read(path)); }, std::move(report)} {}

}  // namespace petstore::program
