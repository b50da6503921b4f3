// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "commands/open_store.hpp"
#include "config/load.hpp"
#include "petstore/ports/quota_source.hpp"

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

/// Where a server's quotas are counted, and what that needs to run. Thread safety: `source` is any thread's, `figures`
/// and `ready` too; `close` is called once, when nothing is charged any more.
class quota_backend {
 public:
  virtual ~quota_backend() = default;

  virtual ports::quota_source& source() = 0;
  /// Keeps or gives back what it holds. False: what was charged last is lost, and reported so.
  virtual bool close() = 0;
  /// Other rules, from the next charge on. Any thread.
  virtual void set_bans(limits::ban_policy const&) = 0;
  /// nullopt: this process counts alone.
  virtual std::optional<shared_quota_figures> figures() const { return std::nullopt; }
  /// False while requests are refused for want of an answer.
  virtual bool ready() const { return true; }
};

/// Beside an lmdb store, nowhere, or in Redis, as is configured. The store is open already. Throws config_error naming
/// the setting and the cause.
std::unique_ptr<quota_backend> open_quotas(loaded_settings const&, store_report);

/// A part of the function above, that a build without Redis (PETSTORE_BUILD_REDIS) has another version of.
std::unique_ptr<quota_backend> open_shared_quotas(loaded_settings const&, store_report);

/// Whether the address of Redis is one, and the files that it names can be used, as far as that can be said without
/// connecting. Throws config_error. A build without Redis has another version of it.
void judge_redis_address(loaded_settings const&);

}  // namespace petstore::program
