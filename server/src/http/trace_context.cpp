// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/trace_context.hpp"

#include <algorithm>

#include "http/grammar.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server {
namespace {

constexpr std::size_t version_00_bytes = 55;  // 00-<32 digits>-<16 digits>-<2 digits>

bool is_hex(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return http::is_digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) noexcept {
  return text.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

trace_context parse_traceparent(std::string_view text) noexcept {
  if (text.size() < version_00_bytes || text[2] != '-' || text[35] != '-' || text[52] != '-') return {};
  auto const version = text.substr(0, 2);
  bool const has_more = text.size() > version_00_bytes;
  if (!is_hex(version) || version == "ff" || (has_more && (version == "00" || text[version_00_bytes] != '-')))
    return {};
  trace_context const found{.trace_id = text.substr(3, 32), .parent_id = text.substr(36, 16)};
  bool const is_valid = is_hex(found.trace_id) && is_hex(found.parent_id) && is_hex(text.substr(53, 2));
  return is_valid && !is_zero(found.trace_id) && !is_zero(found.parent_id) ? found : trace_context{};
}

trace_context find_trace_context(request const& req) noexcept {
  return req.count(known_field::traceparent) == 1 ? parse_traceparent(req.find(known_field::traceparent))
                                                  : trace_context{};
}

log_origin::log_origin(request const& r) noexcept : request_id{r.request_id}, trace{find_trace_context(r)} {}

}  // namespace petstore::server
