// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "config/load.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/account.hpp"

namespace petstore::program {

/// The used quotas of all identities. They come from the disk beside an embedded store, where a running server writes
/// them within a second, or from Redis, which has them for all nodes.
struct kept_usage {
  std::unordered_map<std::uint64_t, limits::saved_account> accounts;
  unix_ms as_of{};         ///< the time of the last write to disk, or of the call to Redis
  bool is_shared = false;  ///< by nodes; what they hold in leases counts as used
  /// Identities of which Redis holds a value that this program cannot read.
  std::set<std::uint64_t> unreadable{};
};

/// The used quotas of one identity at one time; nullopt: unknown.
struct usage {
  /// Used in the open period of the short window; unknown also if the plan refills continuously.
  std::optional<std::uint64_t> of_short;
  std::optional<std::uint64_t> of_long;  ///< used in the open period of the long window
};

/// What lists of keys need to show the used quotas beside the whole ones.
struct key_usage {
  kept_usage kept;
  plan_table plans;
};

/// Reads the used quotas of these identities beside an embedded store, without what was used before a reset; nullopt if
/// nothing was ever charged. Throws std::runtime_error.
std::optional<kept_usage> read_usage(std::filesystem::path const& store,
                                     std::vector<identity_record> const& identities);

/// Reads the used quotas of these identities from the Redis that the setting `quota` names. Throws config_error, or
/// command_error if Redis does not answer. A build without Redis has another version of this function.
kept_usage read_shared_usage(loaded_settings const&, environment, std::vector<identity_record> const& identities,
                             unix_ms now);

usage usage_of(kept_usage const&, std::uint64_t identity, limits::refill, unix_ms now);

}  // namespace petstore::program
