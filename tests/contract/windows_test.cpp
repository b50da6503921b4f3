// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>
#include <time.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

constexpr std::int64_t hour = 3600;
constexpr std::int64_t day = 86400;

std::int64_t now() {
  return ::time(nullptr);
}

struct calendar_month {
  std::int64_t end;  // seconds since 1970
  std::int64_t length;
};

calendar_month present_month() {
  const time_t at = ::time(nullptr);
  tm parts{};
  ::gmtime_r(&at, &parts);
  tm first{};
  first.tm_year = parts.tm_year;
  first.tm_mon = parts.tm_mon;
  first.tm_mday = 1;
  tm next = first;
  ++next.tm_mon;  // timegm makes January of a thirteenth month
  const std::int64_t end = ::timegm(&next);
  return {end, end - ::timegm(&first)};
}

// A separate node whose plans have other windows than a minute and a day. Days and months end at 00:00 UTC. No case
// runs at that time, and none takes as long as an hour.
struct other_windows {
  other_windows() {
    BOOST_TEST(eventually([] { return day - now() % day > 90; }, std::chrono::seconds(120)));
  }

  // Opens the node with one key of this plan.
  client open_with(const std::string& plan, const std::string& tables, const arguments& key_flags = {}) {
    file = node.write_file("plans.toml", tables);
    arguments flags{"--plan", plan, "--config", file};
    flags.insert(flags.end(), key_flags.begin(), key_flags.end());
    key = node.create_key(flags);
    node.open({"--config", file});
    return client(node, key.secret);
  }

  test_node node;
  std::string file;
  issued_key key;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(windows, other_windows)

BOOST_AUTO_TEST_CASE(an_hour_begins_with_the_request_that_opens_it) {
  client api = open_with("quick", "[plans.quick]\nper_second = 1000\nper_hour = 3\n");
  const answer fresh = api.get("/v1/quota");
  expect_shown(fresh, "hour", 3, 3);
  expect_between(fresh.integer("X-RateLimit-Reset"), fresh.asked_at, fresh.received_at);  // no period is open
  const std::int64_t begin = now();
  std::int64_t reset = 0;
  for (const std::int64_t remaining : {2, 1, 0}) {
    const answer got = api.get("/v1/pets");
    BOOST_TEST(got.status == 200);
    expect_shown(got, "hour", 3, remaining);
    BOOST_TEST(got["RateLimit-Policy"] == R"("second";q=1000;w=1, "hour";q=3;w=3600)");
    BOOST_TEST(quota_item_of(got, "RateLimit", "second").parameters.at("r") < 1000);
    BOOST_TEST(quota_item_of(got, "RateLimit", "second").parameters.at("t") == 1);
    if (reset == 0) {
      reset = got.integer("X-RateLimit-Reset");
      expect_between(reset, begin + hour, got.received_at + hour);
    }
    expect_between(got.integer("X-RateLimit-Reset"), reset, reset);
  }
  const answer refused = api.get("/v1/pets");
  expect_error(refused, 429, "rate_limited");
  expect_shown(refused, "hour", 3, 0);
  BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 1U);
  expect_between(refused.integer("Retry-After"), begin + hour - refused.received_at, hour);
  expect_between(refused.integer("X-RateLimit-Reset"), reset, reset);
}

BOOST_AUTO_TEST_CASE(a_second_refuses_for_a_second) {
  client api = open_with("quick", "[plans.quick]\nper_second = 1\nper_hour = 1000000\n");
  answer refused;
  BOOST_TEST(eventually([&] { return (refused = api.ask({"GET", "/v1/pets", {}, {}})).status == 429; }));
  expect_complete(refused);
  expect_error(refused, 429, "rate_limited");
  expect_shown(refused, "second", 1, 0);
  BOOST_TEST(refused.integer("Retry-After") == 1);
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
}

