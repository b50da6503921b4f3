// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An answer as the client hands it on: to the flow that waits for it, to the figures, to the audit. Views all of it,
// valid during the call that brings them and no longer, so that a request costs no allocation.
#pragma once

#include <string_view>

namespace petstore::load {

/// What the tool itself reads of a head, found in the one pass that reads the head anyway. Values as they came, without
/// spaces around them; empty where there is no such field, or an empty one. Of a field that comes twice, the first.
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

/// Whether an answer says to come back later: Too Many Requests and Service Unavailable, which may say when.
constexpr bool is_refusal(unsigned status) noexcept {
  return status == 429 || status == 503;
}

struct answer_view {
  unsigned status = 0;    ///< 200 to 999; of interim answers (1xx) nobody is told
  std::string_view head;  ///< from the status line to the empty line, both included
  std::string_view body;  ///< without chunk sizes; empty unless the request asked for it to be kept
  noted_fields noted;

  /// The value of the first field of this name, whatever its case; empty when there is none.
  std::string_view field(std::string_view name) const noexcept;
};

}  // namespace petstore::load
