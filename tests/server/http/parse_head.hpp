// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "http/head.hpp"
#include "http/head_parser.hpp"

namespace petstore::server::http {

/// Parses and checks a head that has arrived as a whole. When it is refused, `out` holds what was parsed until then.
inline std::optional<refusal> parse_head(std::string_view bytes, head& out) {
  out.clear();
  head_parser parser{{bytes.size(), bytes.size(), bytes.size()}};
  switch (parser.parse(bytes, out)) {
    case head_parser::state::complete: return check_head(out);
    case head_parser::state::refused: return parser.refusal();
    case head_parser::state::unfinished: break;
  }
  return refusal{errc::malformed_http, "The head is not whole."};
}

}  // namespace petstore::server::http
