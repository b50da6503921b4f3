// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/answer.hpp"

#include "petstore/server/request_body.hpp"

namespace petstore::server {
namespace {

// getPet, announced on 2026-06-01 (RFC 9745 counts seconds) and removed on 2030-12-05 (RFC 8594).
constexpr std::string_view deprecation_fields =
    "Deprecation: @1780272000\r\n"
    "Sunset: Thu, 05 Dec 2030 00:00:00 GMT\r\n";
constexpr std::string_view successor = "/pets?status=available";

/// An answer without a body has no type: its fields begin after that line.
constexpr std::string_view content_fields(bool has_body, caching c) noexcept {
  constexpr std::string_view type = "Content-Type: application/json\r\n";
  constexpr std::string_view not_kept =
      "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";
  constexpr std::string_view asked_again =
      "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n";
  return (c == caching::none ? not_kept : asked_again).substr(has_body ? 0 : type.size());
}

/// The pages of the documentation are not JSON, and their handler adds the type. Their errors are JSON.
constexpr bool has_type(std::size_t operation, bool has_body, caching c) noexcept {
  bool const is_documentation = operation == index_of(documentation_row);
  return has_body && !(is_documentation && c == caching::revalidate);
}

std::string stability_fields(stability s, std::string_view base_path) {
  switch (s) {
    case stability::contract: return {};
    case stability::beta: return "X-Stability: beta\r\n";
    case stability::deprecated: break;
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
  out.notes.error_code = row.code;
  out.notes.cause = cause;
}

void add_etag(entity_tag tag, response& out) {
  out.fields.append("ETag: ");
  append(out.fields, tag);
  out.fields.append("\r\n");
}

bool answer_not_modified(etag_condition const& known, entity_tag tag, response& out) {
  add_etag(tag, out);
  if (!known.matches_weak(tag)) return false;
  out.status = 304;
  return true;
}

/// Long enough for a queue to empty, short enough for a store that was only restarted.
void add_retry_after(response& out) {
  out.fields.append("Retry-After: 1\r\n");
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
  out.fields.append(content_fields(!out.body.empty(), c));
}

constant_fields::constant_fields(std::string_view base_path) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    std::string const stability = i < operations.size() ? stability_fields(operations[i].stability, base_path) : "";
    for (bool const has_body : {false, true})
      for (auto const c : {caching::none, caching::revalidate})
        fields_[i][has_body][static_cast<std::size_t>(c)] =
            stability + std::string{content_fields(has_type(i, has_body, c), c)};
  }
}

void constant_fields::append(operation const* o, caching c, response& out) const {
  auto const& of_operation = fields_[o ? index_of(*o) : operations.size()];
  out.fields.append(of_operation[!out.body.empty()][static_cast<std::size_t>(c)]);
}

}  // namespace petstore::server
