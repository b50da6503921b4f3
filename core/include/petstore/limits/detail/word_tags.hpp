// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::limits::detail {

/// Marks the short word of a bucket that is refilled continuously: the word holds a time.
inline constexpr std::uint64_t continuous_tag = std::uint64_t{1} << 63;
/// Marks the long word of a period that began with a request.
inline constexpr std::uint64_t by_request_tag = std::uint64_t{1} << 63;

}  // namespace petstore::limits::detail
