// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An answer as the client passes it on: to the flow that waits for it, to the figures, and to the audit. It consists of
// views that are valid only during the call, so a request costs no allocation.
#pragma once

#include <string_view>

namespace petstore::load {

/// The fields that the tool itself reads, found in the one pass over the head. Values have no spaces around them. A
/// value is empty if the field is missing or empty. Of a repeated field, the first counts.
struct noted_fields {
  std::string_view limit;              ///< X-RateLimit-Limit
  std::string_view remaining;          ///< X-RateLimit-Remaining
  std::string_view reset;              ///< X-RateLimit-Reset
  std::string_view resource;           ///< X-RateLimit-Resource
  std::string_view rate_limit;         ///< RateLimit, draft-ietf-httpapi-ratelimit-headers-11
  std::string_view rate_limit_policy;  ///< RateLimit-Policy, the same draft
  std::string_view retry_after;        ///< Retry-After, RFC 9110 section 10.2.3
  std::string_view date;               ///< Date
};

/// Whether an answer asks to come back later: Too Many Requests or Service Unavailable. It may say when.
constexpr bool is_refusal(unsigned status) noexcept {
  return status == 429 || status == 503;
}

struct answer_view {
  unsigned status = 0;    ///< 200 to 999; interim answers (1xx) are skipped
  std::string_view head;  ///< from the status line to the empty line, both included
  std::string_view body;  ///< without chunk sizes; empty unless `expect` asked to keep it
  noted_fields noted;

  /// The value of the first field with this name, in any case of letters; empty if there is none.
  std::string_view field(std::string_view name) const noexcept;
};

}  // namespace petstore::load
