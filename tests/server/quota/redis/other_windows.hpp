// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "petstore/limits/plan.hpp"

namespace petstore::quota {

inline constexpr limits::period aligned_minute = limits::period{std::chrono::minutes{1}}.aligned();
inline constexpr limits::period aligned_hour = limits::period{std::chrono::hours{1}}.aligned();
inline constexpr limits::period six_hours = limits::period{std::chrono::hours{6}}.aligned();

/// Plans whose windows are not a minute and a UTC day.
inline std::vector<limits::plan> const other_plans{
    {limits::per_second(10), limits::per_hour(100)},
    {limits::per_hour(40), limits::per_month(90)},
    {limits::window{60, aligned_minute}, limits::per_week(200)},
    {limits::per_minute(20), limits::window{60, std::chrono::days{1}}},
    {limits::window{7, std::chrono::seconds{90}}, limits::window{50, six_hours}},
    {.short_window = limits::window{100, aligned_hour}},
    {.short_window = limits::per_hour(100)},
};

/// In us of the server's clock.
constexpr std::int64_t us_of(std::chrono::sys_seconds t) {
  return std::chrono::microseconds{t.time_since_epoch()}.count();
}

}  // namespace petstore::quota
