// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(orders)

namespace {

using namespace std::chrono_literals;

struct shop_with_pet : service_fixture {
  shop_with_pet() : key{make_key()} {
    send(method::post, "/v1/pets", key, R"({"name":"Rosa","categoryId":1,"status":"available"})");
  }
  answer order(std::string body = R"({"petId":1})") {
    return send(method::post, "/v1/store/orders", key, std::move(body));
  }
  answer step(std::string status, std::string target = "/v1/store/orders/1") {
    return send(method::patch, std::move(target), key, R"({"status":")" + status + R"("})");
  }
  std::string pet_status() { return std::string{get("/v1/pets/1", key).json().at("status").as_string()}; }

  std::string key;
};

BOOST_AUTO_TEST_CASE(an_order_reserves_its_pet) {
  shop_with_pet s;
  auto const made = s.order();
  BOOST_TEST(made.status == 201u);
  BOOST_TEST(made.field("Location") == "/v1/store/orders/1");
  BOOST_TEST(made.body == R"({"id":1,"petId":1,"status":"placed","createdAt":"2026-11-21T12:00:00.000Z",)"
                          R"("updatedAt":"2026-11-21T12:00:00.000Z"})");
  BOOST_TEST(s.pet_status() == "pending");
  BOOST_TEST(s.get("/v1/store/orders/1", s.key).body == made.body);
  BOOST_TEST(s.order().status == 409u);
}

BOOST_AUTO_TEST_CASE(delivery_sells_the_pet) {
  shop_with_pet s;
  s.order();
  s.pass(1500ms);
  auto const approved = s.step("approved");
  BOOST_TEST(approved.status == 200u);
  BOOST_TEST(approved.json().at("updatedAt").as_string() == "2026-11-21T12:00:01.500Z");
  BOOST_TEST(s.pet_status() == "pending");
  BOOST_TEST(s.step("delivered").status == 200u);
  BOOST_TEST(s.pet_status() == "sold");
  for (auto const* status : {"placed", "approved", "delivered", "cancelled"})
    BOOST_TEST(s.step(status).status == 409u, status);
}

BOOST_AUTO_TEST_CASE(cancelling_frees_the_pet) {
  shop_with_pet s;
  s.order();
  BOOST_TEST(s.step("delivered").status == 409u);
  BOOST_TEST(s.step("cancelled").status == 200u);
  BOOST_TEST(s.pet_status() == "available");
  BOOST_TEST(s.order().status == 201u);
}

BOOST_AUTO_TEST_CASE(only_an_available_pet_can_be_ordered) {
  shop_with_pet s;
  BOOST_TEST(s.order(R"({"petId":9})").status == 404u);
  BOOST_TEST(s.order(R"({"petId":"1"})").status == 400u);
  BOOST_TEST(s.order("{}").status == 400u);
  s.send(method::post, "/v1/pets", s.key, R"({"name":"b","categoryId":1})");
  BOOST_TEST(s.order(R"({"petId":2})").status == 409u);
}

BOOST_AUTO_TEST_CASE(a_step_may_be_conditional) {
  shop_with_pet s;
  auto const tag = s.order().field("ETag");
  auto const step = [&](std::string condition) {
    return s.ask({.method = method::patch,
                  .target = "/v1/store/orders/1",
                  .key = s.key,
                  .fields = {{"If-Match", std::move(condition)}},
                  .body = R"({"status":"approved"})"});
  };
  BOOST_TEST(step("\"other\"").status == 412u);
  auto const done = step(tag);
  BOOST_TEST(done.status == 200u);
  BOOST_TEST(done.field("ETag") != tag);
  BOOST_TEST(step(tag).status == 412u);
  BOOST_TEST(
      s.ask({.target = "/v1/store/orders/1", .key = s.key, .fields = {{"If-None-Match", done.field("ETag")}}}).status ==
      304u);
}

BOOST_AUTO_TEST_CASE(an_order_is_repeatable_under_a_key) {
  shop_with_pet s;
  auto const order = [&] {
    return s.ask({.method = method::post,
                  .target = "/v1/store/orders",
                  .key = s.key,
                  .fields = {{"Idempotency-Key", "abc"}},
                  .body = R"({"petId":1})"});
  };
  auto const first = order();
  BOOST_TEST(first.status == 201u);
  auto const again = order();
  BOOST_TEST(again.status == 201u);
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(again.field("Idempotency-Replayed") == "true");
}

BOOST_AUTO_TEST_CASE(orders_are_listed_by_status_and_pet) {
  shop_with_pet s;
  s.order();
  s.step("cancelled");
  s.order();
  s.send(method::post, "/v1/pets", s.key, R"({"name":"b","categoryId":1,"status":"available"})");
  s.order(R"({"petId":2})");
  auto const count = [&](std::string query) {
    auto const a = s.get("/v1/store/orders" + query, s.key);
    BOOST_REQUIRE(a.status == 200u);
    return a.json().as_array().size();
  };
  BOOST_TEST(count("") == 3u);
  BOOST_TEST(count("?status=placed") == 2u);
  BOOST_TEST(count("?status=placed&petId=1") == 1u);
  BOOST_TEST(count("?petId=1") == 2u);
  BOOST_TEST(count("?petId=-9") == 0u);
  auto const page = s.get("/v1/store/orders?limit=1&petId=1", s.key);
  auto const link = page.field("Link");
  BOOST_REQUIRE(link.starts_with("</v1/store/orders?limit=1&petId=1&cursor="));
  auto const next = s.get(link.substr(1, link.find('>') - 1), s.key);
  BOOST_TEST(next.json().at(0).at("id").as_int64() == 2);
  BOOST_TEST(s.get("/v1/store/orders?status=available", s.key).message() ==
             "status must be one of placed, approved, delivered, cancelled");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
