// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/head_parser.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "http/grammar.hpp"
#include "http/known_names.hpp"
#include "http/scan.hpp"
#include "http/target.hpp"

namespace petstore::server::http {
namespace {

/// The number of fields that most requests have, so that the first request does not grow the memory in steps.
constexpr std::size_t fields_reserved = 8;

/// No head is as long as this, and the sum of two such limits does not overflow.
constexpr std::size_t limited_bytes_max = std::numeric_limits<std::size_t>::max() / 4;

constexpr refusal line_too_long{errc::uri_too_long, "The request line is too long."};
constexpr refusal fields_too_long{errc::headers_too_large, "The header fields are too long."};
constexpr refusal too_many_fields{errc::headers_too_large, "There are too many header fields."};
constexpr refusal folded_line{errc::malformed_http, "A header line begins with white space."};
constexpr refusal control_character{errc::malformed_http, "The head contains a bare LF or a control character."};
constexpr refusal bare_cr{errc::malformed_http, "The head contains a bare CR."};
constexpr refusal bad_method{errc::malformed_http, "The method is malformed."};
constexpr refusal bad_target{errc::malformed_http, "The request target is malformed."};
constexpr refusal bad_version{errc::malformed_http, "The HTTP version is malformed."};
constexpr refusal bad_field_name{errc::malformed_http, "The name of a header field is malformed."};

/// The refusal of a version that is neither 1.0 nor 1.1. A newer version has one digit for the major version and, if
/// any, one for the minor version (RFC 9112, 2.3).
refusal refuse_version(std::string_view version) noexcept {
  constexpr std::string_view name = "HTTP/";
  if (!version.starts_with(name)) return bad_version;
  std::string_view const number = version.substr(name.size());
  bool const has_minor = number.size() == 3 && is_digit(number[0]) && number[1] == '.' && is_digit(number[2]);
  bool const is_major_alone = number.size() == 1 && is_digit(number[0]);
  bool const is_newer = (has_minor && number >= "1.2") || (is_major_alone && number >= "2");
  return is_newer ? refusal{errc::http_version_not_supported, {}} : bad_version;
}

std::string_view between(char const* begin, char const* end) noexcept {
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Splits the target and returns its end. The usual form, a path, needs one pass over the bytes.
char const* take_target(char const* at, head& out) noexcept {
  auto& req = out.request;
  char const* const begin = at;
  while (is_path_char(*at)) ++at;
  char const* const path_end = at;
  while (is_path_char(*at) || *at == '?') ++at;
  bool const ends_in_space = *at == ' ';
  while (*at != ' ' && *at != '\r') ++at;

  req.target = between(begin, at);
  if (*begin == '/' && ends_in_space) {
    out.form = target_form::origin;
    req.path = between(begin, path_end);
    if (path_end != at) req.query = between(path_end + 1, at);
    return at;
  }
  auto const parsed = parse_request_target(req.target, req.method);
  out.form = parsed.form;
  out.authority = parsed.authority;
  req.path = parsed.path;
  req.query = parsed.query;
  return at;
}

/// request-line = method SP request-target SP HTTP-version (RFC 9112, 3). The CR after the line stops every loop.
/// Whether this server supports the method and the target is checked later.
std::optional<refusal> take_request_line(std::string_view line, head& out) noexcept {
  char const* at = line.data();
  while (is_token_char(*at)) ++at;
  if (at == line.data() || *at != ' ') return bad_method;
  out.request.method = boost::beast::http::string_to_verb(between(line.data(), at));

  char const* const target = at + 1;
  at = take_target(target, out);
  if (at == target || *at != ' ') return bad_target;

  std::string_view const version = between(at + 1, line.data() + line.size());
  if (version == "HTTP/1.1") return std::nullopt;
  out.request.http_1_0 = version == "HTTP/1.0";
  return out.request.http_1_0 ? std::nullopt : std::optional{refuse_version(version)};
}

/// Whether the CRLF at `at` is complete, and its CR is among the first `size_max` bytes.
bool is_line_end(std::string_view bytes, std::size_t size_max, std::size_t at) noexcept {
  return at < size_max && at + 1 < bytes.size() && bytes[at] == '\r' && bytes[at + 1] == '\n';
}

/// field-line = field-name ":" OWS field-value OWS (RFC 9112, 5). The CR after the line stops the name; bytes up to
/// `end` may be read.
bool take_field(std::string_view line, char const* end, head& out) {
  // An earlier check has ensured that a tab is the only control character in the line.
  constexpr auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  char const* at = skip_token(line.data(), end);
  if (at == line.data() || *at != ':') return false;
  auto const name = between(line.data(), at);

  char const* value_end = line.data() + line.size();
  do ++at;
  while (at != value_end && is_blank(*at));
  while (value_end != at && is_blank(value_end[-1])) --value_end;

  if (auto const known = find_known_field(name)) out.known.note(*known, out.fields.size());
  out.fields.push_back({name, between(at, value_end)});
  return true;
}

}  // namespace

head_parser::head_parser(head_limits const& limits) : limits_{limits} {
  limits_.request_line_bytes_max = std::min(limits.request_line_bytes_max, limited_bytes_max);
  limits_.header_bytes_max = std::min(limits.header_bytes_max, limited_bytes_max);
  limits_.header_fields_max = std::min(limits.header_fields_max, field_index::fields_max);
}

head_parser::state head_parser::parse(std::string_view bytes, head& out) {
  state s = line_size_ == 0 ? parse_request_line(bytes, out) : state::complete;
  if (s == state::complete) s = parse_fields(bytes, out);
  out.request.fields = {out.fields, out.known};
  return s;
}

/// The limit counts the line without its CRLF.
head_parser::state head_parser::parse_request_line(std::string_view bytes, head& out) {
  std::size_t const size_max = limits_.request_line_bytes_max + 1;
  position_ = find_control(bytes.substr(0, size_max), position_);
  if (!is_line_end(bytes, size_max, position_)) return check_line_end(bytes, size_max, line_too_long);
  if (auto const no = take_request_line(bytes.substr(0, position_), out)) return refuse(*no);
  line_size_ = line_start_ = position_ += 2;
  out.fields.reserve(fields_reserved);
  return state::complete;
}

/// The limit counts the lines with their CRLFs, without the empty line at the end.
head_parser::state head_parser::parse_fields(std::string_view bytes, head& out) {
  std::size_t const size_max = line_size_ + limits_.header_bytes_max - 1;
  std::string_view const allowed = bytes.substr(0, size_max);
  // Each iteration depends on the start of the line, so it is kept in a local variable and not in memory.
  std::size_t start = line_start_;
  std::size_t at = position_;
  auto const stop = [&](state s) {
    line_start_ = start;
    position_ = at;
    return s;
  };
  for (;;) {
    if (start == bytes.size()) return stop(state::unfinished);
    if (bytes[start] == '\r') {
      auto const s = check_empty_line(bytes.substr(start));
      if (s == state::complete) start += 2;
      return stop(s);
    }
    if (bytes[start] == ' ' || bytes[start] == '\t') return refuse(folded_line);
    if (out.fields.size() == limits_.header_fields_max) return refuse(too_many_fields);

    if (at < allowed.size()) at = find_control(allowed, at);
    if (!is_line_end(bytes, size_max, at)) {
      position_ = at;
      auto const s = check_line_end(bytes, size_max, fields_too_long);
      at = position_;
      if (s != state::complete) return stop(s);
    }
    if (!take_field(bytes.substr(start, at - start), bytes.data() + bytes.size(), out)) return refuse(bad_field_name);
    at += 2;
    start = at;
  }
}

head_parser::state head_parser::check_empty_line(std::string_view rest) {
  if (rest.size() == 1) return state::unfinished;
  return rest[1] == '\n' ? state::complete : refuse(bare_cr);
}

/// Called where `is_line_end` is false. Skips tabs within a field. Returns `complete` if the line ends after them; its
/// CR must be among the first `size_max` bytes.
head_parser::state head_parser::check_line_end(std::string_view bytes, std::size_t size_max,
                                               http::refusal const& too_long) {
  std::string_view const allowed = bytes.substr(0, size_max);
  bool const in_field = line_size_ != 0;
  while (in_field && position_ < allowed.size() && bytes[position_] == '\t') {
    position_ = find_control(allowed, position_ + 1);
  }
  if (position_ >= size_max) return refuse(too_long);
  if (position_ == bytes.size()) return state::unfinished;
  if (bytes[position_] != '\r') return refuse(control_character);
  if (position_ + 1 == bytes.size()) return state::unfinished;
  return bytes[position_ + 1] == '\n' ? state::complete : refuse(bare_cr);
}

head_parser::state head_parser::refuse(http::refusal const& no) {
  refusal_ = no;
  return state::refused;
}

void head_parser::restart() noexcept {
  position_ = line_start_ = line_size_ = 0;
}

}  // namespace petstore::server::http
