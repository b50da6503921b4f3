// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "petstore/ports/shared_quota_figures.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// Which certificate is in use.
struct certificate_figures {
  std::chrono::system_clock::time_point expires_at;
  std::chrono::system_clock::time_point read_at;  ///< its files, the last time that they could be used
  bool is_current = true;                         ///< false: what the files have now cannot be used
};

/// What is measured beside requests.
struct figures {
  std::string version;
  bool ready = false;
  std::size_t connections = 0;
  std::size_t connections_max = 0;
  std::size_t threads = 0;
  std::size_t keys = 0;  ///< that are not revoked
  std::optional<ports::write_backlog> writes;
  std::optional<ports::store_space> space;
  std::optional<ports::connection_figures> store_connections;
  std::optional<ports::shared_quota_figures> shared_quotas;
  std::optional<certificate_figures> certificate;
  std::uint64_t log_lines_dropped = 0;
  std::uint64_t log_writes_failed = 0;
};

}  // namespace petstore::program
