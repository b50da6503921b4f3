// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <regex>
#include <thread>

#include "contract/expectations.hpp"
#include "contract/walk.hpp"

using namespace contract;

namespace {

std::string order_path(std::int64_t id) {
  return "/v1/store/orders/" + std::to_string(id);
}
std::string order_for(std::int64_t pet) {
  return "{\"petId\":" + std::to_string(pet) + "}";
}

struct counter : on_open_node {
  answer step(std::int64_t order, const std::string& status) {
    return api.patch(order_path(order), "{\"status\":\"" + status + "\"}");
  }
  std::string status_of_pet(std::int64_t pet) { return api.get(pet_path(pet)).value()["status"].text(); }

  // A new animal, and an order for it with this status.
  std::pair<std::int64_t, std::int64_t> order_that_is(const std::string& status) {
    const std::int64_t pet = api.make_pet();
    const std::int64_t order = api.make_order(pet);
    if (status == "approved" || status == "delivered") BOOST_TEST(step(order, "approved").status == 200);
    if (status == "delivered" || status == "cancelled") BOOST_TEST(step(order, status).status == 200);
    return {pet, order};
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(orders, counter, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(an_order_reserves_the_animal) {
  const std::int64_t pet = api.make_pet();
  const answer made = api.post("/v1/store/orders", order_for(pet));
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made["X-Stability"] == "beta");
  const json order = made.value();
  BOOST_TEST(order.size() == 5U);
  BOOST_TEST(order["petId"].integer() == pet);
  BOOST_TEST(order["status"].text() == "placed");
  BOOST_TEST(made["Location"] == order_path(order["id"].integer()));
  const std::regex rfc3339_milliseconds(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)");
  BOOST_TEST(std::regex_match(order["createdAt"].text(), rfc3339_milliseconds), order["createdAt"].text());
  BOOST_TEST(order["updatedAt"].text() == order["createdAt"].text());
  BOOST_TEST(status_of_pet(pet) == "pending");
  const answer got = api.get(made["Location"]);
  BOOST_TEST(got.body == made.body);
  BOOST_TEST(got["X-Stability"] == "beta");
}

BOOST_AUTO_TEST_CASE(only_an_available_animal_is_ordered) {
  expect_error(api.post("/v1/store/orders", order_for(9223372036854775807)), 404, "not_found");
  expect_error(api.post("/v1/store/orders", order_for(-1)), 404, "not_found");
  for (const char* status : {R"(,"status":"pending")", R"(,"status":"sold")", ""}) {
    const std::int64_t pet = api.make_pet(R"({"name":"Rex","categoryId":1)" + std::string(status) + "}");
    expect_error(api.post("/v1/store/orders", order_for(pet)), 409, "conflict");
  }
  const std::int64_t ordered = api.make_pet();
  api.make_order(ordered);
  expect_error(api.post("/v1/store/orders", order_for(ordered)), 409, "conflict");
}

BOOST_AUTO_TEST_CASE(a_bad_order_is_refused) {
  const std::string pet = std::to_string(api.make_pet());
  for (const std::string& body :
       {std::string("{}"), std::string("{\"petId\":null}"), "{\"petId\":\"" + pet + "\"}", "{\"petId\":" + pet + ".0}",
        "{\"petId\":" + pet + "e0}", "{\"petId\":" + pet + ",\"petId\":" + pet + "}", "[{\"petId\":" + pet + "}]",
        std::string("{\"petId\":9223372036854775808}"), std::string("{\"petId\":true}"), std::string(""),
        "{\"petId\":" + pet + "}x"}) {
    BOOST_TEST_CONTEXT(body) {
      expect_error(api.post("/v1/store/orders", body), 400, "invalid_request");
    }
  }
  BOOST_TEST(api.get("/v1/pets/" + pet).value()["status"].text() == "available");
}

BOOST_AUTO_TEST_CASE(every_step_is_judged_by_where_the_order_stands) {
  const std::vector<std::string> statuses{"placed", "approved", "delivered", "cancelled"};
  const std::vector<std::pair<std::string, std::string>> allowed{
      {"placed", "approved"}, {"placed", "cancelled"}, {"approved", "delivered"}, {"approved", "cancelled"}};
  for (const std::string& from : statuses) {
    for (const std::string& to : statuses) {
      BOOST_TEST_CONTEXT(from << " to " << to) {
        const auto [pet, order] = order_that_is(from);
        const std::string before = api.get(order_path(order)).body;
        const std::string pet_before = status_of_pet(pet);
        const answer got = step(order, to);
        if (std::find(allowed.begin(), allowed.end(), std::pair(from, to)) != allowed.end()) {
          BOOST_TEST(got.status == 200);
          BOOST_TEST(got.value()["status"].text() == to);
          BOOST_TEST(got.value()["updatedAt"].text() >= got.value()["createdAt"].text());
          BOOST_TEST(api.get(order_path(order)).body == got.body);
          const std::string expected = to == "delivered" ? "sold" : to == "cancelled" ? "available" : "pending";
          BOOST_TEST(status_of_pet(pet) == expected);
        } else {
          expect_error(got, 409, "conflict");
          BOOST_TEST(api.get(order_path(order)).body == before);
          BOOST_TEST(status_of_pet(pet) == pet_before);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bad_step_is_refused) {
  const auto [pet, order] = order_that_is("placed");
  for (const char* body : {"{\"status\":\"lost\"}", "{\"status\":null}", "{\"status\":5}", "{\"status\":\"Approved\"}",
                           "[]", "", "{\"status\":\"approved\",\"status\":\"approved\"}"}) {
    BOOST_TEST_CONTEXT(body) {
      expect_error(api.patch(order_path(order), body), 400, "invalid_request");
    }
  }
  expect_error(api.patch(order_path(order), "{}", {{"Content-Type", "text/plain"}}), 415, "unsupported_media_type");
  for (const char* id : {"0", "-1", "9223372036854775807", "9223372036854775808", "abc"}) {
    expect_error(api.patch("/v1/store/orders/" + std::string(id), "{\"status\":\"approved\"}"), 404, "not_found");
    expect_error(api.get("/v1/store/orders/" + std::string(id)), 404, "not_found");
  }
  BOOST_TEST(step(order, "approved").status == 200);
}

BOOST_AUTO_TEST_CASE(an_open_order_holds_its_animal) {
  for (const std::string status : {"placed", "approved"}) {
    const auto [pet, order] = order_that_is(status);
    expect_error(api.del(pet_path(pet)), 409, "conflict");
    expect_error(api.patch(pet_path(pet), R"({"status":"available"})"), 409, "conflict");
    expect_error(api.patch(pet_path(pet), R"({"status":null})"), 409, "conflict");
    expect_error(api.patch(pet_path(pet), R"({"name":"Max","status":"sold"})"), 409, "conflict");
    BOOST_TEST(api.get(pet_path(pet)).value()["name"].text() == "Rex");
    BOOST_TEST(api.patch(pet_path(pet), R"({"name":"Max"})").status == 200);
    BOOST_TEST(step(order, "cancelled").status == 200);
    BOOST_TEST(api.patch(pet_path(pet), R"({"status":"sold"})").status == 200);
    BOOST_TEST(api.del(pet_path(pet)).status == 204);
    BOOST_TEST(api.get(order_path(order)).value()["petId"].integer() == pet);
  }
  const auto [sold, delivered] = order_that_is("delivered");
  BOOST_TEST(api.del(pet_path(sold)).status == 204);
  BOOST_TEST(api.get(order_path(delivered)).status == 200);
}

BOOST_AUTO_TEST_CASE(a_cancelled_animal_is_ordered_again) {
  const auto [pet, order] = order_that_is("cancelled");
  const std::int64_t again = api.make_order(pet);
  BOOST_TEST(again > order);
  // The old order is final and must not change the animal, which has a new order.
  expect_error(step(order, "cancelled"), 409, "conflict");
  BOOST_TEST(status_of_pet(pet) == "pending");
}

BOOST_AUTO_TEST_CASE(of_many_orders_for_one_animal_exactly_one_wins) {
  constexpr int threads = 8;
  for (int round = 0; round < 5; ++round) {
    const std::int64_t pet = api.make_pet();
    std::vector<answer> answers(threads);
    std::vector<std::thread> crowd;
    for (answer& mine : answers) {
      crowd.emplace_back([&mine, this, pet] {
        client customer(node, api.key());
        mine = customer.ask({"POST", "/v1/store/orders", {{"Content-Type", "application/json"}}, order_for(pet)});
      });
    }
    for (std::thread& each : crowd) each.join();
    const auto with_status = [&](int status) {
      return std::count_if(answers.begin(), answers.end(), [=](const answer& a) { return a.status == status; });
    };
    BOOST_TEST(with_status(201) == 1);
    BOOST_TEST(with_status(409) == threads - 1);
    BOOST_TEST(api.get("/v1/store/orders?petId=" + std::to_string(pet)).value().size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(of_two_steps_at_once_exactly_one_is_taken) {
  for (int round = 0; round < 5; ++round) {
    const auto [pet, order] = order_that_is("approved");
    std::vector<answer> answers(2);
    std::vector<std::thread> crowd;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      crowd.emplace_back([&, this, i, target = order_path(order)] {
        client clerk(node, api.key());
        const std::string body = i == 0 ? R"({"status":"delivered"})" : R"({"status":"cancelled"})";
        answers[i] = clerk.ask({"PATCH", target, {{"Content-Type", "application/json"}}, body});
      });
    }
    for (std::thread& each : crowd) each.join();
    BOOST_TEST(answers[0].status + answers[1].status == 200 + 409);
    BOOST_TEST(status_of_pet(pet) == (answers[0].status == 200 ? "sold" : "available"));
  }
}

BOOST_AUTO_TEST_CASE(orders_are_listed_by_status_and_animal) {
  const auto [first_pet, first] = order_that_is("cancelled");
  const std::int64_t second = api.make_order(first_pet);
  const auto [other_pet, third] = order_that_is("approved");
  using ids = std::vector<std::int64_t>;
  using boost::test_tools::per_element;
  const std::string of_first = "/v1/store/orders?petId=" + std::to_string(first_pet);
  BOOST_TEST(ids_of(api.get(of_first)) == (ids{first, second}), per_element());
  BOOST_TEST(ids_of(api.get(of_first + "&status=placed")) == ids{second}, per_element());
  BOOST_TEST(ids_of(api.get(of_first + "&status=delivered")).empty());
  BOOST_TEST(walk(api, of_first + "&limit=1") == (ids{first, second}), per_element());
  BOOST_TEST(ids_of(api.get("/v1/store/orders?petId=" + std::to_string(other_pet))) == ids{third}, per_element());
  ids approved = walk(api, "/v1/store/orders?status=approved&limit=3");
  std::erase_if(approved, [&](std::int64_t id) { return id < first; });
  BOOST_TEST(approved == ids{third}, per_element());
  ids all = walk(api, "/v1/store/orders?limit=2");
  BOOST_TEST(std::is_sorted(all.begin(), all.end()));
  std::erase_if(all, [&](std::int64_t id) { return id < first; });
  BOOST_TEST(all == (ids{first, second, third}), per_element());
  BOOST_TEST(ids_of(api.get("/v1/store/orders?petId=9223372036854775807")).empty());
}

BOOST_AUTO_TEST_CASE(a_bad_parameter_of_the_list_is_refused) {
  for (const char* query : {"limit=0", "limit=101", "status=sold", "status=available", "status=", "petId=abc",
                            "petId=", "petId=1.0", "petId=9223372036854775808", "petId=1&petId=1", "cursor=x"}) {
    BOOST_TEST_CONTEXT(query) {
      expect_error(api.get("/v1/store/orders?" + std::string(query)), 400, "invalid_request");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
