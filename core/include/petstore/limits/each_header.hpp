// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/limits/headers.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Calls `use(name, value)` with two views for every field that `append_headers` appends, in the same order. The views
/// are valid during the call. Returns the quota that X-RateLimit-* describe. Any thread.
///
///     limits::for_each_header(verdict, dialect, [&](auto name, auto value) { response.set(name, value); });
template <class Use>
resource for_each_header(verdict const& v, rate_limit_fields dialect, Use use) {
  std::string lines;
  resource const shown = append_headers(lines, v, dialect);
  for (std::string_view left{lines}; !left.empty();) {
    auto const colon = left.find(": ");
    auto const end = left.find("\r\n", colon);
    use(left.substr(0, colon), left.substr(colon + 2, end - colon - 2));
    left.remove_prefix(end + 2);
  }
  return shown;
}

}  // namespace petstore::limits
