// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace petstore::load {

/// Reads a time as HTTP writes it (RFC 9110 section 5.6.7), in any of its three forms:
///
///     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate
///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
///     Sun Nov  6 08:49:37 1994           asctime
///
/// A year of two digits is the one nearest to `now` that is at most 50 years later. The name of the day is not compared
/// with the date. nullopt for any other text, and for a date that no calendar has.
std::optional<std::chrono::sys_seconds> parse_http_date(std::string_view, std::chrono::sys_seconds now) noexcept;

}  // namespace petstore::load
