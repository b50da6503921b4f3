// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

const std::string rex = R"({"name":"Rex","categoryId":1,"status":"available"})";

struct repeater : on_open_node {
  answer create(const std::string& key, const std::string& body = rex) {
    return api.post("/v1/pets", body, {{"Idempotency-Key", key}});
  }
};

void expect_replay(const answer& again, const answer& first) {
  BOOST_TEST(again.status == 201);
  BOOST_TEST(again["Idempotency-Replayed"] == "true");
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(again["Location"] == first["Location"]);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(idempotency, repeater, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(the_same_request_again_gets_the_stored_answer) {
  const answer first = create("again");
  BOOST_TEST(first.status == 201);
  BOOST_TEST(!first.has("Idempotency-Replayed"));
  const answer again = create("again");
  expect_replay(again, first);
  BOOST_TEST(again.integer("X-RateLimit-Remaining") == first.integer("X-RateLimit-Remaining") - 1);
  BOOST_TEST(again["X-Request-Id"] != first["X-Request-Id"]);
}

BOOST_AUTO_TEST_CASE(another_body_is_a_conflict) {
  create("conflict");
  expect_error(create("conflict", R"({"name":"Max","categoryId":1})"), 409, "conflict");
  // The bytes of bodies are compared, not their JSON values.
  expect_error(create("conflict", rex + " "), 409, "conflict");
}

BOOST_AUTO_TEST_CASE(an_enclosing_pair_of_quotes_is_stripped) {
  const answer first = create("quoted-key");
  expect_replay(create("\"quoted-key\""), first);
}

BOOST_AUTO_TEST_CASE(a_replay_comes_even_when_the_animal_is_gone_or_changed) {
  const answer first = create("gone");
  api.patch(first["Location"], R"({"name":"Max"})");
  expect_replay(create("gone"), first);
  BOOST_TEST(api.del(first["Location"]).status == 204);
  expect_replay(create("gone"), first);
  BOOST_TEST(api.get(first["Location"]).status == 404);
}

BOOST_AUTO_TEST_CASE(a_key_is_1_to_255_visible_ascii_characters) {
  for (const std::string& key : {std::string(1, 'k'), std::string(255, 'k'), "\"" + std::string(255, 'q') + "\"",
                                 std::string("!#$%&'()*+,-./:;<=>?@[]^_`{|}~")}) {
    BOOST_TEST_CONTEXT(key) {
      BOOST_TEST(create(key).status == 201);
    }
  }
  for (const std::string& key : {std::string(), std::string(256, 'k'), std::string("\"\""), std::string("a b"),
                                 std::string("a\tb"), std::string("\xc3\xa9"), "\"" + std::string(256, 'q') + "\""}) {
    BOOST_TEST_CONTEXT(key) {
      expect_error(create(key), 400, "invalid_request");
    }
  }
}

BOOST_AUTO_TEST_CASE(only_successes_are_stored) {
  expect_error(create("tried", R"({"name":"Rex"})"), 400, "invalid_request");
  const answer made = create("tried");
  BOOST_TEST(made.status == 201);
  BOOST_TEST(!made.has("Idempotency-Replayed"));
}

BOOST_AUTO_TEST_CASE(the_scope_is_the_identity_and_the_operation) {
  const answer mine = create("shared");
  const answer theirs = other.post("/v1/pets", rex, {{"Idempotency-Key", "shared"}});
  BOOST_TEST(theirs.status == 201);
  BOOST_TEST(!theirs.has("Idempotency-Replayed"));
  BOOST_TEST(theirs["Location"] != mine["Location"]);
  const std::string body = "{\"petId\":" + std::to_string(mine.value()["id"].integer()) + "}";
  const answer order = api.post("/v1/store/orders", body, {{"Idempotency-Key", "shared"}});
  BOOST_TEST(order.status == 201);
  BOOST_TEST(!order.has("Idempotency-Replayed"));
}

BOOST_AUTO_TEST_CASE(an_order_is_replayed_too) {
  const std::int64_t pet = api.make_pet();
  const std::string body = "{\"petId\":" + std::to_string(pet) + "}";
  const fields key{{"Idempotency-Key", "order"}};
  const answer first = api.post("/v1/store/orders", body, key);
  BOOST_TEST(first.status == 201);
  // Without the key this would be a conflict: the animal is pending now.
  expect_replay(api.post("/v1/store/orders", body, key), first);
  expect_error(api.post("/v1/store/orders", body), 409, "conflict");
}

BOOST_AUTO_TEST_CASE(duplicates_at_once_have_one_effect) {
  constexpr int threads = 8;
  for (int round = 0; round < 3; ++round) {
    std::vector<answer> answers(threads);
    std::vector<std::thread> crowd;
    for (answer& mine : answers) {
      crowd.emplace_back([&mine, this, round] {
        client repeated(node, api.key());
        mine = repeated.ask(
            {"POST",
             "/v1/pets",
             {{"Content-Type", "application/json"}, {"Idempotency-Key", "at-once-" + std::to_string(round)}},
             rex});
      });
    }
    for (std::thread& each : crowd) each.join();
    int originals = 0;
    for (const answer& each : answers) {
      BOOST_TEST(each.status == 201);
      BOOST_TEST(each.body == answers.front().body);
      originals += each.has("Idempotency-Replayed") ? 0 : 1;
    }
    BOOST_TEST(originals == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_rotated_key_is_the_same_identity) {
  test_node rotating;
  const issued_key old = rotating.create_key();
  const issued_key renewed = read_issued_key(rotating.keys("rotate", old.id));
  rotating.open();
  client before(rotating, old.secret);
  client after(rotating, renewed.secret);
  const fields key{{"Idempotency-Key", "rotated"}};
  const answer first = before.post("/v1/pets", rex, key);
  expect_replay(after.post("/v1/pets", rex, key), first);
  BOOST_TEST(rotating.close() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
