// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "answer.hpp"

#include "body.hpp"

namespace petstore::server {
namespace {

/// After a 503: long enough for a queue to empty, short enough for a store that was only restarted.
constexpr std::string_view unavailable_retry_after_s = "1";

// getPet, announced on 2026-06-01 (RFC 9745 counts seconds) and removed on 2030-12-05 (RFC 8594).
constexpr std::string_view deprecation_fields =
    "Deprecation: @1780272000\r\n"
    "Sunset: Thu, 05 Dec 2030 00:00:00 GMT\r\n";
constexpr std::string_view successor = "/pets?status=available";

}  // namespace

void write_error(error const& e, response& out) {
  auto const& row = describe(e.code);
  out.status = row.status;
  out.fields.clear();
  out.body.clear();
  append_error_json(out.body, e.code, e.message);
  if (e.code == errc::unavailable) out.add("Retry-After", unavailable_retry_after_s);
  out.notes.error_code = row.code;
  out.notes.cause = e.cause;
}

void add_challenge(bool gave_token, response& out) {
  out.add("WWW-Authenticate",
          gave_token ? R"(Bearer realm="petstore", error="invalid_token")" : R"(Bearer realm="petstore")");
}

void add_allow(route const& where, response& out) {
  out.fields.append("Allow: ");
  append_allow(out.fields, where);
  out.fields.append("\r\n");
}

void add_accept_patch(route const& where, response& out) {
  if (where.resource && where.resource->has(method::patch)) out.add("Accept-Patch", accept_patch);
}

void add_standing_fields(standing s, std::string_view base_path, response& out) {
  if (s == standing::beta) {
    out.add("X-Stability", "beta");
  } else if (s == standing::deprecated) {
    out.fields.append(deprecation_fields);
    out.fields.append("Link: <").append(base_path).append(successor).append(">; rel=\"successor-version\"\r\n");
  }
}

void add_content_fields(caching c, response& out) {
  if (!out.body.empty()) out.fields.append("Content-Type: application/json\r\n");
  out.fields.append("X-Content-Type-Options: nosniff\r\nCache-Control: ");
  out.fields.append(c == caching::none ? "no-store\r\n" : "no-cache\r\n");
}

}  // namespace petstore::server
