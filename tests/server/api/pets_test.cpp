// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "server/api/shop_with_key.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(create_pet)

BOOST_AUTO_TEST_CASE(a_pet_is_created_and_found_again) {
  shop_with_key s;
  auto const made = s.post(rosa);
  BOOST_TEST(made.status == 201u);
  BOOST_TEST(made.body == R"({"id":1,"name":"Rosa","categoryId":1,"status":"available"})");
  BOOST_TEST(made.field("Location") == "/v1/pets/1");
  BOOST_TEST(made.field("Idempotency-Replayed") == "");
  auto const got = s.get("/v1/pets/1", s.key);
  BOOST_TEST(got.status == 200u);
  BOOST_TEST(got.body == made.body);
  BOOST_TEST(got.field("ETag") == made.field("ETag"));
  BOOST_TEST(got.key == 1u);
}

BOOST_AUTO_TEST_CASE(without_a_status_it_has_none_unless_one_is_configured) {
  shop_with_key s;
  BOOST_TEST(s.post(R"({"name":"Rosa","categoryId":1})").body == R"({"id":1,"name":"Rosa","categoryId":1})");
  service_options options;
  options.default_status = pet_status::pending;
  shop_with_key with_default{options};
  BOOST_TEST(with_default.post(R"({"name":"Rosa","categoryId":1})").body ==
             R"({"id":1,"name":"Rosa","categoryId":1,"status":"pending"})");
  BOOST_TEST(with_default.post(rosa).json().at("status").as_string() == "available");
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_body_is_named) {
  shop_with_key s;
  auto const a = s.post(R"({"name":"","categoryId":1.0,"status":"lost"})");
  BOOST_TEST(a.status == 400u);
  for (auto const* member : {"name", "categoryId", "status"})
    BOOST_TEST(a.message().find(member) != std::string::npos, member);
}

BOOST_AUTO_TEST_CASE(a_body_must_be_there_and_be_json) {
  shop_with_key s;
  BOOST_TEST(s.ask({.method = method::post, .key = s.key}).status == 400u);
  BOOST_TEST(s.post("").status == 400u);
  BOOST_TEST(s.post("[]").status == 400u);
  BOOST_TEST(s.ask({.method = method::post, .key = s.key, .body = rosa, .content_type = ""}).status == 415u);
  BOOST_TEST(s.ask({.method = method::post, .key = s.key, .body = rosa, .content_type = "text/json"}).status == 415u);
  BOOST_TEST(s.ask({.method = method::post, .key = s.key, .body = rosa, .content_type = "application/merge-patch+json"})
                 .status == 415u);
  BOOST_TEST(
      s.ask({.method = method::post, .key = s.key, .body = rosa, .content_type = "Application/Json; Charset=\"UTF-8\""})
          .status == 201u);
}

BOOST_AUTO_TEST_CASE(a_category_must_exist_only_when_asked_for) {
  service_options options;
  options.require_known_category = true;
  shop_with_key s{options};
  BOOST_TEST(s.post(rosa).status == 400u);
  BOOST_TEST(s.send(method::post, "/v1/categories", s.key, R"({"name":"Cats"})").status == 201u);
  BOOST_TEST(s.post(rosa).status == 201u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"categoryId":9})").status == 400u);
}

