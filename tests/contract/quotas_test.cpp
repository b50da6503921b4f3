// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>
#include <time.h>

#include <boost/test/unit_test.hpp>
#include <set>
#include <thread>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

constexpr std::int64_t day = 86400;

std::int64_t now() {
  return ::time(nullptr);
}

std::int64_t seconds_to_midnight(std::int64_t from = now()) {
  return day - from % day;
}

std::int64_t next_midnight() {
  return now() + seconds_to_midnight();
}

// A separate node with one key of small quotas, since what one case uses would disturb the next.
struct small_quota {
  // Day quotas are full again at 00:00 UTC. No case may run at that time; the longest one waits for a minute.
  small_quota() {
    BOOST_TEST(eventually([] { return seconds_to_midnight() > 90; }, std::chrono::seconds(120)));
  }

  client open_with(std::int64_t per_minute, std::int64_t per_day, const arguments& serve_flags = {}) {
    key = node.create_key(
        {"--plan", "pro", "--per-minute", std::to_string(per_minute), "--per-day", std::to_string(per_day)});
    node.open(serve_flags);
    return client(node, key.secret);
  }

  test_node node;
  issued_key key;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quotas, small_quota)

BOOST_AUTO_TEST_CASE(exactly_the_minutes_number_passes) {
  client api = open_with(3, 50);
  const std::int64_t begin = now();
  std::int64_t reset = 0;
  for (const std::int64_t remaining : {2, 1, 0}) {
    const answer got = api.get("/v1/pets");
    BOOST_TEST(got.status == 200);
    expect_shown(got, "minute", 3, remaining);
    BOOST_TEST(got["RateLimit-Policy"] == R"("minute";q=3;w=60, "day";q=50;w=86400)");
    BOOST_TEST(quota_item_of(got, "RateLimit", "day").parameters.at("r") == 50 - 3 + remaining);
    expect_between(quota_item_of(got, "RateLimit", "day").parameters.at("t"), seconds_to_midnight(),
                   seconds_to_midnight(got.asked_at));
    expect_between(got.integer("X-RateLimit-Reset"), begin + 60, got.received_at + 60);
    BOOST_TEST(!got.has("Retry-After"));
    if (reset == 0) reset = got.integer("X-RateLimit-Reset");
    BOOST_TEST(got.integer("X-RateLimit-Reset") == reset);
  }
  for (int i = 0; i < 3; ++i) {
    const answer refused = api.get("/v1/pets");
    expect_error(refused, 429, "rate_limited");
    expect_shown(refused, "minute", 3, 0);
    BOOST_TEST(refused.integer("X-RateLimit-Reset") == reset);
    BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 1U);
    expect_between(refused.integer("Retry-After"), 60 - (refused.received_at - begin), 60);
    BOOST_TEST(refused["RateLimit-Policy"] == R"("minute";q=3;w=60, "day";q=50;w=86400)");
  }
  BOOST_TEST(api.head("/v1/pets").status == 429);
}

BOOST_AUTO_TEST_CASE(an_exhausted_day_leaves_the_minute_alone) {
  client api = open_with(10, 2);
  expect_shown(api.get("/v1/pets"), "day", 2, 1);
  expect_shown(api.get("/v1/pets"), "day", 2, 0);
  for (int i = 0; i < 5; ++i) {
    const answer refused = api.get("/v1/pets");
    expect_error(refused, 429, "rate_limited");
    expect_shown(refused, "day", 2, 0);
    BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 1U);
    expect_between(refused.integer("Retry-After"), seconds_to_midnight(), seconds_to_midnight(refused.asked_at));
    expect_between(refused.integer("X-RateLimit-Reset"), next_midnight(), next_midnight());
  }
  BOOST_TEST(api.get("/v1/quota").value()["minute"]["used"].integer() == 2);
}

BOOST_AUTO_TEST_CASE(an_exhausted_minute_leaves_the_day_alone) {
  client api = open_with(2, 10);
  for (int i = 0; i < 8; ++i) api.get("/v1/pets");
  BOOST_TEST(api.get("/v1/quota").value()["day"]["used"].integer() == 2);
}

