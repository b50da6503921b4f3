// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "framing.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace petstore::bench {

BOOST_AUTO_TEST_SUITE(bench_framing)

namespace {

using namespace std::string_view_literals;

constexpr auto two_bytes = "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 2\r\nVary: x\r\n\r\nab"sv;

bool is_malformed(std::string_view bytes) {
  return read_answer(bytes).state == framing::malformed;
}

BOOST_AUTO_TEST_CASE(a_head_ends_with_its_empty_line) {
  BOOST_TEST(head_length("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET") == 27U);
  BOOST_TEST(head_length("GET / HTTP/1.1\r\nHost: a\r\n\r") == 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_ends_where_its_content_length_says) {
  auto const bytes = std::string(two_bytes) + "HTTP/1.1 404";
  auto const a = read_answer(bytes);
  BOOST_TEST((a.state == framing::complete));
  BOOST_TEST(a.status == 200U);
  BOOST_TEST(a.length == two_bytes.size());
}

BOOST_AUTO_TEST_CASE(every_beginning_of_an_answer_is_incomplete) {
  for (std::size_t length = 0; length < two_bytes.size(); ++length) {
    BOOST_TEST_CONTEXT(two_bytes.substr(0, length)) {
      BOOST_TEST((read_answer(two_bytes.substr(0, length)).state == framing::incomplete));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_name_of_a_field_has_no_case) {
  BOOST_TEST(read_answer("HTTP/1.1 200 OK\r\nCONTENT-length: 1\r\n\r\nx").length == 39U);
  BOOST_TEST(is_malformed("HTTP/1.1 200 OK\r\ntransfer-ENCODING: chunked\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(an_answer_whose_end_is_not_said_is_malformed) {
  BOOST_TEST(is_malformed("HTTP/1.1 200 OK\r\nDate: now\r\n\r\n"));
  BOOST_TEST(is_malformed("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"));
  BOOST_TEST(is_malformed("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"));
  BOOST_TEST(is_malformed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"));
  BOOST_TEST(is_malformed("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"));
  BOOST_TEST(is_malformed("HTTP/1.1 two OK\r\nContent-Length: 0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(a_length_beyond_all_memory_waits_instead_of_wrapping_round) {
  auto const a = read_answer("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nx");
  BOOST_TEST((a.state == framing::incomplete));
}

BOOST_AUTO_TEST_CASE(an_answer_without_a_body_needs_no_length) {
  BOOST_TEST(read_answer("HTTP/1.1 204 No Content\r\n\r\nHTTP").length == 27U);
  BOOST_TEST(read_answer("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n").length == 48U);
}

BOOST_AUTO_TEST_CASE(a_made_answer_has_the_bytes_asked_for_and_can_be_read) {
  for (std::size_t const bytes : {answer_bytes_min, std::size_t{1'000}, std::size_t{65'537}}) {
    auto const text = make_answer(bytes);
    BOOST_TEST(text.size() == bytes);
    BOOST_TEST(read_answer(text).length == bytes);
  }
  BOOST_CHECK_THROW(make_answer(answer_bytes_min - 1), std::invalid_argument);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::bench
