// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>

#include "petstore/export.hpp"

namespace petstore::ports {

/// Upper bounds of the buckets in which the durations of calls are counted. The last bucket has no bound.
inline constexpr std::array<std::uint64_t, 12> quota_call_bounds_us{100,    250,    500,    1'000,   2'500,   5'000,
                                                                    10'000, 20'000, 50'000, 100'000, 250'000, 500'000};

/// What a source of quotas that nodes share over Redis has counted since it was opened, for metrics.
struct PETSTORE_EXPORT shared_quota_figures {
  std::uint64_t calls = 0;                ///< scripts sent for quotas
  std::uint64_t settlements = 0;          ///< calls that ask for no tokens, such as those that give some back
  std::uint64_t heartbeats_answered = 0;  ///< heartbeats, which report that this node is alive, with an answer
  std::uint64_t heartbeats_missed = 0;    ///< heartbeats without an answer
  std::uint64_t grants = 0;               ///< tokens granted by calls
  std::uint64_t returns = 0;              ///< tokens given back unused
  std::uint64_t timeouts = 0;             ///< calls whose outcome is unknown
  std::uint64_t failures = 0;             ///< calls that have certainly not run
  std::uint64_t waits = 0;                ///< requests that had to wait for Redis
  std::uint64_t kept_refusals = 0;        ///< requests refused without a call
  std::uint64_t policy_decisions = 0;     ///< requests decided by the failure policy
  std::uint64_t strikes_reported = 0;     ///< ignored refusals that were reported to Redis
  std::uint64_t bans_begun = 0;           ///< bans for strikes that this node has learned of
  std::uint64_t breaker_openings = 0;     ///< how often the breaker has opened
  std::array<std::uint64_t, quota_call_bounds_us.size() + 1> call_times{};  ///< answered calls by their duration
  std::uint64_t call_times_sum_ns = 0;                                      ///< their total duration in nanoseconds
  // The client that runs the scripts counts these.
  std::uint64_t connections_made = 0;    ///< connections established since the start
  std::uint64_t connections_lost = 0;    ///< established connections that were lost
  std::uint64_t redirections = 0;        ///< answers that named another server of a cluster
  std::uint64_t scripts_sent_whole = 0;  ///< scripts sent in full because the server did not have them
  // The present state, or that of the last round; there are four rounds a second.
  std::uint32_t leases = 0;       ///< quotas of which this node holds tokens
  std::uint64_t tokens_held = 0;  ///< tokens that it holds in advance
  std::uint32_t nodes = 1;        ///< nodes that shared these quotas at the last heartbeat, this one included
  bool breaker_open = false;      ///< whether the breaker is open: this node sends Redis only an occasional probe
};

/// The figures that a source of quotas itself adds up, event by event. It asks others for the rest when it is read.
inline constexpr std::array counted_quota_figures{&shared_quota_figures::calls,
                                                  &shared_quota_figures::settlements,
                                                  &shared_quota_figures::heartbeats_answered,
                                                  &shared_quota_figures::heartbeats_missed,
                                                  &shared_quota_figures::grants,
                                                  &shared_quota_figures::returns,
                                                  &shared_quota_figures::timeouts,
                                                  &shared_quota_figures::failures,
                                                  &shared_quota_figures::waits,
                                                  &shared_quota_figures::kept_refusals,
                                                  &shared_quota_figures::policy_decisions,
                                                  &shared_quota_figures::strikes_reported,
                                                  &shared_quota_figures::bans_begun};

}  // namespace petstore::ports
