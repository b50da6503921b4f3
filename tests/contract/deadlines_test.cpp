// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

BOOST_AUTO_TEST_SUITE(deadlines)

using namespace contract;
using namespace std::chrono_literals;

namespace {

const std::string hello = "GET /v1/pets HTTP/1.1\r\nHost: pets.example\r\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_header_that_does_not_end_in_time_is_408) {
  test_node node;
  node.open({"--header-timeout", "1s"});
  connection wire(node.port());
  wire.send(hello);
  const answer got = wire.receive();
  expect_complete(got);
  expect_error(got, 408, "request_timeout");
  BOOST_TEST(got.closes());
  BOOST_TEST(wire.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(trickling_does_not_extend_the_deadline) {
  test_node node;
  node.open({"--header-timeout", "1s"});
  connection wire(node.port());
  wire.send(hello + "X-A: ");
  // If each byte extended the deadline, the request would never end.
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (!wire.receives_within(100ms) && std::chrono::steady_clock::now() < end) wire.send("a");
  BOOST_REQUIRE(wire.receives_within(0s));
  expect_error(wire.receive(), 408, "request_timeout");
}

BOOST_AUTO_TEST_CASE(a_body_that_does_not_end_in_time_is_408) {
  test_node node;
  const issued_key key = node.create_key();
  node.open({"--header-timeout", "1s", "--request-timeout", "1s"});
  connection wire(node.port());
  wire.send("POST /v1/pets HTTP/1.1\r\nHost: pets.example\r\nAuthorization: Bearer " + key.secret +
            "\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{");
  const answer got = wire.receive();
  expect_complete(got);
  expect_error(got, 408, "request_timeout");
  BOOST_TEST(got.closes());
  BOOST_TEST(wire.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_ended) {
  test_node node;
  const issued_key key = node.create_key();
  node.open({"--idle-timeout", "1s"});
  connection wire(node.port());
  wire.send(hello + "Authorization: Bearer " + key.secret + "\r\n\r\n");
  BOOST_TEST(wire.receive().status == 200);
  BOOST_TEST(wire.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(a_connection_too_many_is_told_so) {
  test_node node;
  const issued_key key = node.create_key();
  node.open({"--max-connections", "2", "--crowded-timeout", "1h"});
  const request list{"GET", "/v1/pets", {{"Authorization", "Bearer " + key.secret}}, {}};
  connection first(node.port());
  connection second(node.port());
  BOOST_TEST(first.exchange(list).status == 200);
  BOOST_TEST(second.exchange(list).status == 200);
  {
    connection third(node.port());
    third.send(list.bytes());
    const answer got = third.receive();
    expect_complete(got);
    expect_error(got, 503, "unavailable");
    BOOST_TEST(got.closes());
    BOOST_TEST(third.ends_within(60s));
  }
  BOOST_TEST(first.exchange(list).status == 200);
  { const connection gone = std::move(second); }
  BOOST_TEST(eventually([&] { return connection(node.port()).exchange(list).status == 200; }));
}

BOOST_AUTO_TEST_SUITE_END()
