// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/limits/plan.hpp"
#include "script_runner.hpp"

namespace petstore::quota {

/// What a node says and asks when it calls acquire.lua, which explains each. Times are microseconds since 1970 by the
/// server's clock.
struct acquisition {
  std::uint64_t generation = 0;
  std::uint64_t sequence = 0;
  limits::plan plan{.per_minute = 1};
  std::uint32_t nodes = 1;
  std::uint32_t want = 0;
  std::uint32_t waiting = 0;  ///< requests that are to have one of the tokens
  std::uint32_t held = 0;     ///< tokens that nobody waits for, beside those that will be granted
  bool looks = false;         ///< somebody wants to know what is left, to the token
  std::int64_t patience = 0;  ///< for how long after a recall these requests wait for tokens to come back, in us

  std::int64_t minute = 0;  ///< the open period that this node knows, by its end
  std::uint64_t minute_count = 0;
  std::int64_t day = 0;
  std::uint64_t day_count = 0;
  std::int64_t returned_ns = 0;  ///< continuous refill: of unused tokens, valued by the plan that they were granted by
  std::int64_t returned_mark = 0;  ///< and when the bucket was to be full after their grant

  std::uint32_t strikes = 0;
  std::int64_t pardoned = 0;
  bool never_banned = false;

  // For a server that has lost what it was told: it counts these then, and else it does not look at them.
  std::int64_t born = 0;            ///< since when the server counted, as it last told; 0: it never did
  std::int64_t earlier_day = 0;     ///< the day on which generations before this one
  std::uint64_t earlier_count = 0;  ///< took so many tokens
  std::int64_t full_at = 0;         ///< continuous refill: when the bucket was to be full, as last told

  bool has_old_nodes = false;  ///< some are of version 1, which count under other names: they are told, too

  friend bool operator==(acquisition const&, acquisition const&) = default;
};

/// Whether other nodes hold tokens, as far as the server was told. Of an answer that granted all that was waited for,
/// `none`.
enum class holders : std::uint8_t {
  none,
  silent,    ///< they were told to give them back and have not called since
  recalled,  ///< likewise, a moment ago
};

/// What the server answered.
struct acquired {
  std::int64_t now = 0;
  std::uint32_t granted = 0;
  std::int64_t minute_end = 0;  ///< 0: no period is open
  std::uint64_t minute_used = 0;
  std::int64_t day = 0;
  std::uint64_t day_used = 0;
  std::int64_t full_at = 0;  ///< continuous refill, and the nanoseconds that go on top
  std::int64_t full_at_ns = 0;
  std::int64_t announced_at = 0;
  std::int64_t announced_until = 0;
  std::int64_t ban_until = 0;
  std::int64_t ban_begun = 0;
  quota::holders holders = holders::none;
  std::int64_t born = 0;  ///< since when this server has counted the quota; another time: it had lost it

  friend bool operator==(acquired const&, acquired const&) = default;
};

/// What of a value on the server is of interest to a report: the counts, with the tokens that nodes hold.
struct stored_counts {
  std::int64_t minute_end = 0;
  std::uint64_t minute_used = 0;
  std::int64_t day = 0;
  std::uint64_t day_used = 0;
};
/// nullopt: not a value of acquire.lua.
std::optional<stored_counts> parse_stored(std::string_view value);

/// A node's number: 48 random bits.
using node_number = std::uint64_t;

/// The arguments of acquire.lua. `channel`: where it publishes recalls.
std::vector<std::string> script_arguments(node_number, acquisition const&, limits::ban_policy const&,
                                          std::string const& channel);

/// What it publishes there: who asked, and the key whose tokens are to come back.
struct recall {
  node_number asker = 0;
  std::string key;
};
/// nullopt: not a recall.
std::optional<recall> parse_recall(std::string_view payload);
std::string to_payload(recall const&);
/// The channel of an environment's recalls.
std::string recall_channel(std::string_view environment);

/// nullopt: the call was overtaken by a later one of the same node and changed nothing, or this is no answer of
/// acquire.lua.
std::optional<acquired> parse_acquired(script_integers const&);

}  // namespace petstore::quota
