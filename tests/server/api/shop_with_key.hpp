// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>

#include "service_fixture.hpp"

namespace petstore::server {

/// A service and a caller who may do everything.
struct shop_with_key : service_fixture {
  shop_with_key() : shop_with_key(service_options{}) {}
  explicit shop_with_key(service_options o) : service_fixture{std::move(o)}, key{make_key()} {}

  void add_pets(int n) {
    for (int i = 0; i < n; ++i) BOOST_REQUIRE(post(rosa).status == 201);
  }
  answer post(std::string body) { return send(method::post, "/v1/pets", key, std::move(body)); }
  answer post_once(std::string idempotency_key, std::string body) {
    return ask({.method = method::post,
                .key = key,
                .fields = {{"Idempotency-Key", std::move(idempotency_key)}},
                .body = std::move(body)});
  }
  answer patch(std::string target, std::string body, std::string if_match = "*") {
    return ask({.method = method::patch,
                .target = std::move(target),
                .key = key,
                .fields = {{"If-Match", std::move(if_match)}},
                .body = std::move(body)});
  }
  answer remove(std::string target) {
    return ask({.method = method::delete_, .target = std::move(target), .key = key});
  }

  std::string key;
};

}  // namespace petstore::server
