// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/transfer_coding.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

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

std::optional<std::uint64_t> parse_content_length(std::string_view value) noexcept {
  std::uint64_t length = 0;
  auto const* const end = value.data() + value.size();
  auto const [stop, fault] = std::from_chars(value.data(), end, length);
  if (fault != std::errc{} || stop != end) return std::nullopt;
  return length;
}

}  // namespace petstore::server::http
