// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "petstore/key_registry.hpp"
#include "petstore/ports/shared_quota_figures.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// The certificate in use.
struct certificate_figures {
  std::chrono::system_clock::time_point expires_at;
  std::chrono::system_clock::time_point read_at;  ///< when its files were last read with success
  bool is_current = true;                         ///< false: what is in the files now cannot be used
};

/// The settings in force.
struct configuration_figures {
  std::chrono::system_clock::time_point read_at{};  ///< when they were read with success
  bool is_current = true;                           ///< false: the last reload found a fault
};

/// The events for the webhook.
struct webhook_figures {
  std::uint64_t waiting = 0;  ///< at present
  std::uint64_t delivered = 0;
  std::uint64_t given_up = 0;  ///< refused, or not taken by the last try, or waiting when the server stopped
  std::uint64_t dropped = 0;   ///< too many waited
  std::uint64_t tries_failed = 0;
};

/// All figures that are not about requests.
struct figures {
  std::string version;
  bool ready = false;
  std::size_t connections = 0;
  std::size_t connections_max = 0;
  std::size_t threads = 0;
  std::size_t keys = 0;  ///< that are not revoked
  plan_table plans{};    ///< those of the configuration
  std::optional<ports::write_backlog> writes;
  std::optional<ports::store_space> space;
  std::optional<ports::connection_figures> store_connections;
  std::optional<ports::shared_quota_figures> shared_quotas;
  std::uint64_t mistaken_refunds = 0;
  std::optional<certificate_figures> certificate;
  configuration_figures configuration;
  std::optional<webhook_figures> webhook;
  std::uint64_t log_lines_dropped = 0;
  std::uint64_t log_writes_failed = 0;
};

}  // namespace petstore::program
