// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

  friend bool operator==(acquisition const&, acquisition const&) = default;
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
  bool others_hold_tokens = false;
  std::int64_t born = 0;  ///< since when this server has counted the quota; another time: it had lost it

  friend bool operator==(acquired const&, acquired const&) = default;
};

/// The arguments of acquire.lua.
std::vector<std::string> script_arguments(std::string const& node, acquisition const&, limits::ban_policy const&);

/// nullopt: the call was overtaken by a later one of the same node and changed nothing, or this is no answer of
/// acquire.lua.
std::optional<acquired> parse_acquired(script_integers const&);

}  // namespace petstore::quota
