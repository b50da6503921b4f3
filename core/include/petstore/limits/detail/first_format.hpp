// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstdint>

#include "petstore/limits/account.hpp"

namespace petstore::limits::detail {

/// Converts an account that was read from the first format of saved accounts. It had the beginning of a minute in place
/// of the end of a period, the number of a day in place of the end of one, and of the times left only that of a bucket.
constexpr void convert_from_first_format(saved_account& a) noexcept {
  constexpr std::int64_t minute_ms = 60'000, day_ms = 86'400'000;
  constexpr std::int64_t latest_ms = std::int64_t{1} << 62;  // any number may have been written
  if (a.short_end_unix_ms != 0) a.short_end_unix_ms = std::min(a.short_end_unix_ms, latest_ms) + minute_ms;
  if (a.short_left_ms == 0) a.short_left_ms = minute_ms;
  a.long_end_unix_ms = (std::clamp<std::int64_t>(a.long_end_unix_ms, -1, latest_ms / day_ms) + 1) * day_ms;
  a.long_left_ms = day_ms;
  a.long_is_aligned = true;
}

}  // namespace petstore::limits::detail
