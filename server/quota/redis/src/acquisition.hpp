// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/limits/plan.hpp"
#include "script_runner.hpp"

namespace petstore::quota {

/// The arguments of one call of acquire.lua, which explains each. Times are microseconds since 1970 by the server's
/// clock.
struct acquisition {
  std::uint64_t generation = 0;
  std::uint64_t sequence = 0;
  limits::plan plan{limits::per_minute(1)};
  std::uint32_t nodes = 1;
  std::uint32_t want = 0;
  std::uint32_t waiting = 0;  ///< tokens that waiting requests need, without those that this node has for them
  std::uint32_t held = 0;     ///< tokens that this node keeps, without those that the call will grant
  bool looks = false;         ///< a request wants to know the exact rest
  std::int64_t patience = 0;  ///< how long these requests wait for recalled tokens, in us

  // The tokens that this node claims to have taken in the open periods that it knows. Their ends name the periods;
  // 0: it knows none.
  std::int64_t short_end = 0;
  std::uint64_t short_count = 0;
  std::int64_t long_end = 0;
  std::uint64_t long_count = 0;
  std::int64_t returned_ns = 0;    ///< continuous refill: the time that the returned tokens cost under their plan
  std::int64_t returned_mark = 0;  ///< and when the bucket was to be full after their grant

  std::uint32_t strikes = 0;
  std::int64_t pardoned = 0;
  bool never_banned = false;

  // For a server that has lost its data: only then does it count these.
  std::int64_t born = 0;               ///< since when the server counts, by its last answer; 0: it has not answered yet
  std::int64_t earlier_short_end = 0;  ///< the last short period of which earlier generations took tokens
  std::uint64_t earlier_short_count = 0;  ///< how many they took
  std::int64_t earlier_long_end = 0;      ///< the same for the long window
  std::uint64_t earlier_long_count = 0;
  std::int64_t full_at = 0;  ///< continuous refill: when the bucket was to be full, by the last answer

  bool has_old_nodes = false;  ///< there may be nodes of version 1, which count under another name

  std::uint32_t cheapest = 1;  ///< fewer tokens are of no use to any waiting request
  std::uint32_t dearest = 1;   ///< tokens that the most expensive waiting request needs

  /// The number of tokens that the node may hold after a grant: the script computes the same.
  std::uint32_t held_after(std::uint32_t granted) const noexcept {
    if (granted >= waiting) return held + granted - waiting;
    return held + std::min(granted, dearest - 1);  // what is left is too little for one of the waiting requests
  }

  friend bool operator==(acquisition const&, acquisition const&) = default;
};

/// Whether other nodes may hold tokens. The script finds out if a call gets too few tokens, looks, or begins a ban;
/// otherwise it says `none`.
enum class holders : std::uint8_t {
  none,
  silent,    ///< some do, and have not called since their tokens were recalled
  recalled,  ///< the same, but the recall was a moment ago
};

/// What the server answered.
struct acquired {
  std::int64_t now = 0;
  std::uint32_t granted = 0;
  std::int64_t short_end = 0;  ///< 0: no period is open
  std::uint64_t short_used = 0;
  std::int64_t long_end = 0;  ///< 0: no period is open
  std::uint64_t long_used = 0;
  std::int64_t full_at = 0;     ///< continuous refill: when the bucket is full
  std::int64_t full_at_ns = 0;  ///< nanoseconds to add to `full_at`
  std::int64_t announced_at = 0;
  std::int64_t announced_until = 0;
  std::int64_t ban_until = 0;
  std::int64_t ban_begun = 0;
  quota::holders holders = holders::none;
  std::int64_t born = 0;  ///< since when the server counts this quota; it changes when the server has lost the quota

  friend bool operator==(acquired const&, acquired const&) = default;
};

/// The counts in a value on the server, for a report, each of the period that ends then. Tokens that nodes hold count
/// as used.
struct stored_counts {
  std::int64_t short_end = 0;
  std::uint64_t short_used = 0;
  std::int64_t long_end = 0;
  std::uint64_t long_used = 0;
};
/// nullopt if it is not a value of acquire.lua.
std::optional<stored_counts> parse_stored(std::string_view value);

/// The fields of a hash of version 1 that have counts, in the order of the following function.
inline constexpr std::array<char const*, 5> fields_of_version_1{"m", "u", "d", "v", "n2"};
/// The counts in such a hash without those of nodes of later versions, which are its field `n2`. A missing field is an
/// empty text. nullopt if it is not a hash of version 1.
std::optional<stored_counts> parse_stored_1(std::span<std::string const> fields);
/// The sum of both in the later of their periods.
stored_counts sum_of(stored_counts const&, stored_counts const&);

/// A node's number: 48 random bits.
using node_number = std::uint64_t;

/// The arguments of acquire.lua, encoded. The script publishes recalls on `channel`.
std::vector<std::string> script_arguments(node_number, acquisition const&, limits::ban_policy const&,
                                          std::string const& channel);

/// A recall as the script publishes it: the node that asked, and the key whose tokens must come back.
struct recall {
  node_number asker = 0;
  std::string key;
};
/// nullopt if it is not a recall.
std::optional<recall> parse_recall(std::string_view payload);
std::string to_payload(recall const&);
/// The channel of an environment's recalls.
std::string recall_channel(std::string_view environment);

/// nullopt if a later call of the same node had run before, so that this one changed nothing, or if it is not an answer
/// of acquire.lua.
std::optional<acquired> parse_acquired(script_integers const&);

}  // namespace petstore::quota