BOOST_AUTO_TEST_CASE(when_both_are_exhausted_the_one_that_frees_last_is_shown) {
  client api = open_with(2, 2);
  // On a tie the later reset is shown: the day's, except in the last minute before midnight.
  const bool day_is_later = seconds_to_midnight() > 80;
  const answer first = api.get("/v1/pets");
  if (day_is_later) expect_shown(first, "day", 2, 1);
  api.get("/v1/pets");
  const answer refused = api.get("/v1/pets");
  expect_error(refused, 429, "rate_limited");
  BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 2U);
  if (day_is_later) expect_shown(refused, "day", 2, 0);
}

BOOST_AUTO_TEST_CASE(every_answer_costs_one_token_but_that_of_get_quota) {
  client api = open_with(1000, 10000);
  const std::int64_t pet = api.make_pet();
  const std::string path = pet_path(pet);
  const std::string etag = api.get(path)["ETag"];
  api.make_order(pet);
  std::int64_t left = api.get("/v1/pets").integer("X-RateLimit-Remaining");
  const auto expect_cost = [&](const answer& got, int status, std::int64_t cost) {
    BOOST_TEST_CONTEXT(status) {
      BOOST_TEST(got.status == status);
      left -= cost;
      BOOST_TEST(got.integer("X-RateLimit-Remaining") == left);
    }
  };
  expect_cost(api.get(path), 200, 1);
  expect_cost(api.head(path), 200, 1);
  expect_cost(api.get(path, {{"If-None-Match", etag}}), 200, 1);  // the order has changed the animal
  expect_cost(api.get(path, {{"If-None-Match", "*"}}), 304, 1);
  expect_cost(api.options("/v1/pets"), 204, 1);
  expect_cost(api.get("/v1/pets?limit=0"), 400, 1);
  expect_cost(api.post("/v1/pets", "{"), 400, 1);
  expect_cost(api.get("/v1/nowhere"), 404, 1);
  expect_cost(api.get("/v1/pets/9223372036854775807"), 404, 1);
  expect_cost(api.send({"PUT", "/v1/pets", {}, {}}), 405, 1);
  expect_cost(api.del(path), 409, 1);
  expect_cost(api.patch(path, "{}", {{"If-Match", "\"x\""}}), 412, 1);
  expect_cost(api.post("/v1/pets", "{}", {{"Content-Type", "text/plain"}}), 415, 1);
  expect_cost(api.get("/v1/quota"), 200, 0);
  expect_cost(api.head("/v1/quota"), 200, 0);
  expect_cost(api.post("/v1/pets", R"({"name":"Rex","categoryId":1})"), 201, 1);
}

BOOST_AUTO_TEST_CASE(a_refused_write_has_no_effect) {
  client api = open_with(2, 100);
  api.make_pet();
  api.make_pet();
  expect_error(api.post("/v1/pets", R"({"name":"Rex","categoryId":1})"), 429, "rate_limited");
  BOOST_TEST(node.close() == 0);
  const issued_key second = node.create_key();
  node.open();
  BOOST_TEST(client(node, second.secret).get("/v1/pets").value().size() == 2U);
}

BOOST_AUTO_TEST_CASE(quota_is_judged_after_the_key_and_before_everything_else) {
  client api = open_with(1, 100);
  api.get("/v1/pets");
  for (const char* target : {"/v1/nowhere", "/v1/pets?limit=0", "/v1/pets/1", "/v1/openapi"}) {
    expect_error(api.get(target), 429, "rate_limited");
  }
  expect_error(api.send({"PUT", "/v1/pets", {}, {}}), 429, "rate_limited");
  expect_error(api.options("/v1/pets"), 429, "rate_limited");
  const answer deprecated = api.get("/v1/pets/1");
  BOOST_TEST(deprecated["Deprecation"] == "@1780272000");
  BOOST_TEST(deprecated["Sunset"] == "Thu, 05 Dec 2030 00:00:00 GMT");
  expect_error(client(node, "ps_live_x").get("/v1/pets"), 401, "unauthorized");
}

