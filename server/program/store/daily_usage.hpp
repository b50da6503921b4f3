// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/error.hpp"
#include "petstore/ports/key_usage.hpp"

/// How often a key was used on each day, as the administration API and `petstore keys usage` show it. Any thread.
namespace petstore::program {

/// Days in UTC, the last one included.
struct usage_period {
  std::chrono::sys_days first;
  std::chrono::sys_days last;
};

/// The number of days that are shown unless somebody asks for others.
inline constexpr std::chrono::days usage_period_usual{30};

/// Returns a date such as 2026-11-25; nullopt: it is none.
std::optional<std::chrono::sys_days> parse_date(std::string_view) noexcept;
/// Returns it in the same form.
std::string to_text(std::chrono::sys_days);

/// Returns the period from `from` to `to`. Without `to` it ends today; without `from` it has the usual length. Returns
/// invalid_request if it ends before it begins, or is longer than usage is kept.
result<usage_period> make_period(std::optional<std::chrono::sys_days> from, std::optional<std::chrono::sys_days> to,
                                 std::chrono::sys_days today);

/// Returns a row for every day of the period. `used` has rows of some of them, ascending.
std::vector<ports::usage_of_day> fill_days(std::vector<ports::usage_of_day> const& used, usage_period);

/// Returns an array of objects with `date`, `admitted` and `refused`.
std::string usage_as_json(std::vector<ports::usage_of_day> const&);
/// Returns the same as CSV (RFC 4180) with a headline.
std::string usage_as_csv(std::vector<ports::usage_of_day> const&);

}  // namespace petstore::program
