// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/transfer_coding.hpp"

#include <algorithm>

#include "http/field.hpp"
#include "http/grammar.hpp"

namespace petstore::server::http {

transfer_coding parse_transfer_encoding(std::string_view value) noexcept {
  if (equals_ignoring_case(value, "chunked")) return transfer_coding::chunked;
  bool seen_chunked = false;
  for (;;) {
    auto const comma = value.find(',');
    std::string_view const element = trim(value.substr(0, comma));
    auto const semicolon = element.find(';');
    std::string_view const coding = trim(element.substr(0, semicolon));
    if (!is_token(coding) || seen_chunked) return transfer_coding::malformed;
    seen_chunked = equals_ignoring_case(coding, "chunked");
    if (seen_chunked && semicolon != std::string_view::npos) return transfer_coding::malformed;
    if (comma == std::string_view::npos) return transfer_coding::unknown;
    value.remove_prefix(comma + 1);
  }
}

}  // namespace petstore::server::http