BOOST_AUTO_TEST_CASE(what_the_service_could_not_do_is_given_back) {
  client api = open_with(5000, 50000, {"--store-size", "1MiB"});
  // The longest name, so that few writes fill the store.
  std::string name;
  for (int i = 0; i < 255; ++i) name += "🐕";
  const std::string body = R"({"name":")" + name + R"(","categoryId":1})";
  answer last;
  std::int64_t left = 5000;
  for (int i = 0; i < 4500 && (last = api.post("/v1/pets", body)).status == 201; ++i) {
    left = last.integer("X-RateLimit-Remaining");
  }
  expect_error(last, 503, "unavailable");
  BOOST_TEST(last.integer("X-RateLimit-Remaining") == left);
  // Reads still work.
  const answer read = api.get("/v1/pets?limit=1");
  BOOST_TEST(read.status == 200);
  BOOST_TEST(read.integer("X-RateLimit-Remaining") == left - 1);
}

BOOST_AUTO_TEST_CASE(under_many_threads_exactly_the_tokens_there_are_pass) {
  constexpr std::int64_t per_minute = 150;
  client api = open_with(per_minute, 100000);
  std::vector<std::vector<answer>> answers(8);
  std::vector<std::thread> crowd;
  for (auto& mine : answers) {
    crowd.emplace_back([&] {
      client each(node, key.secret);
      for (int i = 0; i < 30; ++i) mine.push_back(each.ask({"GET", "/v1/pets", {}, {}}));
    });
  }
  for (std::thread& each : crowd) each.join();
  std::multiset<std::int64_t> remaining;
  for (const auto& some : answers) {
    for (const answer& got : some) {
      BOOST_TEST((got.status == 200 || got.status == 429));
      if (got.status == 200) remaining.insert(got.integer("X-RateLimit-Remaining"));
    }
  }
  BOOST_TEST(remaining.size() == static_cast<std::size_t>(per_minute));
  // Each number of tokens was left exactly once.
  BOOST_TEST((std::set<std::int64_t>(remaining.begin(), remaining.end()).size() == remaining.size()));
  BOOST_TEST(*remaining.begin() == 0);
  BOOST_TEST(api.get("/v1/quota").value()["day"]["used"].integer() == per_minute);
}

BOOST_AUTO_TEST_CASE(two_keys_of_one_identity_share_one_quota) {
  const issued_key old = node.create_key({"--plan", "pro", "--per-minute", "3", "--per-day", "50"});
  const issued_key renewed = read_issued_key(node.keys("rotate", old.id));
  node.open();
  client before(node, old.secret), after(node, renewed.secret);
  expect_shown(before.get("/v1/pets"), "minute", 3, 2);
  expect_shown(after.get("/v1/pets"), "minute", 3, 1);
  expect_shown(before.get("/v1/pets"), "minute", 3, 0);
  BOOST_TEST(after.get("/v1/pets").status == 429);
}

BOOST_AUTO_TEST_CASE(get_quota_reports_plan_and_both_quotas_and_passes_an_empty_one) {
  client api = open_with(2, 10);
  const answer fresh = api.get("/v1/quota");
  BOOST_TEST(fresh.status == 200);
  BOOST_TEST(fresh["X-Stability"] == "beta");
  BOOST_TEST(fresh.value()["plan"].text() == "pro");
  BOOST_TEST(fresh.value()["minute"]["used"].integer() == 0);
  // No period is open, so there is no wait.
  BOOST_TEST(quota_item_of(fresh, "RateLimit", "minute").parameters.at("t") == 0);
  expect_between(fresh.integer("X-RateLimit-Reset"), fresh.asked_at, fresh.received_at);
  for (int i = 0; i < 3; ++i) api.get("/v1/pets");
  const answer spent = api.get("/v1/quota");
  BOOST_TEST(spent.status == 200);
  expect_shown(spent, "minute", 2, 0);
  const json report = spent.value();
  BOOST_TEST(report["minute"]["quota"].integer() == 2);
  BOOST_TEST(report["minute"]["used"].integer() == 2);
  BOOST_TEST(report["minute"]["remaining"].integer() == 0);
  expect_between(report["minute"]["reset"].integer(), fresh.asked_at + 60, spent.received_at + 60);
  BOOST_TEST(report["day"]["quota"].integer() == 10);
  BOOST_TEST(report["day"]["used"].integer() == 2);
  BOOST_TEST(report["day"]["remaining"].integer() == 8);
  expect_between(report["day"]["reset"].integer(), next_midnight(), next_midnight());
}

