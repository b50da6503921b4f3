// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/request_body.hpp"

#include "http/field.hpp"

namespace petstore::server {
namespace {

/// Takes one parameter off the front. A `;` within quotes belongs to the value.
constexpr std::string_view take_media_type_part(std::string_view& rest) noexcept {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < rest.size() && (quoted || rest[end] != ';'); ++end) {
    if (rest[end] == '\\' && quoted && end + 1 < rest.size()) {
      ++end;
    } else if (rest[end] == '"') {
      quoted = !quoted;
    }
  }
  std::string_view const parameter = rest.substr(0, end);
  rest.remove_prefix(end == rest.size() ? end : end + 1);
  return trim(parameter);
}

}  // namespace

bool is_content_type(std::string_view content_type, body_kind kind) noexcept {
  std::string_view rest = content_type;
  std::string_view const type = take_media_type_part(rest);
  bool const is_wanted = equals_ignoring_case(type, "application/json") ||
                         (kind == body_kind::merge_patch && equals_ignoring_case(type, "application/merge-patch+json"));
  if (!is_wanted) return false;
  while (!rest.empty()) {
    std::string_view const parameter = take_media_type_part(rest);
    auto const equals = parameter.find('=');
    if (!equals_ignoring_case(parameter.substr(0, equals), "charset")) continue;
    if (equals == std::string_view::npos) return false;
    if (!equals_ignoring_case(unquote(parameter.substr(equals + 1)), "utf-8")) return false;
  }
  return true;
}

result<std::string_view> take_body(request const& req, body_kind kind) {
  if (!req.has_body) return error{errc::invalid_request, "A JSON body is needed.", {}};
  if (req.count(known_field::content_type) != 1 || !is_content_type(req.find(known_field::content_type), kind)) {
    std::string_view const message = kind == body_kind::merge_patch
                                         ? "The body must be application/merge-patch+json or application/json in UTF-8."
                                         : describe(errc::unsupported_media_type).message;
    return error{errc::unsupported_media_type, std::string{message}, {}};
  }
  // RFC 9110, 8.4: a compressed body would be read as if it were not compressed.
  auto const codings = req.count(known_field::content_encoding);
  if (codings > 1 || (codings == 1 && !equals_ignoring_case(req.find(known_field::content_encoding), "identity"))) {
    return error{errc::unsupported_media_type, "The body must be sent without a content coding.", {}};
  }
  if (req.body_too_large) return error{errc::payload_too_large, {}, {}};
  return req.body;
}

}  // namespace petstore::server
