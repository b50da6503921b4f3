// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/head_parser.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

BOOST_AUTO_TEST_SUITE(head_parser_)

using namespace std::string_literals;
using petstore::errc;
using petstore::server::http::head;
using petstore::server::http::head_limits;
using petstore::server::http::head_parser;
using state = head_parser::state;

namespace {

constexpr head_limits small{.request_line_bytes_max = 20, .header_bytes_max = 40, .header_fields_max = 3};

struct outcome {
  head_parser::state state;
  std::size_t size = 0;
  errc code = errc::internal;

  friend bool operator==(outcome const&, outcome const&) = default;
};

outcome outcome_of(head_parser const& parser, head_parser::state s) {
  if (s == state::complete) return {s, parser.size()};
  if (s == state::refused) return {s, 0, parser.refusal().code};
  return {s};
}

outcome parse_whole(std::string_view bytes, head_limits const& limits = small) {
  head_parser parser{limits};
  head out;
  auto const s = parser.parse(bytes, out);
  return outcome_of(parser, s);
}

/// Every prefix is shown in turn, as if each byte came alone; or two pieces, cut at `cut`.
outcome parse_bytewise(std::string_view bytes) {
  head_parser parser{small};
  head out;
  auto s = state::unfinished;
  for (std::size_t n = 1; n <= bytes.size() && s == state::unfinished; ++n) s = parser.parse(bytes.substr(0, n), out);
  return outcome_of(parser, s);
}

outcome parse_in_two(std::string_view bytes, std::size_t cut) {
  head_parser parser{small};
  head out;
  auto s = parser.parse(bytes.substr(0, cut), out);
  if (s == state::unfinished) s = parser.parse(bytes, out);
  return outcome_of(parser, s);
}

void check_however_cut(std::string const& bytes, outcome const& expected) {
  BOOST_TEST_CONTEXT(bytes) {
    BOOST_TEST((parse_whole(bytes) == expected));
    BOOST_TEST((parse_bytewise(bytes) == expected));
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) BOOST_TEST((parse_in_two(bytes, cut) == expected));
  }
}

outcome complete(std::string const& bytes) {
  return {state::complete, bytes.size()};
}
outcome refused(errc code) {
  return {state::refused, 0, code};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_head_ends_at_its_empty_line) {
  for (auto const& bytes : {"GET / HTTP/1.1\r\n\r\n"s, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"s,
                            "GET / HTTP/1.1\r\na:\tb\t\r\nc:\r\n\r\n"s, "GET / HTTP/1.1\r\na: \xff\x80\r\n\r\n"s}) {
    check_however_cut(bytes, complete(bytes));
  }
}

BOOST_AUTO_TEST_CASE(what_follows_the_head_is_not_looked_at) {
  std::string const head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  BOOST_TEST((parse_whole(head + "\n\0\r\rX"s) == complete(head)));
}

BOOST_AUTO_TEST_CASE(an_unfinished_head_is_waited_for) {
  std::string const head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t n = 0; n < head.size(); ++n) BOOST_TEST((parse_whole(head.substr(0, n)).state == state::unfinished));
}

BOOST_AUTO_TEST_CASE(line_endings_are_crlf_and_nothing_else) {
  for (auto const& bytes : {
           "GET / HTTP/1.1\n"s,
           "GET / HTTP/1.1\nHost: a\n\n"s,
           "GET / HTTP/1.1\r\nHost: a\n\r\n"s,
           "GET / HTTP/1.1\r\nHost: a\r\n\n"s,
           "GET / HTTP/1.1\r\nHost: a\r\n\rX"s,
           "GET / HTTP/1.1\rHost"s,
           "GET / HTTP/1.1\r\r\n"s,
           "GET / HTTP/1.1\r\nA: b\rc\r\n\r\n"s,
           "GET / HTTP/1.1\r\nA: b\r\r\n\r\n"s,
       }) {
    check_however_cut(bytes, refused(errc::malformed_http));
  }
}

