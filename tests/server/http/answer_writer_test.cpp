// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/answer_writer.hpp"

#include <boost/test/unit_test.hpp>

#include "http/date_line.hpp"
#include "http/request_id.hpp"

using namespace petstore::server;
using http::persistence;

namespace {

std::string write(response const& answer, persistence p = persistence::keep, bool to_head = false) {
  std::string out;
  http::append_answer(out, answer, {"Date: now\r\n", "id-1", p, to_head});
  return out;
}

request with_fields(std::span<header_field const> fields) {
  request req;
  req.fields = fields;
  return req;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(answer_writer)

BOOST_AUTO_TEST_CASE(an_answer_is_written_whole) {
  response answer;
  answer.status = 201;
  answer.add("Location", "/v1/pets/7");
  answer.body = "{}";
  BOOST_TEST(write(answer) ==
             "HTTP/1.1 201 Created\r\nDate: now\r\nContent-Length: 2\r\nX-Request-Id: id-1\r\nLocation: /v1/pets/7\r\n"
             "\r\n{}");
}

BOOST_AUTO_TEST_CASE(the_connection_is_named_where_its_end_is_not_the_default) {
  response const answer;
  BOOST_TEST(write(answer).find("Connection") == std::string::npos);
  BOOST_TEST(write(answer, persistence::close).find("\r\nConnection: close\r\n") != std::string::npos);
  BOOST_TEST(write(answer, persistence::keep_and_say).find("\r\nConnection: keep-alive\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_head_has_the_length_and_not_the_body) {
  response answer;
  answer.body = "body";
  auto const text = write(answer, persistence::keep, true);
  BOOST_TEST(text.find("Content-Length: 4\r\n") != std::string::npos);
  BOOST_TEST(text.ends_with("\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(statuses_without_a_body_have_no_length) {
  response answer;
  answer.body = "body";
  for (unsigned const status : {204u, 304u}) {
    answer.status = status;
    auto const text = write(answer);
    BOOST_TEST(text.find("Content-Length") == std::string::npos);
    BOOST_TEST(text.ends_with("\r\n\r\n"));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_status_has_an_empty_reason) {
  response answer;
  answer.status = 299;
  BOOST_TEST(write(answer).starts_with("HTTP/1.1 299 \r\n"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(date_line)

BOOST_AUTO_TEST_CASE(it_is_an_imf_fixdate) {
  using namespace std::chrono;
  http::date_line line;
  BOOST_TEST(line.at(system_clock::time_point{784'111'777s}) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  BOOST_TEST(line.at(system_clock::time_point{784'111'777s + 999ms}) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  BOOST_TEST(line.at(system_clock::time_point{784'111'778s}) == "Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
  BOOST_TEST(line.at(system_clock::time_point{0s}) == "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
  BOOST_TEST(line.at(system_clock::time_point{4'294'967'296s}) == "Date: Sun, 07 Feb 2106 06:28:16 GMT\r\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(request_id)

BOOST_AUTO_TEST_CASE(made_ids_are_16_digits_and_differ) {
  http::request_id_source source{7};
  auto const a = source.next(), b = source.next();
  BOOST_TEST((a != b));
  for (char const c : a) BOOST_TEST(std::string_view{"0123456789abcdef"}.find(c) != std::string_view::npos);
  http::request_id_source one, other;
  BOOST_TEST((one.next() != other.next()));
}

BOOST_AUTO_TEST_CASE(the_callers_id_is_taken_when_it_is_valid) {
  std::string const longest(128, 'x'), too_long(129, 'x');
  auto const found = [](std::string_view value) {
    header_field const fields[] = {{"Host", "a"}, {"x-request-id", value}};
    return http::find_request_id(with_fields(fields));
  };
  for (std::string_view const good : {std::string_view{"a"}, std::string_view{"~!\"{}"}, std::string_view{longest}}) {
    BOOST_TEST(found(good) == good);
  }
  for (std::string_view const bad : {std::string_view{""}, std::string_view{"a b"}, std::string_view{"a\x80"},
                                     std::string_view{"a\x7f"}, std::string_view{too_long}}) {
    BOOST_TEST(found(bad).empty());
  }
}

BOOST_AUTO_TEST_CASE(an_id_that_could_be_a_key_is_not_taken) {
  for (std::string_view const bad :
       {"ps_live_0123", "trace-ps_test_abc", "%70s_live_01", "aBcDeFgHiJaBcDeFgHiJaBcDeFgH"}) {
    header_field const fields[] = {{"X-Request-Id", bad}};
    BOOST_TEST(http::find_request_id(with_fields(fields)).empty());
  }
}

BOOST_AUTO_TEST_CASE(two_ids_are_none) {
  header_field const fields[] = {{"X-Request-Id", "a"}, {"X-Request-Id", "a"}};
  BOOST_TEST(http::find_request_id(with_fields(fields)).empty());
}

BOOST_AUTO_TEST_SUITE_END()
