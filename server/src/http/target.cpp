// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/target.hpp"

#include <algorithm>

#include "http/field.hpp"
#include "http/grammar.hpp"
#include "net/address.hpp"
#include "petstore/hex.hpp"
#include "petstore/whole_number.hpp"

namespace petstore::server::http {
namespace {

/// Whether a Host field or an authority may have this port. It may be empty there.
bool is_valid_port(std::string_view s) noexcept {
  return s.empty() || whole_number<std::uint16_t>(s);
}

/// The end of a reg-name (RFC 3986), which may also be an IPv4 address: unreserved, percent-encoded and sub-delims.
std::size_t skip_registered_name(std::string_view s) noexcept {
  std::size_t i = 0;
  for (;;) {
    while (i < s.size() && is_registered_name_char(s[i])) ++i;
    bool const is_encoded = s.size() - i >= 3 && s[i] == '%' && hex_value(s[i + 1], s[i + 2]) >= 0;
    if (!is_encoded) return i;
    i += 3;
  }
}

bool is_ipv6_address(std::string_view s) noexcept {
  return s.find(':') != std::string_view::npos && parse_address(s);
}

/// The text after `http://` or `https://`; empty for another scheme, which this server does not serve.
std::string_view strip_scheme(std::string_view target) noexcept {
  for (std::string_view const scheme : {"http://", "https://"}) {
    if (equals_ignoring_case(target.substr(0, scheme.size()), scheme)) return target.substr(scheme.size());
  }
  return {};
}

void split_query(std::string_view path_and_query, request_target& out) noexcept {
  auto const mark = path_and_query.find('?');
  out.path = path_and_query.substr(0, mark);
  out.has_query = mark != std::string_view::npos;
  if (out.has_query) out.query = path_and_query.substr(mark + 1);
}

}  // namespace

request_target parse_request_target(std::string_view target, method m) noexcept {
  request_target out;
  if (!std::ranges::all_of(target, [](char c) { return is_path_char(c) || c == '?'; })) return out;
  if (target.starts_with('/')) {
    split_query(target, out);
    out.form = target_form::origin;
    return out;
  }
  if (target == "*") {
    out.path = target;
    if (m == method::options) out.form = target_form::asterisk;
    return out;
  }
  std::string_view const rest = strip_scheme(target);
  out.authority = rest.substr(0, rest.find_first_of("/?"));
  if (!is_valid_authority(out.authority)) return out;
  split_query(rest.substr(out.authority.size()), out);
  if (out.path.empty()) out.path = m == method::options && !out.has_query ? "*" : "/";
  out.form = target_form::absolute;
  return out;
}

bool is_valid_authority(std::string_view s) noexcept {
  if (s.starts_with('[')) {
    auto const end = s.find(']');
    if (end == std::string_view::npos || !is_ipv6_address(s.substr(1, end - 1))) return false;
    std::string_view const rest = s.substr(end + 1);
    return rest.empty() || (rest.starts_with(':') && is_valid_port(rest.substr(1)));
  }
  std::size_t const end = skip_registered_name(s);
  if (end == 0) return false;
  return end == s.size() || (s[end] == ':' && is_valid_port(s.substr(end + 1)));
}

}  // namespace petstore::server::http
