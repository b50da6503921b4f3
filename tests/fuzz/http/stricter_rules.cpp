// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "fuzz/http/stricter_rules.hpp"

#include <algorithm>
#include <array>
#include <boost/url/parse.hpp>
#include <charconv>
#include <optional>

namespace petstore::fuzz {
namespace {

std::string_view head_of(beast_message const& m) {
  return m.bytes.substr(0, m.bytes.find("\r\n\r\n") + 4);
}

bool has_field(beast_message const& m, std::string_view name) {
  return !values_of(m.fields, name).empty();
}

// Rules for lines.

bool has_other_line_end(beast_message const& m) {
  std::string text{head_of(m)};
  for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at)) text.erase(at, 2);
  return std::ranges::any_of(text, [](char c) { return is_control(c) && c != '\t'; });
}

bool has_folded_line(beast_message const& m) {
  return head_of(m).find("\r\n ") != std::string_view::npos || head_of(m).find("\r\n\t") != std::string_view::npos;
}

// Rules for method, target and fields.

bool has_unknown_method(beast_message const& m) {
  constexpr std::array known{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
  return std::ranges::find(known, m.method) == known.end();
}

/// Boost.URL parses the authority. In addition it must have no user information, a host that is not empty, a port up to
/// 65535, and no address of a future IP version.
bool is_host(std::string_view text) {
  auto const parsed = boost::urls::parse_authority(text);
  if (!parsed || parsed->has_userinfo() || parsed->encoded_host().empty()) return false;
  if (parsed->host_type() == boost::urls::host_type::ipvfuture) return false;
  auto const port = parsed->port();
  std::uint64_t number = 0;
  auto const [end, fault] = std::from_chars(port.data(), port.data() + port.size(), number);
  return port.empty() || (fault == std::errc{} && number <= 65535);
}

bool has_malformed_target(beast_message const& m) {
  std::string_view const target = m.target;
  if (std::ranges::any_of(target, [](char c) { return c <= ' ' || c > '~' || c == '#'; })) return true;
  if (target.starts_with('/')) return false;
  if (target == "*") return m.method != "OPTIONS";
  auto const lower = lowered(target);
  for (std::string_view const scheme : {"http://", "https://"}) {
    if (!lower.starts_with(scheme)) continue;
    auto const rest = target.substr(scheme.size());
    return !is_host(rest.substr(0, rest.find_first_of("/?")));
  }
  return true;
}

bool has_no_host(beast_message const& m) {
  return !m.http_1_0 && !has_field(m, "host");
}

bool has_two_hosts(beast_message const& m) {
  return values_of(m.fields, "host").size() > 1;
}

bool has_malformed_host(beast_message const& m) {
  return !std::ranges::all_of(values_of(m.fields, "host"), is_host);
}

bool has_two_authorizations(beast_message const& m) {
  return values_of(m.fields, "authorization").size() > 1;
}

bool has_unknown_expectation(beast_message const& m) {
  auto const is_unknown = [](std::string_view v) { return lowered(v) != "100-continue"; };
  return std::ranges::any_of(values_of(m.fields, "expect"), is_unknown);
}

// Rules for the length of a body.

bool has_other_than_one_length(beast_message const& m) {
  auto const lengths = values_of(m.fields, "content-length");
  if (lengths.empty()) return false;
  return lengths.size() > 1 || !std::ranges::all_of(lengths[0], [](char c) { return c >= '0' && c <= '9'; });
}

bool has_other_coding_than_chunked(beast_message const& m) {
  auto const codings = values_of(m.fields, "transfer-encoding");
  if (codings.empty()) return false;
  return codings.size() > 1 || lowered(codings[0]) != "chunked" || m.http_1_0 || has_field(m, "content-length");
}

// Rules for a chunked body.

/// Removes a token from the front.
bool take_token(std::string_view& s) {
  auto const end = std::ranges::find_if_not(s, is_token_char);
  bool const found = end != s.begin();
  s.remove_prefix(static_cast<std::size_t>(end - s.begin()));
  return found;
}

/// Removes a quoted string from the front.
bool take_quoted(std::string_view& s) {
  if (!s.starts_with('"')) return false;
  for (std::size_t i = 1; i < s.size(); ++i) {
    if (s[i] == '"') {
      s.remove_prefix(i + 1);
      return true;
    }
    if (s[i] == '\\') ++i;
    if (i == s.size() || (is_control(s[i]) && s[i] != '\t')) return false;
  }
  return false;
}

/// The size in a chunk's line; nullopt if the line has anything but digits and well-formed extensions.
std::optional<std::uint64_t> read_size_line(std::string_view line) {
  std::uint64_t size = 0;
  auto const [end, fault] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
  auto const digits = static_cast<std::size_t>(end - line.data());
  if (fault != std::errc{} || digits > 16 || line.starts_with('-')) return std::nullopt;
  line.remove_prefix(digits);
  while (!line.empty()) {
    if (line.front() != ';') return std::nullopt;
    line.remove_prefix(1);
    if (!take_token(line)) return std::nullopt;
    if (!line.starts_with('=')) continue;
    line.remove_prefix(1);
    if (!take_token(line) && !take_quoted(line)) return std::nullopt;
  }
  return size;
}

/// Removes a line from the front, and returns it without its line end.
std::optional<std::string_view> take_line(std::string_view& s) {
  auto const end = s.find("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  auto const line = s.substr(0, end);
  s.remove_prefix(end + 2);
  return line;
}

/// The bytes after the last chunk's line: trailers and the empty line. nullopt if a chunk before is malformed.
std::optional<std::string_view> find_trailers(std::string_view chunks) {
  for (;;) {
    auto const line = take_line(chunks);
    auto const size = line ? read_size_line(*line) : std::nullopt;
    if (!size) return std::nullopt;
    if (*size == 0) return chunks;
    if (*size + 2 > chunks.size() || chunks.substr(*size, 2) != "\r\n") return std::nullopt;
    chunks.remove_prefix(*size + 2);
  }
}

std::optional<std::string_view> trailers_of(beast_message const& m) {
  return find_trailers(m.bytes.substr(head_of(m).size()));
}

bool has_malformed_chunk(beast_message const& m) {
  return m.chunked && !trailers_of(m);
}

bool has_malformed_trailer(beast_message const& m) {
  auto rest = m.chunked ? trailers_of(m) : std::nullopt;
  if (!rest) return false;
  for (auto line = take_line(*rest); line && !line->empty(); line = take_line(*rest)) {
    if (!take_token(*line) || !line->starts_with(':')) return true;
    if (std::ranges::any_of(*line, [](char c) { return is_control(c) && c != '\t'; })) return true;
  }
  return !rest->empty();
}

/// Whether a trailer of this name would change the framing, the routing, the sender or the meaning of the body.
bool may_not_follow(std::string_view name) {
  constexpr std::array names{
      "authorization",
      "cache-control",
      "connection",
      "content-encoding",
      "content-length",
      "content-range",
      "content-type",
      "cookie",
      "expect",
      "forwarded",
      "host",
      "idempotency-key",
      "if-match",
      "if-modified-since",
      "if-none-match",
      "if-range",
      "if-unmodified-since",
      "keep-alive",
      "max-forwards",
      "pragma",
      "proxy-connection",
      "proxy-authenticate",
      "proxy-authorization",
      "range",
      "set-cookie",
      "te",
      "trailer",
      "transfer-encoding",
      "upgrade",
      "x-forwarded-for",
      "x-request-id",
  };
  return std::ranges::find(names, name) != names.end();
}

bool has_forbidden_trailer(beast_message const& m) {
  auto rest = m.chunked ? trailers_of(m) : std::nullopt;
  if (!rest) return false;
  for (auto line = take_line(*rest); line && !line->empty(); line = take_line(*rest))
    if (may_not_follow(lowered(line->substr(0, line->find(':'))))) return true;
  return false;
}

constexpr std::array rules{
    stricter_rule{"a line ends in CRLF and has no other control character but tab", has_other_line_end},
    stricter_rule{"no line is folded", has_folded_line},
    stricter_rule{"a method is one of those served, neither CONNECT nor TRACE", has_unknown_method},
    stricter_rule{"a target is a path, * of OPTIONS, or http(s) with a host, in visible ASCII", has_malformed_target},
    stricter_rule{"HTTP/1.1 has a Host", has_no_host},
    stricter_rule{"there is one Host", has_two_hosts},
    stricter_rule{"a Host is a host", has_malformed_host},
    stricter_rule{"there is one Authorization", has_two_authorizations},
    stricter_rule{"nothing is expected but 100-continue", has_unknown_expectation},
    stricter_rule{"there is one Content-Length, and it is digits alone", has_other_than_one_length},
    stricter_rule{"chunked is the one transfer coding, alone, and not in HTTP/1.0", has_other_coding_than_chunked},
    stricter_rule{"a chunk is a size, well-formed extensions, CRLF, that many bytes, CRLF", has_malformed_chunk},
    stricter_rule{"a trailer is a well-formed field", has_malformed_trailer},
    stricter_rule{"no trailer changes what the head has said", has_forbidden_trailer},
};

}  // namespace

stricter_rule const* find_broken_rule(beast_message const& m) {
  auto const broken = std::ranges::find_if(rules, [&](auto const& rule) { return rule.is_broken(m); });
  return broken == rules.end() ? nullptr : broken;
}

}  // namespace petstore::fuzz
