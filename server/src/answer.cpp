// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "answer.hpp"

#include "body.hpp"

namespace petstore::server {
namespace {

/// After a 503: long enough for a queue to empty, short enough for a store that was only restarted.
constexpr std::string_view unavailable_retry_after = "Retry-After: 1\r\n";

// getPet, announced on 2026-06-01 (RFC 9745 counts seconds) and removed on 2030-12-05 (RFC 8594).
constexpr std::string_view deprecation_fields =
    "Deprecation: @1780272000\r\n"
    "Sunset: Thu, 05 Dec 2030 00:00:00 GMT\r\n";
constexpr std::string_view successor = "/pets?status=available";

std::string standing_fields(standing s, std::string_view base_path) {
  switch (s) {
    case standing::contract: return {};
    case standing::beta: return "X-Stability: beta\r\n";
    case standing::deprecated: break;
  }
  std::string fields{deprecation_fields};
  fields.append("Link: <").append(base_path).append(successor).append(">; rel=\"successor-version\"\r\n");
  return fields;
}

}  // namespace

void write_error(errc code, std::string_view message, std::string_view cause, response& out) {
  auto const& row = describe(code);
  out.status = row.status;
  out.fields.clear();
  out.body.clear();
  append_error_json(out.body, code, message);
  if (code == errc::unavailable) out.fields.append(unavailable_retry_after);
  out.notes.error_code = row.code;
  out.notes.cause = cause;
}

void add_challenge(bool gave_token, response& out) {
  out.fields.append(gave_token ? "WWW-Authenticate: Bearer realm=\"petstore\", error=\"invalid_token\"\r\n"
                               : "WWW-Authenticate: Bearer realm=\"petstore\"\r\n");
}

void add_allow(route const& where, response& out) {
  out.fields.append("Allow: ");
  append_allow(out.fields, where);
  out.fields.append("\r\n");
}

void add_accept_patch(route const& where, response& out) {
  if (where.resource && where.resource->has(method::patch)) out.fields.append(accept_patch_field);
}

void add_content_fields(caching c, response& out) {
  if (!out.body.empty()) out.fields.append("Content-Type: application/json\r\n");
  out.fields.append(c == caching::none ? "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
                                       : "X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n");
}

constant_fields::constant_fields(std::string_view base_path) {
  for (std::size_t i = 0; i < standing_.size(); ++i) standing_[i] = standing_fields(operations[i].standing, base_path);
}

void constant_fields::append(operation const* o, caching c, response& out) const {
  if (o) out.fields.append(standing_[static_cast<std::size_t>(o->id)]);
  add_content_fields(c, out);
}

}  // namespace petstore::server
