// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/written_value.hpp"
#include "petstore/limits/plan.hpp"

/// The windows of a plan in the configuration: `per_second`, `per_minute` or `per_hour` is the short one, `per_hour`,
/// `per_day` or `per_month` the long one. Any thread.
namespace petstore::program {

/// A key of a plan's table that names a window.
struct window_key {
  std::string_view name;
  limits::window (*make)(std::int64_t tokens);
  bool may_be_short;
  bool may_be_long;
};
/// All of them, the shortest first.
inline constexpr std::array window_keys{
    window_key{"per_second", &limits::per_second<std::int64_t>, true, false},
    window_key{"per_minute", &limits::per_minute<std::int64_t>, true, false},
    window_key{"per_hour", &limits::per_hour<std::int64_t>, true, true},
    window_key{"per_day", &limits::per_day<std::int64_t>, false, true},
    window_key{"per_month", &limits::per_month<std::int64_t>, false, true},
};
/// The key of a period, such as `per_minute`.
std::string key_of(limits::period);

/// The numbers of a plan in words: `60 a minute, 1000 a day, periodic`.
std::string in_words(limits::plan const&);

/// Reads a table `[plans.NAME]`. `members` are its keys with their texts. A window that it does not name stays as in
/// `standard`, the plan of that name without the table, or null. Each fault becomes a sentence, and then the result is
/// nullopt.
std::optional<limits::plan> read_plan(std::string const& name, std::map<std::string, written_value> const& members,
                                      std::string const& source, limits::plan const* standard,
                                      std::vector<std::string>& faults);

}  // namespace petstore::program
