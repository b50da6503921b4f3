// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/headers.hpp"

#include "clock.hpp"
#include "limits/buckets.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/each_header.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct small_account {
  virtual_clock clock;
  account a;
  plan p{per_minute(2), per_day(3)};
  ban_policy bans;

  std::string headers(verdict const& v, rate_limit_fields dialect = rate_limit_fields::draft11) const {
    std::string out = "before\r\n";
    append_headers(out, v, dialect);
    BOOST_TEST(out.starts_with("before\r\n"));
    return out.substr(8);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_headers, small_account)

BOOST_AUTO_TEST_CASE(admission_describes_both_quotas) {
  BOOST_TEST(headers(a.charge(p, bans, clock.now)) ==
             "X-RateLimit-Limit: 2\r\n"
             "X-RateLimit-Remaining: 1\r\n"
             "X-RateLimit-Reset: 1780315260\r\n"
             "X-RateLimit-Resource: minute\r\n"
             "RateLimit-Policy: \"minute\";q=2;w=60, \"day\";q=3;w=86400\r\n"
             "RateLimit: \"minute\";r=1;t=60, \"day\";r=2;t=43200\r\n");
}

BOOST_AUTO_TEST_CASE(observation_looks_like_an_admission) {
  (void)a.charge(p, bans, clock.now);
  BOOST_TEST(headers(a.observe(p, clock.now)).ends_with("RateLimit: \"minute\";r=1;t=60, \"day\";r=2;t=43200\r\n"));
}

BOOST_AUTO_TEST_CASE(refusal_lists_the_exhausted_quota_and_says_when_to_retry) {
  for (int i = 0; i < 2; ++i) (void)a.charge(p, bans, clock.now);
  BOOST_TEST(headers(a.charge(p, bans, clock.pass(500ms))) ==
             "X-RateLimit-Limit: 2\r\n"
             "X-RateLimit-Remaining: 0\r\n"
             "X-RateLimit-Reset: 1780315260\r\n"
             "X-RateLimit-Resource: minute\r\n"
             "RateLimit-Policy: \"minute\";q=2;w=60, \"day\";q=3;w=86400\r\n"
             "RateLimit: \"minute\";r=0;t=60\r\n"
             "Retry-After: 60\r\n");
  (void)a.charge(p, bans, clock.pass(60s));
  BOOST_TEST(
      headers(a.charge(p, bans, clock.now)).ends_with("RateLimit: \"day\";r=0;t=43140\r\nRetry-After: 43140\r\n"));
}

BOOST_AUTO_TEST_CASE(ban_with_tokens_left_has_no_ratelimit_field) {
  a.impose_ban(clock.now.wall + 5s, clock.now);
  BOOST_TEST(headers(a.charge(p, bans, clock.now)) ==
             "X-RateLimit-Limit: 2\r\n"
             "X-RateLimit-Remaining: 0\r\n"
             "X-RateLimit-Reset: 1780315205\r\n"
             "X-RateLimit-Resource: minute\r\n"
             "RateLimit-Policy: \"minute\";q=2;w=60, \"day\";q=3;w=86400\r\n"
             "Retry-After: 5\r\n");
}

BOOST_AUTO_TEST_CASE(getquota_refused_shows_the_quotas_of_the_identity) {
  for (int i = 0; i < 60; ++i) (void)a.charge_inquiry(p, clock.now);
  BOOST_TEST(headers(a.charge_inquiry(p, clock.now))
                 .ends_with("RateLimit: \"minute\";r=2;t=0, \"day\";r=3;t=0\r\nRetry-After: 60\r\n"));
}

BOOST_AUTO_TEST_CASE(plan_without_a_day_names_the_minute_only) {
  p.long_window = {};
  std::string const all = headers(a.charge(p, bans, clock.now));
  BOOST_TEST(all.find("day") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_limit_on_requests_in_flight_is_one_more_policy) {
  std::string out;
  append_headers(out, a.charge(p, bans, clock.now), rate_limit_fields::draft11, 1'000'000);
  std::string const policies = "\r\nRateLimit-Policy: \"minute\";q=2;w=60, \"day\";q=3;w=86400, ";
  BOOST_TEST(out.find(policies + "\"in-flight\";q=1000000;qu=\"concurrent-requests\"\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_refusal_for_requests_in_flight_shows_the_quotas_as_they_are_and_a_second) {
  (void)a.charge(p, bans, clock.now);
  verdict v = a.observe(p, clock.now);
  std::string const unchanged = headers(v);
  v.decision = decision::rate_limited;
  v.occasion = occasion::in_flight;
  BOOST_TEST(headers(v) == unchanged + "Retry-After: 1\r\n");
}

BOOST_AUTO_TEST_CASE(the_dialect_can_be_switched_off) {
  BOOST_TEST(headers(a.charge(p, bans, clock.now), rate_limit_fields::off).find("RateLimit-Policy") ==
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(fields_come_one_by_one_too) {
  verdict v = a.charge(p, bans, clock.now);
  for (auto const dialect : {rate_limit_fields::off, rate_limit_fields::draft11}) {
    for (int i = 0; i < 4; ++i, v = a.charge(p, bans, clock.now)) {
      std::string lines;
      auto const shown = for_each_header(v, dialect, [&lines](std::string_view name, std::string_view value) {
        lines.append(name).append(": ").append(value).append("\r\n");
      });
      BOOST_TEST(lines == headers(v, dialect));
      BOOST_TEST((shown == tell(v).shown));
    }
  }
}

/// Every number as long as a verdict can make it.
BOOST_AUTO_TEST_CASE(the_longest_numbers_fit) {
  verdict const v{.decision = decision::banned,
                  .occasion = occasion::charge,
                  .plan = {per_minute(short_tokens_max), per_day(long_tokens_max)},
                  .at = {.boot = {}, .wall = wall_time{-5'000'000'000s}},
                  .short_word = detail::continuous_word(boot_time{9'000'000'000s}),
                  .long_word = detail::aligned_word(24, long_tokens_max),
                  .blocked_for = 9'200'000'000s};
  BOOST_TEST(headers(v) ==
             "X-RateLimit-Limit: 16777215\r\n"
             "X-RateLimit-Remaining: 0\r\n"
             "X-RateLimit-Reset: 4200000000\r\n"
             "X-RateLimit-Resource: minute\r\n"
             "RateLimit-Policy: \"minute\";q=16777215;w=60, \"day\";q=1099511627775;w=86400\r\n"
             "RateLimit: \"minute\";r=0;t=8999999940, \"day\";r=0;t=5000086400\r\n"
             "Retry-After: 9200000000\r\n");
}

BOOST_AUTO_TEST_CASE(a_clock_before_1970_is_shown_as_1970) {
  clock.now.wall = wall_time{-100s};
  BOOST_TEST(headers(a.observe(p, clock.now)).find("X-RateLimit-Reset: 0\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
