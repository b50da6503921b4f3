// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/export.hpp"

namespace petstore::server {

struct request;

/// Of which trace a request is a part, as its `traceparent` says (W3C Trace Context). It is written beside what the
/// logs say of the request, so that its lines are found from a trace, and is passed on to nobody: no service is behind
/// this one. Views into the field, both empty when there is no valid one.
struct PETSTORE_EXPORT trace_context {
  std::string_view trace_id;   ///< 32 hexadecimal digits
  std::string_view parent_id;  ///< 16: the caller's span

  /// Whether the request was valid in this respect.
  bool is_known() const noexcept { return !trace_id.empty(); }
};

/// Of a later version it takes what version 00 has, as the recommendation asks. Any thread.
PETSTORE_EXPORT trace_context parse_traceparent(std::string_view) noexcept;
/// Two fields are as good as none.
PETSTORE_EXPORT trace_context find_trace_context(request const&) noexcept;

}  // namespace petstore::server
