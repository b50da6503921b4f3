// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>

/// The rules of bans that no `ban_policy` changes. Every source of quotas follows them.
namespace petstore::limits::detail {

/// One strike is forgotten each time that this has passed.
inline constexpr std::chrono::milliseconds strike_lasts{1'000};
/// A ban makes the next one longer if that one begins within this time.
inline constexpr std::chrono::milliseconds ban_memory = std::chrono::hours{24};
/// The number of bans that can make the next one longer.
inline constexpr std::size_t bans_remembered = 12;

}  // namespace petstore::limits::detail
