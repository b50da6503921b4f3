// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <array>
#include <string_view>

#include "fuzz/cuts.hpp"
#include "fuzz/http/reading.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"

/// request_reader: the same bytes give the same result however they are cut; an accepted request is unambiguous; a
/// refusal has a documented reason. A first line that begins with `t` sets small limits, which short inputs exceed.
namespace petstore::fuzz {
namespace {

server::connection_limits limits_for(std::string_view plan) {
  server::connection_limits limits;
  if (!plan.starts_with('t')) return limits;
  limits.request_line_bytes_max = 60;
  limits.header_bytes_max = 120;
  limits.header_fields_max = 6;
  limits.body_bytes_max = 40;
  return limits;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

void require_plain_fields(message const& m, server::connection_limits const& limits) {
  std::size_t size = 0;
  for (auto const& [name, value] : m.fields) {
    require(!name.empty() && std::ranges::all_of(name, is_token_char), "a field's name is a token", name);
    require(std::ranges::none_of(value, [](char c) { return is_control(c) && c != '\t'; }),
            "a field's value has no control character", value);
    require(value.empty() || (!is_blank(value.front()) && !is_blank(value.back())), "a field's value is trimmed",
            value);
    size += name.size() + 1 + value.size() + 2;
  }
  require(m.fields.size() <= limits.header_fields_max, "fields are counted");
  // The host of an absolute target replaces a shorter one in Host.
  bool const is_host_replaced = !values_of(m.fields, "host").empty();
  require(size <= limits.header_bytes_max + (is_host_replaced ? limits.request_line_bytes_max : 0),
          "fields are measured");
}

void require_one_length(message const& m, server::connection_limits const& limits) {
  auto const lengths = values_of(m.fields, "content-length");
  auto const codings = values_of(m.fields, "transfer-encoding");
  require(lengths.size() + codings.size() <= 1, "the length of a body is said once", to_text(m));
  require(m.body.size() <= limits.body_bytes_max, "a body is limited");
  require(m.chunked == !codings.empty(), "a body comes in chunks exactly when a field says so");
  if (m.chunked) {
    require(lowered(codings[0]) == "chunked" && !m.http_1_0, "chunked is the one transfer coding", to_text(m));
    require(m.has_body, "a chunked body is one, even when it is empty");
    return;
  }
  require(!m.body_too_large, "a length that is told beforehand is judged beforehand");
  if (lengths.empty()) {
    require(m.body.empty() && !m.has_body, "a body has a length", to_text(m));
  } else {
    auto const digits = lengths[0].substr(std::min(lengths[0].find_first_not_of('0'), lengths[0].size() - 1));
    require(digits == std::to_string(m.body.size()), "a body is as long as its length says", to_text(m));
    require(m.has_body == !m.body.empty(), "a length of 0 is no body");
  }
}

void require_unambiguous(message const& m, server::connection_limits const& limits) {
  require(m.method != server::method::connect && m.method != server::method::trace, "no tunnel and no echo");
  require(std::ranges::all_of(m.target, [](char c) { return c > ' ' && c <= '~' && c != '#'; }),
          "a target is visible ASCII without a fragment", m.target);
  bool const is_asterisk = m.target == "*" && m.method == server::method::options;
  require(m.target.starts_with('/') || is_asterisk, "a target is a path, or * of OPTIONS", m.target);
  require(m.path == m.target.substr(0, m.target.find('?')), "the path is what stands before the query", to_text(m));
  require(m.query == (m.path.size() == m.target.size() ? "" : m.target.substr(m.path.size() + 1)),
          "the query is what stands behind the path", to_text(m));

  auto const hosts = values_of(m.fields, "host");
  require(hosts.size() <= 1 && hosts.size() >= (m.http_1_0 ? 0u : 1u), "there is one host", to_text(m));
  require(hosts.empty() || (!hosts[0].empty() && hosts[0].find_first_of("/?#@ \t\\") == std::string::npos),
          "a host is nothing but a host", to_text(m));
  require(values_of(m.fields, "authorization").size() <= 1, "there is one Authorization");
  require(!m.expects_continue || (m.has_body && !m.http_1_0), "who has no body waits for no 100");
  require_plain_fields(m, limits);
  require_one_length(m, limits);
}

void require_documented(server::http::refusal const& no) {
  constexpr std::array documented{
      errc::malformed_http,    errc::not_implemented, errc::method_not_allowed, errc::expectation_failed,
      errc::payload_too_large, errc::uri_too_long,    errc::headers_too_large,  errc::http_version_not_supported,
  };
  require(std::ranges::find(documented, no.code) != documented.end(), "a refusal is one of those documented");
  require(std::ranges::none_of(no.message, is_control), "a refusal's message is a sentence", no.message);
}

/// Compares two readings of the same bytes.
void require_same(reading const& a, reading const& b) {
  bool const same = a.messages == b.messages && a.refused == b.refused && a.stage == b.stage &&
                    a.refusal.code == b.refusal.code && a.refusal.message == b.refusal.message &&
                    a.partial == b.partial;
  if (!same) require(false, "the cuts change nothing", to_text(a), to_text(b));
}

}  // namespace

void check(std::string_view input) {
  cut_input const in{input};
  auto const limits = limits_for(in.plan);
  auto const slow = read_connection(in.bytes, limits, bytewise);
  for (auto const& m : slow.messages) require_unambiguous(m, limits);
  if (slow.refused) require_documented(slow.refusal);
  require_same(slow, read_connection(in.bytes, limits, in.plan));
  require_same(slow, read_connection(in.bytes, limits, {}));

  // A message ends with its last byte: without it the message is not complete, and bytes after it change nothing.
  if (slow.messages.empty()) return;
  auto const alone = read_connection(in.bytes.substr(0, slow.ends[0]), limits, {});
  require(alone.messages.size() == 1 && alone.messages[0] == slow.messages[0],
          "what follows a message is not part of it");
  auto const less = read_connection(in.bytes.substr(0, slow.ends[0] - 1), limits, {});
  require(less.messages.empty() && !less.refused, "a message needs its last byte");
}

}  // namespace petstore::fuzz
