// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <vector>

#include "config/load.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/account.hpp"

namespace petstore::program {

/// What was used of the quotas of all identities: as the disk has it beside an embedded store, where a running server
/// writes it within a second; or as Redis has it for all nodes.
struct kept_usage {
  std::unordered_map<std::uint64_t, limits::saved_account> accounts;
  unix_ms as_of{};         ///< of the last write, or of the look at Redis
  bool is_shared = false;  ///< by nodes, who count what they have taken ahead as used
};

/// One identity's, at one time.
struct usage {
  std::optional<std::uint32_t> minute;  ///< used in the open minute; nullopt: the plan refills its bucket bit by bit
  std::uint64_t day = 0;                ///< used today
};

/// What lists of keys show of it, beside the numbers that hold.
struct key_usage {
  kept_usage kept;
  plan_table plans;
};

/// nullopt: nothing was ever charged. Throws std::runtime_error.
std::optional<kept_usage> read_usage(std::filesystem::path const& store);

/// What Redis has of these identities of a shop, by the setting `quota`. Throws config_error, or command_error where it
/// does not answer. A build without Redis has another version of it.
kept_usage read_shared_usage(loaded_settings const&, environment, std::vector<std::uint64_t> const& identities,
                             unix_ms now);

usage usage_of(kept_usage const&, std::uint64_t identity, limits::refill, unix_ms now);

}  // namespace petstore::program
