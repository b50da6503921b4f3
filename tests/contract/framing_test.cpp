// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/expectations.hpp"
#include "contract/wire_tap.hpp"

using namespace contract;
using namespace std::chrono_literals;
using namespace std::string_literals;

BOOST_FIXTURE_TEST_SUITE(framing, wire_tap, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_length_is_given_once_and_is_a_number) {
  const std::string length = std::to_string(rex.size());
  for (const std::string& lines :
       {"Content-Length: " + length + "\r\nContent-Length: " + length + "\r\n",
        "Content-Length: " + length + "\r\nContent-Length: 1\r\n", "Content-Length: " + length + ", " + length + "\r\n",
        "Content-Length: +" + length + "\r\n", "Content-Length: -1\r\n"s, "Content-Length: 0x1d\r\n"s,
        "Content-Length: \r\n"s, "Content-Length: 2 9\r\n"s, "Content-Length: 29a\r\n"s, "Content-Length: 1.0\r\n"s}) {
    expect_refused(post + lines + "\r\n" + rex, 400, "malformed_http");
  }
  expect_taken(post + "Content-Length: " + length + "\r\n\r\n" + rex, 201);
}

BOOST_AUTO_TEST_CASE(transfer_codings_are_chunked_or_nothing) {
  const std::string body = chunk(rex) + "0\r\n\r\n";
  for (const char* coding : {"foo", "foo, chunked", "gzip, chunked", "xchunked"}) {
    expect_refused(post + "Transfer-Encoding: " + coding + "\r\n\r\n" + body, 501, "not_implemented");
  }
  for (const std::string& lines :
       {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"s, "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"s,
        "Transfer-Encoding: chunked, chunked\r\n"s, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"s}) {
    expect_refused(post + lines + "\r\n" + body, 400, "malformed_http");
  }
  expect_refused("POST /v1/pets HTTP/1.0\r\n" + bearer + "Transfer-Encoding: chunked\r\n\r\n" + body, 400,
                 "malformed_http");
  expect_taken(post + "Transfer-Encoding: chunked\r\n\r\n" + body, 201);
  expect_taken(post + "transfer-encoding: Chunked\r\n\r\n" + body, 201);
}

BOOST_AUTO_TEST_CASE(chunks_are_put_together) {
  const std::string head = post + "Transfer-Encoding: chunked\r\n\r\n";
  std::string bytes = head;
  for (const char letter : rex) bytes += chunk(std::string(1, letter));
  expect_taken(bytes + "0\r\n\r\n", 201);
  expect_taken(head + "1D;name=value\r\n" + rex + "\r\n000\r\nX-Trailer: a\r\n\r\n", 201);
}

BOOST_AUTO_TEST_CASE(malformed_chunks_are_refused) {
  const std::string head = post + "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& body :
       {"1d\n" + rex + "\r\n0\r\n\r\n", "1d\r\n" + rex + "\n0\r\n\r\n", "1d\r\n" + rex + "x\r\n0\r\n\r\n",
        "xyz\r\n" + rex + "\r\n0\r\n\r\n", "0x1d\r\n" + rex + "\r\n0\r\n\r\n", "-1\r\n" + rex + "\r\n0\r\n\r\n",
        "\r\n" + rex + "\r\n0\r\n\r\n", " 1d\r\n" + rex + "\r\n0\r\n\r\n",
        "1d\r\n" + rex + "\r\n0\r\nAuthorization: Bearer x\r\n\r\n",
        "1d\r\n" + rex + "\r\n0\r\nContent-Length: 5\r\n\r\n", "1d\r\n" + rex + "\r\n0\r\nX-A: b\r\n c\r\n\r\n"}) {
    expect_refused(head + body, 400, "malformed_http");
  }
}

BOOST_AUTO_TEST_CASE(requests_that_arrive_together_are_answered_in_order) {
  const std::int64_t id = api.make_pet();
  connection wire(node.port());
  wire.send(get + "\r\n" + "GET /v1/pets/" + std::to_string(id) + " HTTP/1.1\r\n" + host + bearer + "\r\n" + post +
            "Content-Length: " + std::to_string(rex.size()) + "\r\n\r\n" + rex + get + "\r\n");
  BOOST_TEST(wire.receive().value().size() == 1U);
  BOOST_TEST(wire.receive().value()["id"].integer() == id);
  BOOST_TEST(wire.receive().status == 201);
  BOOST_TEST(wire.receive().status == 200);
}

BOOST_AUTO_TEST_CASE(a_request_may_come_a_byte_at_a_time) {
  connection wire(node.port());
  for (const char byte : post + "Content-Length: " + std::to_string(rex.size()) + "\r\n\r\n" + rex) {
    wire.send(std::string(1, byte));
  }
  BOOST_TEST(wire.receive().status == 201);
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_until_the_client_asks_otherwise) {
  connection wire(node.port());
  wire.send(get + "\r\n");
  BOOST_TEST(!wire.receive().closes());
  wire.send(get + "Connection: close\r\n\r\n" + get + "\r\n");
  BOOST_TEST(wire.receive().closes());
  BOOST_TEST(wire.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(http_1_0_needs_no_host_and_closes) {
  connection wire(node.port());
  wire.send("GET /v1/pets?limit=1 HTTP/1.0\r\n" + bearer + "\r\n");
  const answer got = wire.receive();
  BOOST_TEST(got.status == 200);
  BOOST_TEST(!got.has("Transfer-Encoding"));
  BOOST_TEST(wire.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(errors_leave_the_connection_as_it_is) {
  connection wire(node.port());
  for (int i = 0; i < 3; ++i) {
    wire.send("GET /v1/nowhere HTTP/1.1\r\n" + host + bearer + "\r\n");
    const answer got = wire.receive();
    expect_error(got, 404, "not_found");
    BOOST_TEST(!got.closes());
    wire.send(post + "Content-Length: 1\r\n\r\n{");
    expect_error(wire.receive(), 400, "invalid_request");
    wire.send("HEAD /v1/pets HTTP/1.1\r\n" + host + "\r\n");
    BOOST_TEST(wire.receive(true).status == 401);
  }
}

BOOST_AUTO_TEST_SUITE_END()
