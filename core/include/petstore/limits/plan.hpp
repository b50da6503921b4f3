// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>

namespace petstore::limits {

/// How the minute bucket is refilled.
enum class refill : std::uint8_t {
  periodic,    ///< whole, 60 s after the request that opened the period
  continuous,  ///< one token each 60/quota seconds, burst = quota (GCRA, ITU-T I.371)
};

inline constexpr std::uint32_t per_minute_max = (1u << 24) - 1;
inline constexpr std::uint64_t per_day_max = (std::uint64_t{1} << 40) - 1;

/// The numbers that apply to one identity: what its named plan says, or what its key overrides.
struct plan {
  std::uint32_t per_minute = 60;  ///< 1 .. per_minute_max
  std::uint64_t per_day = 0;      ///< 1 .. per_day_max, 0 = this plan has no day quota
  refill minute_refill = refill::periodic;

  friend bool operator==(plan const&, plan const&) = default;
};

/// When a client that ignores its refusals is banned, and for how long.
struct ban_policy {
  std::uint32_t strikes = 100;  ///< 0 turns bans off
  std::chrono::milliseconds grace{250};
  std::chrono::milliseconds base{60'000};
  std::chrono::milliseconds max{3'600'000};
};

}  // namespace petstore::limits
