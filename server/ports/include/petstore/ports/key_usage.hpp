// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/key_record.hpp"

/// How much API keys are used.
namespace petstore::ports {

/// How long a store keeps the usage of a day, at least.
inline constexpr std::chrono::days usage_kept{400};

/// What a key was used for on one day, in addition to what the store has already.
struct PETSTORE_EXPORT usage_of_key {
  std::uint64_t key = 0;       ///< its number, not 0
  std::chrono::sys_days day;   ///< UTC
  std::uint64_t admitted = 0;  ///< requests that were let through
  std::uint64_t refused = 0;   ///< requests that were answered with 429
  unix_ms last_used{};         ///< the latest request, whatever its answer

  friend bool operator==(usage_of_key const&, usage_of_key const&) = default;
};

/// Usage to be added in one transaction.
struct PETSTORE_EXPORT usage_batch {
  /// Random, not used before. A batch that is added again, because the outcome of the first attempt was unknown, has
  /// the same token.
  std::array<char, 16> token{};
  std::vector<usage_of_key> rows;  ///< ascending by key and then by day; a pair of them at most once
};

/// The usage of one key on one day.
struct PETSTORE_EXPORT usage_of_day {
  std::chrono::sys_days day;   ///< UTC
  std::uint64_t admitted = 0;  ///< requests that were let through
  std::uint64_t refused = 0;   ///< requests that were answered with 429

  friend bool operator==(usage_of_day const&, usage_of_day const&) = default;
};

/// When a key was used last.
struct PETSTORE_EXPORT last_use {
  std::uint64_t key = 0;  ///< its number
  unix_ms at{};           ///< the time of the request

  friend bool operator==(last_use const&, last_use const&) = default;
};

}  // namespace petstore::ports
