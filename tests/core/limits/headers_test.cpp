// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/headers.hpp"

#include <limits>

#include "clock.hpp"
#include "petstore/limits/account.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

struct fixture {
  virtual_clock clock;
  account a;
  plan p{.per_minute = 2, .per_day = 3};
  ban_policy bans;

  std::string headers(verdict const& v, rate_limit_fields dialect = rate_limit_fields::draft11) const {
    std::string out = "before\r\n";
    append_headers(out, v, dialect);
    BOOST_TEST(out.starts_with("before\r\n"));
    return out.substr(8);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_headers, fixture)

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
  a.charge(p, bans, clock.now);
  BOOST_TEST(headers(a.observe(p, clock.now)).ends_with("RateLimit: \"minute\";r=1;t=60, \"day\";r=2;t=43200\r\n"));
}

BOOST_AUTO_TEST_CASE(refusal_lists_the_exhausted_quota_and_says_when_to_retry) {
  for (int i = 0; i < 2; ++i) a.charge(p, bans, clock.now);
  BOOST_TEST(headers(a.charge(p, bans, clock.pass(500ms))) ==
             "X-RateLimit-Limit: 2\r\n"
             "X-RateLimit-Remaining: 0\r\n"
             "X-RateLimit-Reset: 1780315260\r\n"
             "X-RateLimit-Resource: minute\r\n"
             "RateLimit-Policy: \"minute\";q=2;w=60, \"day\";q=3;w=86400\r\n"
             "RateLimit: \"minute\";r=0;t=60\r\n"
             "Retry-After: 60\r\n");
  a.charge(p, bans, clock.pass(60s));
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
  for (int i = 0; i < 60; ++i) a.charge_inquiry(p, clock.now);
  BOOST_TEST(headers(a.charge_inquiry(p, clock.now))
                 .ends_with("RateLimit: \"minute\";r=2;t=0, \"day\";r=3;t=0\r\nRetry-After: 60\r\n"));
}

BOOST_AUTO_TEST_CASE(plan_without_a_day_names_the_minute_only) {
  p.per_day = 0;
  std::string const all = headers(a.charge(p, bans, clock.now));
  BOOST_TEST(all.find("day") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_dialect_can_be_switched_off) {
  BOOST_TEST(headers(a.charge(p, bans, clock.now), rate_limit_fields::off).find("RateLimit-Policy") ==
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_longest_numbers_fit) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::min();  // one character longer than the maximum
  constexpr auto count = std::numeric_limits<std::uint64_t>::max();
  quota_state const q{.quota = count, .remaining = count, .reset_unix_s = largest, .more_in_s = largest};
  verdict const v{.decision = decision::rate_limited,
                  .has_day = true,
                  .remaining = count,
                  .reset_unix_s = largest,
                  .retry_after_s = largest,
                  .minute = q,
                  .day = q};
  std::string const all = headers(v);
  BOOST_TEST(all.ends_with("Retry-After: -9223372036854775808\r\n"));
  BOOST_TEST(all.size() <= 512u);
}

BOOST_AUTO_TEST_SUITE_END()