BOOST_AUTO_TEST_CASE(a_month_is_that_of_the_calendar) {
  client api = open_with("bulk", "[plans.bulk]\nper_hour = 50\nper_month = 2\n");
  const std::int64_t begin = now();
  const calendar_month month = present_month();
  const std::string policy = R"("hour";q=50;w=3600, "month";q=2;w=)" + std::to_string(month.length);
  for (const std::int64_t remaining : {1, 0}) {
    const answer got = api.get("/v1/pets");
    BOOST_TEST(got.status == 200);
    expect_shown(got, "month", 2, remaining);
    BOOST_TEST(got["RateLimit-Policy"] == policy);
    BOOST_TEST(got.integer("X-RateLimit-Reset") == month.end);
    expect_between(quota_item_of(got, "RateLimit", "month").parameters.at("t"), month.end - got.received_at,
                   month.end - got.asked_at);
    expect_between(quota_item_of(got, "RateLimit", "hour").parameters.at("t"), begin + hour - got.received_at, hour);
  }
  const answer refused = api.get("/v1/pets");
  expect_error(refused, 429, "rate_limited");
  expect_shown(refused, "month", 2, 0);
  BOOST_TEST(refused["RateLimit-Policy"] == policy);
  BOOST_TEST(parse_quota_items(refused["RateLimit"]).size() == 1U);
  BOOST_TEST(refused.integer("X-RateLimit-Reset") == month.end);
  expect_between(refused.integer("Retry-After"), month.end - refused.received_at, month.end - refused.asked_at);
}

BOOST_AUTO_TEST_CASE(an_exhausted_hour_leaves_the_month_alone) {
  client api = open_with("bulk", "[plans.bulk]\nper_hour = 2\nper_month = 50\n");
  const std::int64_t begin = now();
  for (int i = 0; i < 2; ++i) BOOST_TEST(api.get("/v1/pets").status == 200);
  for (int i = 0; i < 3; ++i) {
    const answer refused = api.get("/v1/pets");
    expect_error(refused, 429, "rate_limited");
    expect_shown(refused, "hour", 2, 0);
    expect_between(refused.integer("Retry-After"), begin + hour - refused.received_at, hour);
  }
  BOOST_TEST(api.get("/v1/quota").value()["month"]["used"].integer() == 2);
}

BOOST_AUTO_TEST_CASE(a_standard_plan_may_have_a_month_in_place_of_its_day) {
  client api = open_with("free", "[plans.free]\nper_month = 5\n");
  const calendar_month month = present_month();
  const answer got = api.get("/v1/pets");
  expect_shown(got, "month", 5, 4);
  BOOST_TEST(got["RateLimit-Policy"] == R"("minute";q=60;w=60, "month";q=5;w=)" + std::to_string(month.length));
  BOOST_TEST(got.integer("X-RateLimit-Reset") == month.end);
  BOOST_TEST(quota_item_of(got, "RateLimit", "minute").parameters.at("r") == 59);
}

BOOST_AUTO_TEST_CASE(a_plan_may_have_a_short_window_alone) {
  client api = open_with("short", "[plans.short]\nper_hour = 2\n");
  const answer got = api.get("/v1/pets");
  expect_shown(got, "hour", 2, 1);
  BOOST_TEST(got["RateLimit-Policy"] == R"("hour";q=2;w=3600)");
  const json report = api.get("/v1/quota").value();
  BOOST_TEST(report.size() == 2U);
  BOOST_TEST(report["hour"]["used"].integer() == 1);
}

BOOST_AUTO_TEST_CASE(get_quota_has_a_member_for_each_window) {
  client api = open_with("bulk", "[plans.bulk]\nper_hour = 50\nper_month = 500\n");
  const std::int64_t begin = now();
  for (int i = 0; i < 3; ++i) api.get("/v1/pets");
  const answer got = api.get("/v1/quota");
  const json report = got.value();
  BOOST_TEST(report.size() == 3U);
  BOOST_TEST(report["plan"].text() == "bulk");
  BOOST_TEST(report["hour"]["quota"].integer() == 50);
  BOOST_TEST(report["hour"]["used"].integer() == 3);
  BOOST_TEST(report["hour"]["remaining"].integer() == 47);
  expect_between(report["hour"]["reset"].integer(), begin + hour, got.received_at + hour);
  BOOST_TEST(report["month"]["quota"].integer() == 500);
  BOOST_TEST(report["month"]["used"].integer() == 3);
  BOOST_TEST(report["month"]["remaining"].integer() == 497);
  BOOST_TEST(report["month"]["reset"].integer() == present_month().end);
}

BOOST_AUTO_TEST_CASE(what_was_used_survives_a_restart) {
  client api = open_with("quick", "[plans.quick]\nper_minute = 1000\nper_hour = 4\n");
  for (int i = 0; i < 3; ++i) api.get("/v1/pets");
  const std::int64_t reset = api.get("/v1/quota").value()["hour"]["reset"].integer();
  BOOST_TEST(node.close() == 0);
  node.open({"--config", file});
  client again(node, key.secret);
  const json report = again.get("/v1/quota").value();
  BOOST_TEST(report["hour"]["used"].integer() == 3);
  expect_between(report["hour"]["reset"].integer(), reset, reset);
  expect_shown(again.get("/v1/pets"), "hour", 4, 0);
  expect_error(again.get("/v1/pets"), 429, "rate_limited");
}

