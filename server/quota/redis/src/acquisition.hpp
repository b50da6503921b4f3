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

  friend bool operator==(acquired const&, acquired const&) = default;
};

/// The arguments of acquire.lua.
std::vector<std::string> script_arguments(std::string const& node, acquisition const&, limits::ban_policy const&);

/// nullopt: the call was overtaken by a later one of the same node and changed nothing, or this is no answer of
/// acquire.lua.
std::optional<acquired> parse_acquired(script_integers const&);

}  // namespace petstore::quota
