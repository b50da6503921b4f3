// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "petstore/ports/store.hpp"
#include "petstore/server/metrics.hpp"
#include "serve/certificates.hpp"
#include "serve/quota_backend.hpp"

namespace petstore::program {

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
  std::optional<shared_quota_figures> shared_quotas;
  std::optional<certificate_figures> certificate;
  std::uint64_t log_lines_dropped = 0;
  std::uint64_t log_writes_failed = 0;
};

/// The page for Prometheus: the requests, the figures, and the process's own (start, processor time, memory, files).
std::string metrics_text(server::metrics_reading const&, figures const&);

}  // namespace petstore::program
