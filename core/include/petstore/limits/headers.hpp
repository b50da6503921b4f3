// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>

#include "petstore/export.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Whether RateLimit and RateLimit-Policy are sent, and in which version of the draft.
enum class rate_limit_fields : std::uint8_t {
  off,
  draft11,  ///< draft-ietf-httpapi-ratelimit-headers-11
};

/// Appends every rate-limit field of one verdict as `Name: value\r\n` lines: X-RateLimit-Limit, -Remaining, -Reset,
/// -Resource, then RateLimit-Policy and RateLimit, and for a refusal Retry-After. Returns the quota that X-RateLimit-*
/// describe. `in_flight_max`: a limit on requests in flight, which RateLimit-Policy then has, too; 0: none. Any thread.
PETSTORE_EXPORT resource append_headers(std::string& out, verdict const&, rate_limit_fields,
                                        std::uint32_t in_flight_max = 0);

}  // namespace petstore::limits
