// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http1/head_parser.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <span>

#include "field.hpp"
#include "http1/grammar.hpp"
#include "http1/target.hpp"
#include "http1/transfer_coding.hpp"

namespace petstore::server::http1 {
namespace {

namespace beast_http = boost::beast::http;
using boost::beast::error_code;
using beast_view = boost::beast::string_view;
using beast_http::field;
using beast_http::verb;

std::string_view view(beast_view s) noexcept {
  return {s.data(), s.size()};
}

std::optional<method> to_method(verb v) noexcept {
  switch (v) {
    case verb::get: return method::get;
    case verb::head: return method::head;
    case verb::post: return method::post;
    case verb::put: return method::put;
    case verb::patch: return method::patch;
    case verb::delete_: return method::delete_;
    case verb::options: return method::options;
    case verb::connect: return method::connect;
    case verb::trace: return method::trace;
    default: return std::nullopt;
  }
}

/// A field that may be there once.
struct single_field {
  unsigned count = 0;
  std::size_t index = 0;  ///< of the last one, in head::fields
};

/// Takes a head apart through Beast's callbacks. The body is not its business.
class head_parser final : public beast_http::basic_parser<true> {
 public:
  explicit head_parser(head& out) : out_{out} {
    skip(true);  // stop at the end of the head
    eager(true);
    body_limit(boost::none);
    header_limit(std::uint32_t(-1));  // head_scan has measured it
  }

  /// What is wrong with a head that is well-formed. The order is part of the behaviour: first what makes it unclear
  /// where the request ends or whom it is for, then what this server does not do.
  std::optional<refusal> judge();

 private:
  std::optional<refusal> judge_framing();
  std::optional<refusal> judge_host() const;
  std::optional<refusal> judge_target();

  void on_request_impl(verb v, beast_view, beast_view target, int version, error_code&) override {
    method_ = to_method(v);
    out_.request.method = method_.value_or(method::get);
    out_.request.target = view(target);
    target_ = parse_request_target(view(target), out_.request.method);
    out_.request.path = target_.path;
    out_.request.query = target_.query;
    out_.request.http_1_0 = version == 10;
  }

  void on_field_impl(field f, beast_view name, beast_view value, error_code&) override {
    std::size_t const index = out_.fields.size();
    out_.fields.push_back({view(name), view(value)});
    switch (f) {
      case field::host: note(host_, index); break;
      case field::content_length: note(content_length_, index); break;
      case field::transfer_encoding: note(transfer_encoding_, index); break;
      case field::authorization: note(authorization_, index); break;
      case field::expect:
        note(expect_, index);
        is_expectation_met_ = is_expectation_met_ && equals_ignoring_case(view(value), "100-continue");
        break;
      default: break;
    }
  }

