// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/expectations.hpp"
#include "contract/wire_tap.hpp"

using namespace contract;

BOOST_FIXTURE_TEST_SUITE(message_limits, wire_tap, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_body_has_at_most_64_kib) {
  const auto padded = [&](std::size_t size) { return rex + std::string(size - rex.size(), ' '); };
  const std::string head = post + "Content-Length: ";
  expect_taken(head + "65536\r\n\r\n" + padded(65536), 201);
  // The service refuses the length before the body arrives.
  expect_refused(head + "65537\r\n\r\n", 413, "payload_too_large", then::nothing);
  expect_refused(head + "65537\r\n\r\n" + padded(65537), 413, "payload_too_large", then::nothing);
  expect_refused(head + "9223372036854775807\r\n\r\n", 413, "payload_too_large", then::nothing);
}

BOOST_AUTO_TEST_CASE(a_chunked_body_that_grows_too_large_is_refused_and_costs_its_token) {
  const std::string head = post + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string most = rex + std::string(65536 - rex.size(), ' ');
  expect_taken(head + chunk(most) + "0\r\n\r\n", 201);
  const std::int64_t before = tokens_left();
  expect_refused(head + chunk(most) + chunk(" "), 413, "payload_too_large", then::nothing);
  expect_refused(head + "10001\r\n", 413, "payload_too_large", then::nothing);
  BOOST_TEST(tokens_left() == before - 3);
}

BOOST_AUTO_TEST_CASE(a_refusal_reaches_a_client_that_is_still_sending) {
  connection wire(node.port());
  wire.send(post + "Content-Length: 4000000\r\n\r\n");
  // Without a lingering close, these bytes would cause a reset, and the answer would be lost.
  try {
    for (int i = 0; i < 30; ++i) wire.send(std::string(100000, 'x'));
  } catch (const std::exception&) {
    // The service may stop reading; it has sent the answer nevertheless.
  }
  expect_error(wire.receive(), 413, "payload_too_large");
}

BOOST_AUTO_TEST_CASE(a_request_line_has_at_most_8_kib) {
  const auto line = [&](std::size_t size) {
    const std::string begin = "GET /v1/pets?limit=1&x=";
    const std::string end = " HTTP/1.1";
    return begin + std::string(size - begin.size() - end.size(), 'a') + end + "\r\n" + host + bearer + "\r\n";
  };
  expect_taken(line(8190), 200);
  expect_refused(line(8193), 414, "uri_too_long");
  expect_refused(line(100000), 414, "uri_too_long", then::nothing);
  expect_refused("GET /" + std::string(20000, 'a'), 414, "uri_too_long", then::nothing);
}

BOOST_AUTO_TEST_CASE(header_fields_have_at_most_8_kib) {
  expect_taken(get + "X-A: " + std::string(7700, 'a') + "\r\n\r\n", 200);
  expect_refused(get + "X-A: " + std::string(8192, 'a') + "\r\n\r\n", 431, "headers_too_large");
  std::string many = get;
  for (int i = 0; i < 90; ++i) many += "X-" + std::to_string(i) + ": " + std::string(100, 'a') + "\r\n";
  expect_refused(many + "\r\n", 431, "headers_too_large");
  expect_refused(get + "X-A: " + std::string(20000, 'a'), 431, "headers_too_large", then::nothing);
}

BOOST_AUTO_TEST_CASE(there_are_at_most_100_header_fields) {
  const auto with_fields = [&](int count) {
    std::string bytes = get;
    for (int i = 2; i < count; ++i) bytes += "X-" + std::to_string(i) + ": a\r\n";
    return bytes + "\r\n";
  };
  expect_taken(with_fields(100), 200);
  expect_refused(with_fields(101), 431, "headers_too_large");
  expect_refused(with_fields(1000), 431, "headers_too_large");
}

BOOST_AUTO_TEST_SUITE_END()
