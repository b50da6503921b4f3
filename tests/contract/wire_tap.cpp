// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/wire_tap.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "contract/expectations.hpp"

namespace contract {

answer wire_tap::expect_refused(const std::string& bytes, int status, std::string_view code, then followed_by) {
  answer got;
  BOOST_TEST_CONTEXT(bytes.substr(0, 300)) {
    connection wire(node.port());
    wire.send(followed_by == then::good_request ? bytes + get + "\r\n" : bytes);
    got = wire.receive();
    expect_complete(got);
    expect_error(got, status, code);
    BOOST_TEST(got.closes());
    BOOST_TEST(wire.ends_within(std::chrono::seconds(60)), "the connection stays open or says more");
  }
  return got;
}

answer wire_tap::expect_taken(const std::string& bytes, int status) {
  connection wire(node.port());
  wire.send(bytes);
  answer got = wire.receive();
  BOOST_TEST(got.status == status, bytes.substr(0, 300) << " answered " << got.status << " " << got.body);
  expect_complete(got);
  return got;
}

std::int64_t wire_tap::tokens_left() {
  return api.get("/v1/pets?limit=1").integer("X-RateLimit-Remaining");
}

std::string chunk(const std::string& data) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", data.size());
  return size + data + "\r\n";
}

}  // namespace contract
