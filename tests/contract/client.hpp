// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "contract/http_client.hpp"
#include "contract/test_node.hpp"

namespace contract {

// A caller of the service with one key (or none) and one address. It keeps its connection as long as possible. It
// checks every answer with expect_complete; a thread that must not assert uses `ask`.
class client {
 public:
  client(const test_node& node, std::string key, std::string source = "127.0.0.1");

  answer send(const request& wanted);
  // The same without the checks.
  answer ask(request wanted);

  answer get(const std::string& target, const fields& headers = {});
  answer head(const std::string& target, const fields& headers = {});
  answer options(const std::string& target, const fields& headers = {});
  answer del(const std::string& target, const fields& headers = {});
  answer post(const std::string& target, std::string_view body, const fields& headers = {});
  answer patch(const std::string& target, std::string_view body, const fields& headers = {});

  // Creates an animal with this body, which must be valid, and returns its id.
  std::int64_t make_pet(std::string_view body = R"({"name":"Rex","categoryId":1,"status":"available"})");
  std::int64_t make_order(std::int64_t pet);

  const std::string& key() const { return key_; }

 private:
  std::uint16_t port_;
  std::string key_;
  std::string source_;
  std::optional<connection> connection_;
};

const request listing{"GET", "/v1/pets", {}, {}};

inline std::string pet_path(std::int64_t id) {
  return "/v1/pets/" + std::to_string(id);
}

// Polls until the condition holds; false if it does not within the limit. The limit is long for a busy machine, also
// for what "a running server sees within one second".
bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit = std::chrono::seconds(60));

// A service for one suite, opened once for all of its cases that run in one process:
//   BOOST_FIXTURE_TEST_SUITE(name, on_open_node, *boost::unit_test::fixture<open_node>())
struct open_node {
  open_node();
  ~open_node();
};

struct on_open_node {
  on_open_node();
  test_node& node;
  // `api` is the same caller in every case, `other` another identity, and `reader` may only read.
  client api;
  client other;
  client reader;
};

}  // namespace contract
