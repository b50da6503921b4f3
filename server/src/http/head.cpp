// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/head.hpp"

#include <functional>

#include "http/field.hpp"
#include "http/grammar.hpp"
#include "http/transfer_coding.hpp"
#include "petstore/whole_number.hpp"

namespace petstore::server::http {
namespace {

/// More fields than most requests have.
constexpr std::size_t fields_kept_max = 32;

refusal malformed(std::string_view message) noexcept {
  return {errc::malformed_http, message};
}

/// Calls `f` with each value of that field.
template <class Function>
void for_each_value(head const& h, known_field field, Function&& f) {
  std::size_t left = h.known.count(field);
  if (left == 0) return;
  f(h.fields[h.known.first(field)].value);
  for (std::size_t i = h.known.first(field) + 1; --left > 0; ++i) {
    while (!equals_ignoring_case(h.fields[i].name, name_of(field))) ++i;
    f(h.fields[i].value);
  }
}

/// Connection is a list of tokens (RFC 9110, 7.6.1), and close wins over keep-alive (RFC 9112, 9.3).
std::optional<refusal> check_connection(head& h) {
  bool is_list = true, closes = false, keeps = !h.request.http_1_0;
  for_each_value(h, known_field::connection, [&](std::string_view rest) {
    while (!rest.empty()) {
      auto const comma = rest.find(',');
      std::string_view const option = trim(rest.substr(0, comma));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
      is_list = is_list && (option.empty() || is_token(option));
      closes = closes || equals_ignoring_case(option, "close");
      keeps = keeps || equals_ignoring_case(option, "keep-alive");
    }
  });
  h.keep_alive = keeps && !closes;
  if (is_list) return std::nullopt;
  return malformed("The value of a header field is malformed.");
}

/// Where the body ends (RFC 9112, 6). Everything on which two readers could disagree is refused.
std::optional<refusal> check_framing(head& h) {
  auto& req = h.request;
  auto const lengths = h.known.count(known_field::content_length);
  auto const codings = h.known.count(known_field::transfer_encoding);
  if (lengths > 1) return malformed("There is more than one Content-Length field.");
  if (lengths == 1) {
    auto const length = whole_number<std::uint64_t>(req.find(known_field::content_length));
    if (!length) return malformed("The Content-Length is not a number.");
    h.content_length = *length;
    req.has_body = *length > 0;
  }
  if (codings == 0) return std::nullopt;
  if (lengths > 0) return malformed("Transfer-Encoding and Content-Length contradict each other.");
  if (codings > 1) return malformed("There is more than one Transfer-Encoding field.");
  if (req.http_1_0) return malformed("HTTP/1.0 has no Transfer-Encoding.");
  switch (parse_transfer_encoding(req.find(known_field::transfer_encoding))) {
    case transfer_coding::malformed: return malformed("The Transfer-Encoding leaves the end of the body unclear.");
    case transfer_coding::unknown: return refusal{errc::not_implemented, "This transfer coding is not known here."};
    case transfer_coding::chunked: break;
  }
  h.chunked = true;
  req.has_body = true;
  return std::nullopt;
}

std::optional<refusal> check_host(head const& h) {
  switch (h.known.count(known_field::host)) {
    case 0:
      if (h.request.http_1_0) return std::nullopt;
      return malformed("The Host field is missing.");
    case 1:
      if (is_valid_authority(h.request.find(known_field::host))) return std::nullopt;
      return malformed("The Host field is not a host.");
    default: return malformed("There is more than one Host field.");
  }
}

/// RFC 9112, 3.2.2: the host in the target replaces the Host field.
void apply_absolute_target(head& h) {
  auto& req = h.request;
  if (h.known.count(known_field::host) == 1) h.fields[h.known.first(known_field::host)].value = h.authority;
  auto const after_authority = static_cast<std::size_t>(h.authority.data() + h.authority.size() - req.target.data());
  std::string_view const sent = req.target.substr(after_authority);
  if (sent.starts_with('/')) {
    req.target = sent;
  } else if (sent.empty()) {
    req.target = req.path;
  } else {
    h.joined_target.assign("/").append(sent);
    req.target = h.joined_target;
  }
}

/// RFC 9110, 10.1.1: a client of HTTP/1.0 does not know the status 100.
std::optional<refusal> check_expectations(head& h) {
  if (h.known.count(known_field::expect) == 0) return std::nullopt;
  bool is_met = true;
  for_each_value(h, known_field::expect,
                 [&](std::string_view value) { is_met = is_met && equals_ignoring_case(value, "100-continue"); });
  if (!is_met) return refusal{errc::expectation_failed, {}};
  h.expects_continue = !h.request.http_1_0 && h.request.has_body;
  return std::nullopt;
}

std::optional<refusal> check_method(method m) noexcept {
  switch (m) {
    case method::get:
    case method::head:
    case method::post:
    case method::put:
    case method::patch:
    case method::delete_:
    case method::options: return std::nullopt;
    case method::connect:
    case method::trace: return refusal{errc::method_not_allowed, {}};
    default: return refusal{errc::not_implemented, "This method is not known here."};
  }
}

}  // namespace

std::optional<refusal> check_head(head& h) {
  if (auto const no = check_connection(h)) return no;
  if (auto const no = check_framing(h)) return no;
  if (auto const no = check_host(h)) return no;
  if (h.known.count(known_field::authorization) > 1) return malformed("There is more than one Authorization field.");
  if (auto const no = check_method(h.request.method)) return no;
  if (h.form == target_form::malformed) return malformed("The request target is malformed.");
  if (h.form == target_form::absolute) apply_absolute_target(h);
  return check_expectations(h);
}

void head::follow(std::string_view from, char const* to) noexcept {
  auto const move = [&](std::string_view& v) {
    std::less_equal<char const*> const is_not_behind;
    if (is_not_behind(from.data(), v.data()) && is_not_behind(v.data(), from.data() + from.size()))
      v = {to + (v.data() - from.data()), v.size()};
  };
  for (auto* const v : {&request.target, &request.path, &request.query, &authority}) move(*v);
  for (auto& f : fields) {
    move(f.name);
    move(f.value);
  }
}

void head::clear() noexcept {
  request = {};
  keep_alive = chunked = expects_continue = false;
  form = target_form::malformed;
  content_length = 0;
  authority = {};
  known = {};
  fields.clear();
  if (fields.capacity() > fields_kept_max) fields = {};
}

}  // namespace petstore::server::http
