// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;
using namespace std::chrono_literals;

namespace {

struct strict_node {
  client open_with(const std::string& config, const arguments& key_flags) {
    key = node.create_key(key_flags);
    node.open({"--config", node.write_file("petstore.toml", config)});
    return client(node, key.secret);
  }

  test_node node;
  issued_key key;
};

const arguments tiny{"--plan", "pro", "--per-minute", "1", "--per-day", "100"};
bool is_banned(const answer& got) {
  return got.status == 429 && got.code() == "banned";
}

// Measures time for the limits of a case: one strike is forgotten each second, so a slow client needs more strikes.
class stopwatch {
 public:
  std::int64_t whole_seconds() const {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Sends requests until one is answered with a ban; returns the number of refusals before.
int refusals_until_banned(client& api, int most) {
  int refusals = 0;
  while (refusals < most && !is_banned(api.ask(listing))) ++refusals;
  return refusals;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bans, strict_node)

BOOST_AUTO_TEST_CASE(a_hundred_refusals_after_the_grace_are_a_ban_of_a_minute) {
  client api = open_with("", tiny);
  BOOST_TEST(api.get("/v1/pets").status == 200);
  expect_error(api.get("/v1/pets"), 429, "rate_limited");
  std::this_thread::sleep_for(300ms);
  const auto begin = std::chrono::steady_clock::now();
  const int refusals = refusals_until_banned(api, 1000);
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
  // One strike is forgotten each second.
  BOOST_TEST(refusals >= 99);
  BOOST_TEST(refusals <= 101 + seconds);
  const answer banned = api.get("/v1/pets");
  expect_error(banned, 429, "banned");
  BOOST_TEST(banned.integer("Retry-After") >= 50);
  BOOST_TEST(banned.integer("Retry-After") <= 60);
  BOOST_TEST(banned["X-RateLimit-Resource"] == "minute");
  BOOST_TEST(banned.integer("X-RateLimit-Limit") == 1);
}

BOOST_AUTO_TEST_CASE(what_was_in_flight_is_forgiven) {
  client api = open_with("[ban]\nstrikes = 5\ngrace = \"3s\"\n", tiny);
  BOOST_TEST(api.get("/v1/pets").status == 200);
  const auto begin = std::chrono::steady_clock::now();
  expect_error(api.ask(listing), 429, "rate_limited");
  const auto announced = std::chrono::steady_clock::now();
  for (int i = 1; i < 40; ++i) {
    const answer refused = api.ask(listing);
    // On a machine that is too slow, the check proves nothing.
    if (std::chrono::steady_clock::now() - begin > 2s) break;
    expect_error(refused, 429, "rate_limited");
  }
  // The grace began before that answer, so it is over now.
  std::this_thread::sleep_until(announced + 3s);
  const stopwatch asking;
  const int refusals = refusals_until_banned(api, 100);
  BOOST_TEST(refusals <= 6 + asking.whole_seconds());
}

BOOST_AUTO_TEST_CASE(strikes_leave_at_one_a_second) {
  client api = open_with("[ban]\nstrikes = 4\ngrace = \"0ms\"\n", tiny);
  api.get("/v1/pets");
  // The first refusal is the announcement.
  for (int i = 0; i < 3; ++i) BOOST_TEST(!is_banned(api.ask(listing)));
  std::this_thread::sleep_for(2200ms);
  // Both strikes are forgotten.
  const stopwatch asking;
  for (int i = 0; i < 2; ++i) BOOST_TEST(!is_banned(api.ask(listing)));
  const int refusals = refusals_until_banned(api, 50);
  BOOST_TEST(refusals <= 3 + asking.whole_seconds());
}

BOOST_AUTO_TEST_CASE(a_ban_costs_no_token_and_is_not_lengthened) {
  client api = open_with("[ban]\nstrikes = 3\ngrace = \"0ms\"\nbase = \"100s\"\n", tiny);
  api.get("/v1/pets");
  const stopwatch asking;
  refusals_until_banned(api, 20);
  const answer first = api.get("/v1/pets");
  expect_error(first, 429, "banned");
  BOOST_TEST(first.integer("Retry-After") >= 97 - asking.whole_seconds());
  BOOST_TEST(first.integer("Retry-After") <= 100);
  for (int i = 0; i < 50; ++i) api.ask(listing);
  const answer later = api.get("/v1/pets");
  BOOST_TEST(later.integer("X-RateLimit-Reset") == first.integer("X-RateLimit-Reset"));
  BOOST_TEST(later.integer("Retry-After") <= first.integer("Retry-After"));
  // The ban ends after the minute does, so it is what Reset names; the exhausted minute is still listed.
  BOOST_TEST(later.integer("X-RateLimit-Reset") >= seconds_of_date(later["Date"]) + later.integer("Retry-After") - 1);
  BOOST_TEST(quota_item_of(later, "RateLimit", "minute").parameters.at("t") <= 60);
  expect_error(api.get("/v1/quota"), 429, "banned");

  // The refused requests charged nothing.
  node.keys("unban", key.id);
  BOOST_TEST(eventually([&] { return api.ask({"GET", "/v1/quota", {}, {}}).status == 200; }));
  BOOST_TEST(api.get("/v1/quota").value()["day"]["used"].integer() == 1);
}

BOOST_AUTO_TEST_CASE(each_ban_is_twice_as_long_up_to_the_most) {
  // A token comes every second, so an announcement lasts a second and every strike in it counts.
  client api = open_with(
      "[plans.pro]\nper_minute = 60\nper_day = 100000\nrefill = \"continuous\"\n"
      "[ban]\nstrikes = 3\ngrace = \"0ms\"\nbase = \"1s\"\nmax = \"2s\"\n",
      {"--plan", "pro"});
  for (const int length : {1, 2, 2}) {
    stopwatch last, one_before;  // which of the two requests the ban began with
    BOOST_TEST(eventually([&] {
      one_before = std::exchange(last, stopwatch());
      return is_banned(api.ask(listing));
    }));
    const answer banned = api.get("/v1/pets");
    // On a slow machine the ban may be over already.
    if (!is_banned(banned)) continue;
    BOOST_TEST(banned.integer("Retry-After") <= length);
    if (length == 2) BOOST_TEST(banned.integer("Retry-After") >= 2 - one_before.whole_seconds());
    BOOST_TEST(eventually([&] { return api.ask(listing).status == 200; }));
  }
}

BOOST_AUTO_TEST_CASE(no_strikes_no_bans) {
  client api = open_with("[ban]\nstrikes = 0\ngrace = \"0ms\"\n", tiny);
  api.get("/v1/pets");
  for (int i = 0; i < 300; ++i) BOOST_TEST(api.ask(listing).code() == "rate_limited");
}

BOOST_AUTO_TEST_CASE(a_ban_survives_a_restart) {
  client api = open_with("[ban]\nstrikes = 3\ngrace = \"0ms\"\nbase = \"200s\"\n", tiny);
  api.get("/v1/pets");
  refusals_until_banned(api, 20);
  const std::int64_t until = api.get("/v1/pets").integer("X-RateLimit-Reset");
  BOOST_TEST(node.close() == 0);
  node.open();
  const answer banned = client(node, key.secret).get("/v1/pets");
  expect_error(banned, 429, "banned");
  BOOST_TEST(std::abs(banned.integer("X-RateLimit-Reset") - until) <= 1);
}

BOOST_AUTO_TEST_SUITE_END()