BOOST_AUTO_TEST_CASE(control_characters_are_refused_wherever_they_stand) {
  for (int c = 0; c < 0x20; ++c) {
    if (c == '\t' || c == '\r') continue;
    std::string const one(1, static_cast<char>(c));
    check_however_cut(one, refused(errc::malformed_http));
    check_however_cut("GET /" + one, refused(errc::malformed_http));
    check_however_cut("GET / HTTP/1.1\r\n" + one, refused(errc::malformed_http));
    check_however_cut("GET / HTTP/1.1\r\nA: b" + one, refused(errc::malformed_http));
  }
  check_however_cut("GET\t/ HTTP/1.1\r\n\r\n", refused(errc::malformed_http));
}

BOOST_AUTO_TEST_CASE(the_first_bytes_of_a_tls_client_are_refused) {
  check_however_cut("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, refused(errc::malformed_http));
}

BOOST_AUTO_TEST_CASE(folded_lines_are_refused_as_soon_as_they_begin) {
  check_however_cut("GET / HTTP/1.1\r\nA: b\r\n c", refused(errc::malformed_http));
  check_however_cut("GET / HTTP/1.1\r\nA: b\r\n\tc", refused(errc::malformed_http));
  check_however_cut("GET / HTTP/1.1\r\n A: b", refused(errc::malformed_http));
}

BOOST_AUTO_TEST_CASE(a_request_line_may_be_as_long_as_the_limit) {
  std::string const at_limit = "GET /" + std::string(6, 'x') + " HTTP/1.1";
  BOOST_REQUIRE(at_limit.size() == small.request_line_bytes_max);
  check_however_cut(at_limit + "\r\n\r\n", complete(at_limit + "\r\n\r\n"));
  check_however_cut("GET /x" + std::string(6, 'x') + " HTTP/1.1\r\n\r\n", refused(errc::uri_too_long));
  check_however_cut(std::string(small.request_line_bytes_max + 1, 'x'), refused(errc::uri_too_long));
}

BOOST_AUTO_TEST_CASE(header_fields_may_be_as_long_as_the_limit) {
  std::string const line = "GET / HTTP/1.1\r\n";
  std::string const at_limit = line + "A: " + std::string(small.header_bytes_max - 5, 'x') + "\r\n\r\n";
  check_however_cut(at_limit, complete(at_limit));
  std::string const above = line + "A: " + std::string(small.header_bytes_max - 4, 'x') + "\r\n\r\n";
  check_however_cut(above, refused(errc::headers_too_large));
  std::string const unfinished_above = line + "A: " + std::string(small.header_bytes_max - 2, 'x');
  check_however_cut(unfinished_above, refused(errc::headers_too_large));
  std::string const two_fields = line + "A: " + std::string(small.header_bytes_max - 5, 'x') + "\r\nB:\r\n\r\n";
  check_however_cut(two_fields, refused(errc::headers_too_large));
}

BOOST_AUTO_TEST_CASE(a_limit_may_be_so_large_that_there_is_none) {
  constexpr auto unlimited = std::numeric_limits<std::size_t>::max();
  constexpr std::string_view head = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";
  for (auto const member :
       {&head_limits::request_line_bytes_max, &head_limits::header_bytes_max, &head_limits::header_fields_max}) {
    auto limits = small;
    limits.*member = unlimited;
    BOOST_TEST((parse_whole(head, limits) == outcome{head_parser::state::complete, head.size()}));
  }
}

BOOST_AUTO_TEST_CASE(there_may_be_as_many_fields_as_the_limit) {
  std::string const three = "GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\n";
  check_however_cut(three + "\r\n", complete(three + "\r\n"));
  check_however_cut(three + "D:\r\n\r\n", refused(errc::headers_too_large));
}

BOOST_AUTO_TEST_CASE(a_parser_begins_anew_for_the_next_head) {
  head_parser parser{small};
  head out;
  std::string const head = "GET / HTTP/1.1\r\nA: b\r\nC: d\r\n\r\n";
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST((parser.parse(head, out) == state::complete));
    BOOST_TEST(parser.size() == head.size());
    BOOST_TEST(out.fields.size() == 2u);
    parser.restart();
    out.clear();
  }
}

BOOST_AUTO_TEST_SUITE_END()