BOOST_AUTO_TEST_CASE(get_quota_has_a_limit_of_its_own) {
  client api = open_with(5, 10);
  for (int i = 0; i < 60; ++i) BOOST_TEST(api.get("/v1/quota").status == 200);
  const answer refused = api.get("/v1/quota");
  expect_error(refused, 429, "rate_limited");
  BOOST_TEST(refused.integer("Retry-After") >= 1);
  BOOST_TEST(refused.integer("Retry-After") <= 60);
  expect_shown(refused, "minute", 5, 5);
  BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 2U);
  const answer got = api.get("/v1/pets");
  BOOST_TEST(got.status == 200);
  expect_shown(got, "minute", 5, 4);
}

BOOST_AUTO_TEST_CASE(a_continuous_bucket_gives_a_token_at_a_time) {
  const std::string config =
      node.write_file("petstore.toml", "[plans.pro]\nper_minute = 60\nper_day = 1000\nrefill = \"continuous\"\n");
  const issued_key smooth = node.create_key({"--plan", "pro"});
  node.open({"--config", config});
  client api(node, smooth.secret);
  int passed = 0;
  answer refused;
  // A slow machine may see a token or two come back while it empties the bucket.
  while ((refused = api.get("/v1/pets")).status == 200 && passed < 200) ++passed;
  BOOST_TEST(passed >= 60);
  expect_error(refused, 429, "rate_limited");
  BOOST_TEST(refused.integer("Retry-After") == 1);
  expect_between(refused.integer("X-RateLimit-Reset"), refused.asked_at + 60, refused.received_at + 60);
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
}

BOOST_AUTO_TEST_CASE(plans_come_from_the_configuration) {
  const std::string config = node.write_file("petstore.toml", "[plans.free]\nper_minute = 7\nper_day = 70\n");
  const issued_key plain = node.create_key({"--plan", "free"});
  node.open({"--config", config});
  BOOST_TEST(client(node, plain.secret).get("/v1/pets")["RateLimit-Policy"] ==
             R"("minute";q=7;w=60, "day";q=70;w=86400)");
}

BOOST_AUTO_TEST_CASE(a_changed_plan_applies_without_a_restart_and_keeps_what_was_used) {
  const issued_key plain = node.create_key({"--plan", "free"});
  node.open({"--config", node.write_file("petstore.toml", "[plans.free]\nper_minute = 7\nper_day = 70\n")});
  client api(node, plain.secret);
  for (int i = 0; i < 3; ++i) api.get("/v1/pets");
  node.write_file("petstore.toml", "[plans.free]\nper_minute = 5\nper_day = 50\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] {
    return api.ask({"GET", "/v1/quota", {}, {}}).value()["minute"]["quota"].integer() == 5;
  }));
  const answer got = api.get("/v1/pets");
  expect_shown(got, "minute", 5, 1);
  BOOST_TEST(quota_item_of(got, "RateLimit", "day").parameters.at("r") == 46);
  // An invalid file does not change the current settings.
  node.write_file("petstore.toml", "[plans.free]\nper_minute = \"x\"\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(api.get("/v1/pets").integer("X-RateLimit-Limit") == 5);
  BOOST_TEST(api.get("/v1/pets").status == 429);
}

BOOST_AUTO_TEST_CASE(the_draft_fields_can_be_turned_off) {
  const issued_key plain = node.create_key({"--plan", "free"});
  node.open({"--rate-limit-fields", "off"});
  const answer got = client(node, plain.secret).ask({"GET", "/v1/pets", {}, {}});
  BOOST_TEST(!got.has("RateLimit"));
  BOOST_TEST(!got.has("RateLimit-Policy"));
  expect_shown(got, "minute", 60, 59);
}