  // With the body skipped, none of these says anything.
  void on_response_impl(int, beast_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
  std::size_t on_body_impl(beast_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, beast_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast_view, error_code&) override { return 0; }
  void on_finish_impl(error_code&) override {}

  static void note(single_field& f, std::size_t index) noexcept {
    ++f.count;
    f.index = index;
  }
  std::string_view value_of(single_field const& f) const noexcept { return out_.fields[f.index].value; }

  head& out_;
  std::optional<method> method_;
  request_target target_;
  single_field host_, content_length_, transfer_encoding_, authorization_, expect_;
  bool is_expectation_met_ = true;
};

std::optional<refusal> head_parser::judge() {
  auto& req = out_.request;
  if (auto const no = judge_framing()) return no;
  if (auto const no = judge_host()) return no;
  if (authorization_.count > 1) return refusal{errc::malformed_http, "There is more than one Authorization field."};
  if (!method_) return refusal{errc::not_implemented, "This method is not known here."};
  if (req.method == method::connect || req.method == method::trace) return refusal{errc::method_not_allowed, {}};
  if (auto const no = judge_target()) return no;
  if (!is_expectation_met_) return refusal{errc::expectation_failed, {}};
  // RFC 9110, 10.1.1: a client of HTTP/1.0 does not know what 100 is.
  out_.expects_continue = expect_.count > 0 && !req.http_1_0 && req.has_body;
  return std::nullopt;
}

std::optional<refusal> head_parser::judge_framing() {
  auto const malformed = [](std::string_view message) { return refusal{errc::malformed_http, message}; };
  auto& req = out_.request;
  if (content_length_.count > 1) return malformed("There is more than one Content-Length field.");
  if (content_length_.count == 1) {
    auto const length = parse_content_length(value_of(content_length_));
    if (!length) return malformed("The Content-Length is not a number.");
    out_.content_length = *length;
    req.has_body = *length > 0;
  }
  if (transfer_encoding_.count == 0) return std::nullopt;
  if (content_length_.count > 0) return malformed("Transfer-Encoding and Content-Length contradict each other.");
  if (transfer_encoding_.count > 1) return malformed("There is more than one Transfer-Encoding field.");
  if (req.http_1_0) return malformed("HTTP/1.0 has no Transfer-Encoding.");
  switch (parse_transfer_encoding(value_of(transfer_encoding_))) {
    case transfer_coding::malformed: return malformed("The Transfer-Encoding leaves the end of the body unclear.");
    case transfer_coding::unknown: return refusal{errc::not_implemented, "This transfer coding is not known here."};
    case transfer_coding::chunked: break;
  }
  out_.chunked = true;
  req.has_body = true;
  return std::nullopt;
}

std::optional<refusal> head_parser::judge_host() const {
  if (host_.count > 1) return refusal{errc::malformed_http, "There is more than one Host field."};
  if (host_.count == 0) {
    if (out_.request.http_1_0) return std::nullopt;
    return refusal{errc::malformed_http, "The Host field is missing."};
  }
  if (is_valid_authority(value_of(host_))) return std::nullopt;
  return refusal{errc::malformed_http, "The Host field is not a host."};
}

std::optional<refusal> head_parser::judge_target() {
  if (target_.form == target_form::malformed) return refusal{errc::malformed_http, "The request target is malformed."};
  if (target_.form != target_form::absolute) return std::nullopt;

  // RFC 9112, 3.2.2: what the target says of the host replaces what Host says.
  if (host_.count == 1) out_.fields[host_.index].value = target_.authority;
  auto& req = out_.request;
  auto const after_authority =
      static_cast<std::size_t>(target_.authority.data() + target_.authority.size() - req.target.data());
  std::string_view const sent = req.target.substr(after_authority);
  if (sent.starts_with('/')) {
    req.target = sent;
  } else if (sent.empty()) {
    req.target = target_.path;
  } else {
    out_.joined_target.assign("/").append(sent);
    req.target = out_.joined_target;
  }
  return std::nullopt;
}

/// Beast knows 1.0 and 1.1 and does not say which other version it saw.
errc judge_version(std::string_view line) noexcept {
  auto const target = line.find(' ') + 1;
  std::string_view version = line.substr(line.find(' ', target) + 1);
  version.remove_suffix(2);
  constexpr std::string_view name = "HTTP/";
  if (!version.starts_with(name)) return errc::malformed_http;
  std::string_view const number = version.substr(name.size());
  bool const has_minor = number.size() == 3 && is_digit(number[0]) && number[1] == '.' && is_digit(number[2]);
  bool const is_major_alone = number.size() == 1 && is_digit(number[0]);
  bool const is_newer = (has_minor && number >= "1.2") || (is_major_alone && number >= "2");
  return is_newer ? errc::http_version_not_supported : errc::malformed_http;
}

std::string_view describe_fault(error_code const& ec) noexcept {
  switch (static_cast<beast_http::error>(ec.value())) {
    case beast_http::error::bad_method: return "The method is malformed.";
    case beast_http::error::bad_target: return "The request target is malformed.";
    case beast_http::error::bad_version: return "The HTTP version is malformed.";
    case beast_http::error::bad_field: return "The name of a header field is malformed.";
    case beast_http::error::bad_value: return "The value of a header field is malformed.";
    case beast_http::error::bad_content_length:
    case beast_http::error::multiple_content_length: return "The Content-Length is malformed.";
    case beast_http::error::bad_transfer_encoding: return "The Transfer-Encoding is malformed.";
    default: return {};
  }
}

std::optional<refusal> refuse(error_code const& ec, std::string_view bytes) {
  if (ec == beast_http::error::bad_version) {
    std::string_view const line = bytes.substr(0, bytes.find('\n') + 1);
    if (judge_version(line) == errc::http_version_not_supported) return refusal{errc::http_version_not_supported, {}};
  }
  return refusal{errc::malformed_http, describe_fault(ec)};
}

void clear(head& h) {
  h.request = {};
  h.keep_alive = h.chunked = h.expects_continue = false;
  h.content_length = 0;
  h.fields.clear();
}

}  // namespace

std::optional<refusal> judge_request_line(std::string_view line) {
  head ignored;
  head_parser parser{ignored};
  error_code ec;
  std::size_t const taken = parser.put(boost::asio::buffer(line), ec);
  if (taken == line.size()) return std::nullopt;
  return refuse(ec, line);
}

std::optional<refusal> parse_head(std::string_view bytes, head& out) {
  clear(out);
  head_parser parser{out};
  error_code ec;
  parser.put(boost::asio::buffer(bytes), ec);
  out.request.fields = out.fields;
  if (ec) return refuse(ec, bytes);
  out.keep_alive = parser.keep_alive();
  return parser.judge();
}

}  // namespace petstore::server::http1
