// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_secret.hpp"

#include <fmt/format.h>

#include <utility>

#include "config/private_file.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

constexpr watched_file::words words_of_secret{.setting = "webhook-secret-file",
                                              .still_in_use = "the secret that was read last stays in use",
                                              .read_event = "webhook_secret_reloaded",
                                              .failure_event = "webhook_secret_not_reloaded"};

std::string read_secret_of_webhook(std::filesystem::path const& path) {
  auto secret = read_private_file(path);
  if (secret.size() < webhook_secret_size_min)
    throw value_error(
        fmt::format("has a secret that is shorter than {} characters: make one with openssl rand -base64 33",
                    webhook_secret_size_min));
  return secret;
}

}  // namespace

webhook_secret::webhook_secret(loaded_settings const& loaded, event_report report)
    : file_{loaded, loaded.values.webhook_secret_file, words_of_secret,
            [this](auto const& path) { value_ = read_secret_of_webhook(path); }, std::move(report)} {}

}  // namespace petstore::program
