// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "contract/expectations.hpp"
#include "contract/wire_tap.hpp"

using namespace contract;
using namespace std::chrono_literals;
using namespace std::string_literals;

BOOST_FIXTURE_TEST_SUITE(protocol, wire_tap, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(other_versions_are_refused) {
  for (const char* version : {"HTTP/1.2", "HTTP/1.3", "HTTP/1.9"}) {
    expect_refused("GET /v1/pets " + std::string(version) + "\r\n" + host + "\r\n", 505, "http_version_not_supported");
  }
  for (const char* version : {"http/1.1", "Http/1.1", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/1.1x", "HTTP/11",
                              "HTTP 1.1", "HTTQ/1.1", "HTTP/01.1", "HTTP/-1.1"}) {
    expect_refused("GET /v1/pets " + std::string(version) + "\r\n" + host + "\r\n", 400, "malformed_http");
  }
}

BOOST_AUTO_TEST_CASE(http_0_9_is_malformed) {
  expect_refused("GET /v1/pets\r\n\r\n", 400, "malformed_http", then::nothing);
  expect_refused("GET /v1/pets \r\n\r\n", 400, "malformed_http", then::nothing);
}

BOOST_AUTO_TEST_CASE(a_malformed_head_is_refused) {
  for (const std::string& bytes : {
           "GET /v1/pets HTTP/1.1\n" + host + bearer + "\r\n",
           "GET /v1/pets HTTP/1.1\r\nHost: pets.example\n" + bearer + "\r\n",
           get + "X-A: b\n\r\n",
           get + "X-A: b\r\n\n",
           get + "X-A: b\r\n c\r\n\r\n",
           get + "X-A: b\r\n\tc\r\n\r\n",
           get + " X-A: b\r\n\r\n",
           "GET /v1/pets HTTP/1.1\r\n X-A: b\r\n" + host + bearer + "\r\n",
           get + "X-A : b\r\n\r\n",
           get + ": b\r\n\r\n",
           get + "X-A\r\n\r\n",
           get + "X A: b\r\n\r\n",
           get + "X(A): b\r\n\r\n",
           get + "X-A: b\rc\r\n\r\n",
           get + "X-A: b\0c\r\n\r\n"s,
           get + "X-A: b\x01\r\n\r\n"s,
           get + "X\x80: b\r\n\r\n"s,
           "GET  /v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET /v1/pets  HTTP/1.1\r\n" + host + bearer + "\r\n",
           " GET /v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET\t/v1/pets\tHTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET /v1/pets?a b HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET /v1/pets\x01 HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET /v1/pets\x80 HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET /v1/pets\0 HTTP/1.1\r\n"s + host + bearer + "\r\n",
           "GET v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n",
           "GET HTTP/1.1\r\n" + host + bearer + "\r\n",
           "G@T /v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n",
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"s,
       }) {
    expect_refused(bytes, 400, "malformed_http");
  }
}

BOOST_AUTO_TEST_CASE(host_is_there_exactly_once) {
  expect_refused("GET /v1/pets HTTP/1.1\r\n" + bearer + "\r\n", 400, "malformed_http");
  expect_refused(get + "Host: pets.example\r\n\r\n", 400, "malformed_http");
  expect_refused(get + "host: other.example\r\n\r\n", 400, "malformed_http");
}

BOOST_AUTO_TEST_CASE(what_the_protocol_refuses_costs_the_key_nothing) {
  const std::int64_t before = tokens_left();
  expect_refused(get + "X-A : b\r\n\r\n", 400, "malformed_http");
  expect_refused("BREW /v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n", 501, "not_implemented");
  expect_refused(post + "Content-Length: 65537\r\n\r\n", 413, "payload_too_large", then::nothing);
  BOOST_TEST(tokens_left() == before - 1);
}

BOOST_AUTO_TEST_CASE(unknown_methods_are_not_implemented) {
  for (const char* method : {"BREW", "get", "Get", "PROPFIND", "LINK", "X-Y", "GETT", "POS"}) {
    expect_refused(std::string(method) + " /v1/pets HTTP/1.1\r\n" + host + bearer + "\r\n", 501, "not_implemented");
  }
}

BOOST_AUTO_TEST_CASE(connect_and_trace_are_not_allowed_with_or_without_a_key) {
  for (const std::string& key_line : {bearer, ""s}) {
    const answer trace =
        expect_refused("TRACE /v1/pets HTTP/1.1\r\n" + host + key_line + "\r\n", 405, "method_not_allowed");
    BOOST_TEST(list_has(trace["Allow"], "GET"));
    BOOST_TEST(!list_has(trace["Allow"], "TRACE"));
    const answer connect =
        expect_refused("CONNECT pets.example:443 HTTP/1.1\r\n" + host + key_line + "\r\n", 405, "method_not_allowed");
    BOOST_TEST(!list_has(connect["Allow"], "CONNECT"));
  }
}

BOOST_AUTO_TEST_CASE(the_only_expectation_is_100_continue) {
  expect_refused(post + "Expect: 200-ok\r\nContent-Length: 29\r\n\r\n", 417, "expectation_failed", then::nothing);

  connection wire(node.port());
  wire.send(post + "Expect: 100-continue\r\nContent-Length: " + std::to_string(rex.size()) + "\r\n\r\n");
  BOOST_TEST(wire.receives_within(60s), "no 100 (Continue) came");
  wire.send(rex);
  BOOST_TEST(wire.receive().status == 201);
  BOOST_TEST(wire.interim() == 1);

  connection large(node.port());
  large.send(post + "Expect: 100-continue\r\nContent-Length: 65537\r\n\r\n");
  expect_error(large.receive(), 413, "payload_too_large");
  BOOST_TEST(large.interim() == 0);
}

BOOST_AUTO_TEST_CASE(a_request_id_is_echoed_when_it_is_one) {
  for (const std::string& id : {"a"s, std::string(128, 'z'), "0f-#!~{}\"'"s}) {
    BOOST_TEST(api.get("/v1/pets?limit=1", {{"X-Request-Id", id}})["X-Request-Id"] == id);
  }
  for (const std::string& id : {std::string(129, 'z'), ""s, "a b"s, "\xc3\xa9"s}) {
    const answer got = api.get("/v1/pets?limit=1", {{"X-Request-Id", id}});
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got["X-Request-Id"] != id);
  }
  BOOST_TEST(api.get("/v1/pets?limit=1")["X-Request-Id"] != api.get("/v1/pets?limit=1")["X-Request-Id"]);
  BOOST_TEST(api.get("/v1/nowhere", {{"X-Request-Id", "lost"}})["X-Request-Id"] == "lost");
  const answer refused = expect_refused(post + "X-Request-Id: big\r\nContent-Length: 65537\r\n\r\n", 413,
                                        "payload_too_large", then::nothing);
  BOOST_TEST(refused["X-Request-Id"] == "big");
}

BOOST_AUTO_TEST_SUITE_END()