BOOST_AUTO_TEST_CASE(an_operation_takes_the_tokens_that_it_costs) {
  const std::string file = node.write_file("costs.toml", "[costs]\ncreatePet = 4\n");
  client api = open_with(10, 50, {"--config", file});
  const std::string rosa = R"({"name":"Rosa","categoryId":1})";
  for (const std::int64_t remaining : {6, 2}) {
    const answer got = api.post("/v1/pets", rosa);
    BOOST_TEST(got.status == 201);
    expect_shown(got, "minute", 10, remaining);
    BOOST_TEST(quota_item_of(got, "RateLimit", "day").parameters.at("r") == 40 + remaining);
  }
  // The checks of `post` know only refusals at which no token is left.
  const answer refused = api.ask({"POST", "/v1/pets", {{"Content-Type", "application/json"}}, rosa});
  expect_error(refused, 429, "rate_limited");
  expect_shown(refused, "minute", 10, 2);
  BOOST_TEST(quota_item_of(refused, "RateLimit", "minute").parameters.at("r") == 2);
  expect_between(refused.integer("Retry-After"), 0, 60);
  expect_shown(api.get("/v1/pets"), "minute", 10, 1);
  expect_shown(api.get("/v1/quota"), "minute", 10, 1);

  const json document = client(node, "").get("/v1/openapi.json").value();
  BOOST_TEST(document["paths"]["/pets"]["post"]["x-cost"].integer() == 4);
  BOOST_TEST(!document["paths"]["/pets"]["get"].has("x-cost"));
}

BOOST_AUTO_TEST_CASE(other_costs_apply_when_the_program_reads_its_file_again) {
  const std::string file = node.write_file("costs.toml", "[costs]\ncreatePet = 4\n");
  open_with(10, 50, {"--config", file});
  node.write_file("costs.toml", "[costs]\nlistPets = 3\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(eventually(
      [&] { return client(node, "").get("/v1/openapi.json").value()["paths"]["/pets"]["get"].has("x-cost"); }));
  expect_shown(client(node, key.secret).get("/v1/pets"), "minute", 10, 7);
}

BOOST_AUTO_TEST_CASE(a_key_whose_quota_is_smaller_than_a_cost_is_told_so) {
  const std::string file = node.write_file("costs.toml", "[costs]\ncreatePet = 11\n");
  client api = open_with(10, 50, {"--config", file});
  const answer refused = api.post("/v1/pets", R"({"name":"Rosa","categoryId":1})");
  expect_error(refused, 403, "forbidden");
  expect_shown(refused, "minute", 10, 10);
}

// The only case that waits for a minute: it opens the minutes of a key and of an address together and waits for both.
BOOST_AUTO_TEST_CASE(a_retry_made_when_it_was_said_to_is_not_refused) {
  client api = open_with(2, 1000);
  client anonymous(node, "");
  api.get("/v1/pets");
  const answer last = api.get("/v1/pets");
  const std::int64_t wait = api.get("/v1/pets").integer("Retry-After");
  for (int i = 0; i < 60; ++i) anonymous.ask({"GET", "/v1/pets", {}, {}});
  const std::int64_t anonymous_wait = anonymous.get("/v1/pets").integer("Retry-After");
  BOOST_TEST(api.get("/v1/pets").status == 429);
  std::this_thread::sleep_for(std::chrono::seconds(wait));
  const answer again = api.get("/v1/pets");
  BOOST_TEST(again.status == 200);
  expect_shown(again, "minute", 2, 1);
  BOOST_TEST(again.integer("X-RateLimit-Reset") > last.integer("X-RateLimit-Reset"));
  BOOST_TEST(quota_item_of(again, "RateLimit", "day").parameters.at("r") == 1000 - 3);
  if (anonymous_wait > wait) std::this_thread::sleep_for(std::chrono::seconds(anonymous_wait - wait));
  expect_error(anonymous.get("/v1/pets"), 401, "unauthorized");
}

BOOST_AUTO_TEST_SUITE_END()
