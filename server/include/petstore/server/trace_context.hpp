// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/export.hpp"

namespace petstore::server {

struct request;

/// The trace that a request belongs to, from its `traceparent` field (W3C Trace Context). The logs have it beside the
/// request, so that the log lines of a trace can be found. It is not passed on, since this service calls no other
/// service. Both members are views into the field, and empty if there is no valid field.
struct PETSTORE_EXPORT trace_context {
  std::string_view trace_id;   ///< 32 hexadecimal digits
  std::string_view parent_id;  ///< 16 hexadecimal digits: the caller's span

  /// Whether the request had a valid field.
  bool is_known() const noexcept { return !trace_id.empty(); }
};

/// Parses the field. From a later version it takes the parts that version 00 has, as the recommendation asks. Any
/// thread.
[[nodiscard]] PETSTORE_EXPORT trace_context parse_traceparent(std::string_view) noexcept;
/// Returns the trace of a request; two fields count as none.
[[nodiscard]] PETSTORE_EXPORT trace_context find_trace_context(request const&) noexcept;

}  // namespace petstore::server