BOOST_AUTO_TEST_CASE(another_window_keeps_what_was_used_until_the_open_period_ends) {
  client api = open_with("free", "[plans.free]\nper_day = 7\n");
  for (int i = 0; i < 3; ++i) api.get("/v1/pets");
  node.write_file("plans.toml", "[plans.free]\nper_month = 9\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/quota", {}, {}}).value().has("month"); }));
  const answer got = api.get("/v1/pets");
  expect_shown(got, "month", 9, 5);
  expect_between(got.integer("X-RateLimit-Reset"), now() + day - now() % day, now() + day - now() % day);
}

BOOST_AUTO_TEST_CASE(numbers_of_a_key_are_for_a_minute_and_for_a_day) {
  const std::string tables = "[plans.bulk]\nper_hour = 50\nper_month = 500\n";
  client api = open_with("bulk", tables, {"--per-minute", "7"});
  BOOST_TEST(api.get("/v1/pets")["RateLimit-Policy"].starts_with(R"("minute";q=7;w=60, "month";q=500;w=)"));
  node.keys("set-plan", key.id, {"--plan", "bulk", "--config", file, "--per-day", "70"});
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/quota", {}, {}}).value().has("day"); }));
  const answer got = api.get("/v1/pets");
  BOOST_TEST(got["RateLimit-Policy"] == R"("hour";q=50;w=3600, "day";q=70;w=86400)");
}

BOOST_AUTO_TEST_CASE(a_cost_is_taken_from_each_window) {
  client api = open_with("quick", "[plans.quick]\nper_second = 1000\nper_hour = 10\n[costs]\ncreatePet = 4\n");
  const std::int64_t begin = now();
  const std::string rosa = R"({"name":"Rosa","categoryId":1})";
  for (const std::int64_t remaining : {6, 2}) {
    const answer got = api.post("/v1/pets", rosa);
    BOOST_TEST(got.status == 201);
    expect_shown(got, "hour", 10, remaining);
    BOOST_TEST(quota_item_of(got, "RateLimit", "second").parameters.at("r") <= 996);
  }
  // The checks of `post` know only refusals at which no token is left.
  const answer refused = api.ask({"POST", "/v1/pets", {{"Content-Type", "application/json"}}, rosa});
  expect_error(refused, 429, "rate_limited");
  expect_shown(refused, "hour", 10, 2);
  BOOST_TEST(quota_item_of(refused, "RateLimit", "hour").parameters.at("r") == 2);
  expect_between(refused.integer("Retry-After"), begin + hour - refused.received_at, hour);
  expect_shown(api.get("/v1/pets"), "hour", 10, 1);  // it took nothing
}

BOOST_AUTO_TEST_CASE(the_command_line_names_the_windows) {
  open_with("bulk", "[plans.bulk]\nper_hour = 50\nper_month = 500\n");
  const json plans = json::parse(run_program({"plans", "--json", "--config", file}).output);
  for (const json& plan : plans.elements()) {
    if (plan["name"].text() == "bulk") {
      BOOST_TEST(plan["per_hour"].integer() == 50);
      BOOST_TEST(plan["per_month"].integer() == 500);
      BOOST_TEST(!plan.has("per_day"));
    } else {
      BOOST_TEST(plan["per_minute"].integer() > 0);
      BOOST_TEST(plan["per_day"].integer() > 0);
    }
  }
  client(node, key.secret).get("/v1/pets");
  BOOST_TEST(node.close() == 0);
  const finished_run listed =
      run_program({"keys", "list", "--usage", "--json", "--store", node.uri(), "--config", file});
  const json only = json::parse(listed.output)[0];
  BOOST_TEST(only["hour_used"].integer() == 1);
  BOOST_TEST(only["hour_quota"].integer() == 50);
  BOOST_TEST(only["month_used"].integer() == 1);
  BOOST_TEST(only["month_quota"].integer() == 500);
  BOOST_TEST(!only.has("minute_used"));
  BOOST_TEST(!only.has("day_used"));
}

BOOST_AUTO_TEST_SUITE_END()
