// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "petstore/ports/store.hpp"

namespace petstore::program {

/// What there is to tell of quotas that nodes share. Counted since the start, except the last four.
struct shared_quota_figures {
  struct bucket {
    std::int64_t bound_us = 0;  ///< 0: none
    std::uint64_t calls = 0;
  };
  std::uint64_t calls = 0;
  std::uint64_t settlements = 0;  ///< of these, not for tokens
  std::uint64_t heartbeats = 0;
  std::uint64_t heartbeats_missed = 0;
  std::vector<bucket> call_times;  ///< of calls that were answered, heartbeats not among them
  std::uint64_t call_times_sum_ns = 0;
  std::uint64_t breaker_openings = 0;
  std::uint64_t tokens_granted = 0;
  std::uint64_t tokens_returned = 0;
  std::uint64_t calls_of_unknown_outcome = 0;
  std::uint64_t calls_not_run = 0;
  std::uint64_t requests_that_waited = 0;
  std::uint64_t refusals_kept = 0;
  std::uint64_t decisions_by_policy = 0;
  std::uint64_t strikes_reported = 0;
  std::uint64_t bans_begun = 0;  ///< of which this node has learned
  std::uint64_t connections_made = 0;
  std::uint64_t connections_lost = 0;
  std::uint64_t redirections = 0;
  std::uint64_t scripts_sent_whole = 0;
  std::uint32_t leases = 0;
  std::uint64_t tokens_held = 0;
  std::uint32_t nodes = 1;
  bool answers = true;  ///< false: Redis is asked now and then only, whether it is back
};

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
  std::optional<shared_quota_figures> shared_quotas;
  std::optional<certificate_figures> certificate;
  std::uint64_t log_lines_dropped = 0;
  std::uint64_t log_writes_failed = 0;
};

}  // namespace petstore::program