BOOST_AUTO_TEST_CASE(the_same_key_and_body_give_the_first_answer_again) {
  shop_with_key s;
  auto const first = s.post_once("\"abc\"", rosa);
  auto const again = s.post_once("abc", rosa);
  BOOST_TEST(again.status == 201u);
  BOOST_TEST(again.body == first.body);
  BOOST_TEST(again.field("ETag") == first.field("ETag"));
  BOOST_TEST(again.field("Location") == first.field("Location"));
  BOOST_TEST(again.field("Idempotency-Replayed") == "true");
  BOOST_TEST(std::stoi(again.field("X-RateLimit-Remaining")) == std::stoi(first.field("X-RateLimit-Remaining")) - 1);
  BOOST_TEST(s.get("/v1/pets", s.key).json().as_array().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_replay_outlives_the_pet_but_not_its_day) {
  shop_with_key s;
  s.post_once("abc", rosa);
  BOOST_TEST(s.remove("/v1/pets/1").status == 204u);
  s.pass(23h);
  BOOST_TEST(s.post_once("abc", rosa).field("Idempotency-Replayed") == "true");
  s.pass(1h);
  auto const later = s.post_once("abc", rosa);
  BOOST_TEST(later.status == 201u);
  BOOST_TEST(later.field("Idempotency-Replayed") == "");
  BOOST_TEST(later.field("Location") == "/v1/pets/2");
}

BOOST_AUTO_TEST_CASE(another_body_under_the_same_key_is_a_conflict) {
  shop_with_key s;
  s.post_once("abc", rosa);
  BOOST_TEST(s.post_once("abc", rosa + " ").status == 409u);
  auto const other = s.make_key();
  auto const a =
      s.ask({.method = method::post, .key = other, .fields = {{"Idempotency-Key", "abc"}}, .body = rosa + " "});
  BOOST_TEST(a.status == 201u);
}

BOOST_AUTO_TEST_CASE(only_successes_are_kept_under_a_key) {
  shop_with_key s;
  BOOST_TEST(s.post_once("abc", "{}").status == 400u);
  BOOST_TEST(s.post_once("abc", rosa).status == 201u);
}

BOOST_AUTO_TEST_CASE(a_malformed_or_repeated_key_is_a_bad_request) {
  shop_with_key s;
  BOOST_TEST(s.post_once("a b", rosa).status == 400u);
  BOOST_TEST(s.post_once("", rosa).status == 400u);
  BOOST_TEST(s.post_once(std::string(256, 'x'), rosa).status == 400u);
  auto const twice = s.ask({.method = method::post,
                            .key = s.key,
                            .fields = {{"Idempotency-Key", "a"}, {"idempotency-key", "a"}},
                            .body = rosa});
  BOOST_TEST(twice.status == 400u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(get_pet)

BOOST_AUTO_TEST_CASE(a_tag_that_is_known_is_answered_304_without_a_body) {
  shop_with_key s;
  auto const tag = s.post(rosa).field("ETag");
  auto const ask = [&](std::string value) {
    return s.ask({.target = "/v1/pets/1", .key = s.key, .fields = {{"If-None-Match", std::move(value)}}});
  };
  for (auto const& value : {tag, "W/" + tag, "\"x\", " + tag, std::string{"*"}}) {
    auto const a = ask(value);
    BOOST_TEST(a.status == 304u, value);
    BOOST_TEST(a.body == "");
    BOOST_TEST(a.field("ETag") == tag);
    BOOST_TEST(a.field("Content-Type") == "");
  }
  BOOST_TEST(ask("\"x\"").status == 200u);
  BOOST_TEST(ask("x").status == 400u);
  auto const two_lines =
      s.ask({.target = "/v1/pets/1", .key = s.key, .fields = {{"If-None-Match", "\"x\""}, {"If-None-Match", tag}}});
  BOOST_TEST(two_lines.status == 304u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"name":"Rosa II"})").status == 200u);
  BOOST_TEST(ask(tag).status == 200u);
}

BOOST_AUTO_TEST_CASE(an_id_that_no_pet_has_is_not_found) {
  shop_with_key s;
  for (auto const* id : {"1", "0", "-1", "9223372036854775807", "x", "01", "1.0", "9223372036854775808"})
    BOOST_TEST(s.get(std::string{"/v1/pets/"} + id, s.key).status == 404u, id);
}

BOOST_AUTO_TEST_CASE(a_body_is_ignored) {
  shop_with_key s;
  s.add_pets(1);
  BOOST_TEST(s.ask({.target = "/v1/pets/1", .key = s.key, .body = "nonsense", .content_type = "x"}).status == 200u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(update_and_delete_pet)

BOOST_AUTO_TEST_CASE(a_merge_patch_changes_what_it_names) {
  shop_with_key s;
  auto const before = s.post(rosa);
  auto const a = s.patch("/v1/pets/1", R"({"name":"Rosa II"})", before.field("ETag"));
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.body == R"({"id":1,"name":"Rosa II","categoryId":1,"status":"available"})");
  BOOST_TEST(a.field("ETag") != before.field("ETag"));
  BOOST_TEST(s.patch("/v1/pets/1", R"({"status":null})").body == R"({"id":1,"name":"Rosa II","categoryId":1})");
  BOOST_TEST(s.patch("/v1/pets/1", R"({"name":null})").status == 400u);
  BOOST_TEST(s.patch("/v1/pets/1", "{}").status == 200u);
  BOOST_TEST(s.patch("/v1/pets/2", "{}", "*").status >= 404u);
}

BOOST_AUTO_TEST_CASE(both_media_types_are_taken) {
  shop_with_key s;
  s.add_pets(1);
  for (auto const* type : {"application/json", "application/merge-patch+json",
                           "application/merge-patch+json; "
                           "charset=UTF-8"}) {
    auto const a = s.ask({.method = method::patch,
                          .target = "/v1/pets/1",
                          .key = s.key,
                          .body = R"({"status":"sold"})",
                          .content_type = type});
    BOOST_TEST(a.status == 200u, type);
  }
}

BOOST_AUTO_TEST_CASE(a_condition_that_fails_changes_nothing) {
  shop_with_key s;
  auto const tag = s.post(rosa).field("ETag");
  BOOST_TEST(s.patch("/v1/pets/1", R"({"status":"sold"})", "\"other\"").status == 412u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"status":"sold"})", "W/" + tag).status == 412u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"status":"sold"})", "no tag").status == 400u);
  auto const remove = [&](std::string condition) {
    return s.ask({.method = method::delete_,
                  .target = "/v1/pets/1",
                  .key = s.key,
                  .fields = {{"If-Match", std::move(condition)}}});
  };
  BOOST_TEST(remove("\"other\"").status == 412u);
  BOOST_TEST(s.get("/v1/pets/1", s.key).field("ETag") == tag);
  auto const gone = remove(tag);
  BOOST_TEST(gone.status == 204u);
  BOOST_TEST(gone.body == "");
  BOOST_TEST(gone.field("Content-Type") == "");
  BOOST_TEST(s.get("/v1/pets/1", s.key).status == 404u);
  BOOST_TEST(s.remove("/v1/pets/1").status == 404u);
}

BOOST_AUTO_TEST_CASE(a_pet_with_an_open_order_stays) {
  shop_with_key s;
  s.add_pets(1);
  BOOST_TEST(s.send(method::post, "/v1/store/orders", s.key, R"({"petId":1})").status == 201u);
  BOOST_TEST(s.remove("/v1/pets/1").status == 409u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"status":"sold"})").status == 409u);
  BOOST_TEST(s.patch("/v1/pets/1", R"({"name":"Rosa II"})").status == 200u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::server
