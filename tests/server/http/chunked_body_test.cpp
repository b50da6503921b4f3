// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/chunked_body.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(chunked_body_)

using namespace std::string_literals;
using petstore::errc;
using petstore::server::http::chunked_body;
using petstore::server::http::head_limits;
using state = chunked_body::state;

namespace {

constexpr std::size_t body_max = 10;
constexpr head_limits small{.request_line_bytes_max = 20, .header_bytes_max = 40, .header_fields_max = 3};

struct outcome {
  chunked_body::state state = state::unfinished;
  std::string body;
  std::size_t consumed = 0;
  errc code = errc::internal;
};

outcome decode(std::string_view raw, std::size_t piece_size) {
  chunked_body chunks{body_max, small};
  outcome out;
  while (!raw.empty() && out.state == state::unfinished) {
    out.state = chunks.decode(raw.substr(0, piece_size), out.body);
    out.consumed += chunks.consumed();
    raw.remove_prefix(chunks.consumed());
  }
  if (out.state == state::refused) out.code = chunks.refusal().code;
  return out;
}

void check_complete(std::string const& raw, std::string_view body) {
  for (std::size_t piece = 1; piece <= raw.size() + 2; ++piece) {
    auto const out = decode(raw + "GET", piece);
    BOOST_TEST_CONTEXT(raw << " in pieces of " << piece) {
      BOOST_TEST((out.state == state::complete));
      BOOST_TEST(out.body == body);
      BOOST_TEST(out.consumed == raw.size());
    }
  }
}

void check_refused(std::string const& raw, errc code = errc::malformed_http) {
  for (std::size_t piece = 1; piece <= raw.size(); ++piece) {
    auto const out = decode(raw, piece);
    BOOST_TEST_CONTEXT(raw << " in pieces of " << piece) {
      BOOST_TEST((out.state == state::refused));
      BOOST_TEST(describe(out.code).code == describe(code).code);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(chunks_are_joined) {
  check_complete("0\r\n\r\n", "");
  check_complete("3\r\nabc\r\n0\r\n\r\n", "abc");
  check_complete("3\r\nabc\r\n1\r\n\r\r\n2\r\n\r\n\r\n00\r\n\r\n", "abc\r\r\n");
  check_complete("a\r\n0123456789\r\n0\r\n\r\n", "0123456789");
  check_complete("000000000000000A\r\n0123456789\r\n0\r\n\r\n", "0123456789");
}

BOOST_AUTO_TEST_CASE(well_formed_extensions_are_dropped) {
  check_complete("1;a\r\nx\r\n0;b=c;d=\"e \\\"f\"\r\n\r\n", "x");
  check_complete("1;a=\"\";b\r\nx\r\n0\r\n\r\n", "x");
}

BOOST_AUTO_TEST_CASE(harmless_trailers_are_dropped) {
  check_complete("0\r\nX-Sum: 1\r\nY:\r\n\r\n", "");
  check_complete("0\r\nHos: 1\r\nHostt: 2\r\n\r\n", "");
}

BOOST_AUTO_TEST_CASE(sizes_are_plain_hexadecimal_numbers) {
  for (auto const& size : {""s, " 1"s, "1 "s, "+1"s, "-1"s, "0x1"s, "1_0"s, "g"s, "1\t"s, "1,1"s, "\r1"s,
                           "00000000000000001"s, "10000000000000000"s, "fffffffffffffffff"s}) {
    check_refused(size + "\r\nx\r\n0\r\n\r\n");
  }
}

BOOST_AUTO_TEST_CASE(lines_end_in_crlf) {
  for (auto const& raw : {"1\nx\r\n"s, "1\rx\r\n"s, "1\r\nx\n0"s, "1\r\nx\r0"s, "1\r\nxy\r\n"s, "1\r\nx0\r\n"s, "0\n"s,
                          "0\r\n\n"s, "0\r\n\rx"s, "0\r\nA: b\n"s, "0\r\nA: b\rc"s, "1;a\nx"s, "1;a=\"b\nc\""s}) {
    check_refused(raw);
  }
}

BOOST_AUTO_TEST_CASE(malformed_extensions_are_refused) {
  for (auto const& raw : {"1;\r\n"s, "1;;a\r\n"s, "1;=b\r\n"s, "1;a=\r\n"s, "1;a=\"b\r\n"s, "1;a=\"b\"c\r\n"s,
                          "1;a b\r\n"s, "1 ;a\r\n"s, "1; a\r\n"s, "1;a =b\r\n"s, "1;a= b\r\n"s, "1;a=b=c\r\n"s,
                          "1;a=\"\\\r"s, "1;a=\"\x7f"s, "1;a=\0"s, "1 a\r\n"s}) {
    check_refused(raw);
  }
}

BOOST_AUTO_TEST_CASE(extensions_are_bounded_over_all_chunks) {
  std::string const extension(small.header_bytes_max / 2, 'e');
  check_refused("1;" + extension + "\r\nx\r\n1;" + extension + "\r\nx\r\n");
}

BOOST_AUTO_TEST_CASE(malformed_trailers_are_refused) {
  for (auto const& raw : {"0\r\n: a\r\n"s, "0\r\nA : b\r\n"s, "0\r\n A: b\r\n"s, "0\r\nA: b\r\n c\r\n"s, "0\r\nA\r\n"s,
                          "0\r\nA: \0\r\n"s, "0\r\nA: \x7f\r\n"s}) {
    check_refused(raw);
  }
}

BOOST_AUTO_TEST_CASE(trailers_that_change_the_head_are_refused) {
  for (auto const& name : {"Content-Length"s, "transfer-encoding"s, "HOST"s, "Authorization"s, "Connection"s,
                           "Trailer"s, "Idempotency-Key"s, "X-Forwarded-For"s, "Content-Type"s, "If-Match"s}) {
    check_refused("0\r\nX: y\r\n" + name + ": 1\r\n\r\n");
  }
}

BOOST_AUTO_TEST_CASE(trailers_are_bounded) {
  check_complete("0\r\nA:\r\nB:\r\nC:\r\n\r\n", "");
  check_refused("0\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n", errc::headers_too_large);
  check_complete("0\r\nA:" + std::string(small.header_bytes_max - 4, 'x') + "\r\n\r\n", "");
  check_refused("0\r\nA:" + std::string(small.header_bytes_max - 3, 'x') + "\r\n\r\n", errc::headers_too_large);
}

BOOST_AUTO_TEST_CASE(a_body_beyond_the_limit_is_noticed_at_the_size_of_its_chunk) {
  for (auto const& raw : {"b\r\n"s, "5\r\nabcde\r\n6\r\n"s, "ffffffffffffffff\r\n"s}) {
    for (std::size_t piece = 1; piece <= raw.size(); ++piece) {
      BOOST_TEST((decode(raw, piece).state == state::too_large));
    }
  }
  check_complete("5\r\nabcde\r\n5\r\nfghij\r\n0\r\n\r\n", "abcdefghij");
}

BOOST_AUTO_TEST_CASE(a_decoder_begins_anew_for_the_next_body) {
  chunked_body chunks{body_max, small};
  for (int i = 0; i < 3; ++i) {
    std::string body;
    BOOST_TEST((chunks.decode("6;x\r\nabcdef\r\n0\r\nA:\r\nB:\r\n\r\n", body) == state::complete));
    BOOST_TEST(body == "abcdef");
    chunks.restart();
  }
}

BOOST_AUTO_TEST_SUITE_END()
