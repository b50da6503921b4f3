// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Plans whose bucket has another size than the tokens of a minute.
#include <algorithm>
#include <deque>
#include <random>
#include <stdexcept>
#include <string>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/limiter.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace limits_burst {  // the suite
namespace {

constexpr plan bursting(burst_tokens burst, short_window rate = per_minute(60)) {
  return {.short_window = rate, .short_refill = refill::continuous, .burst = burst};
}

struct fresh_account : virtual_clock {
  account a;

  verdict charge(plan const& p, cost tokens = 1) { return a.charge(p, no_bans, tokens, now); }
  int admitted(plan const& p) {
    int count = 0;
    while (charge(p).admitted()) ++count;
    return count;
  }
};

std::string fields_of(verdict const& v) {
  std::string fields;
  append_headers(fields, v, rate_limit_fields::draft11);
  return fields;
}
bool has(std::string const& fields, std::string const& line) {
  return fields.find(line + "\r\n") != std::string::npos;
}

}  // namespace
}  // namespace limits_burst

BOOST_FIXTURE_TEST_SUITE(limits_burst, fresh_account)

BOOST_AUTO_TEST_CASE(as_many_pass_at_once_as_the_burst_has_and_then_those_of_the_rate) {
  for (auto const& p : {bursting(1), bursting(10), bursting(600)}) {
    auto const burst = static_cast<int>(p.burst);
    BOOST_TEST(admitted(p) == burst);
    pass(1s);
    BOOST_TEST(admitted(p) == 1);
    pass(7s);
    BOOST_TEST(admitted(p) == std::min(7, burst));
    pass(2h);
    BOOST_TEST(admitted(p) == burst);
    pass(2h);
  }
}

BOOST_AUTO_TEST_CASE(without_one_the_bucket_has_the_tokens_of_a_minute) {
  BOOST_TEST(admitted(bursting(0)) == 60);
  pass(1min);
  BOOST_TEST(admitted(bursting(60)) == 60);
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_instant_at_which_a_retry_passes) {
  auto const p = bursting(10, per_minute(7));
  for (cost const tokens : {cost{1}, cost{10}}) {
    (void)admitted(p);
    verdict const refused = charge(p, tokens);
    BOOST_REQUIRE(refused.refused());
    auto const wait = refused.retry_after().value();
    BOOST_TEST(a.peek(p, tokens, later(wait - 1ns)).refused());
    BOOST_TEST(a.peek(p, tokens, later(wait)).admitted());
  }
}

BOOST_AUTO_TEST_CASE(a_cost_is_held_against_the_burst) {
  verdict const too_large = charge(bursting(10), 11);
  BOOST_TEST(too_large.refused());
  BOOST_TEST(!too_large.can_ever_pass());
  BOOST_TEST(charge(bursting(100), 100).admitted());  // more than a minute has
}

/// What is announced is the bucket: so many tokens, and the time in which so many come.
BOOST_AUTO_TEST_CASE(fields_describe_the_bucket) {
  auto const small = fields_of(charge(bursting(10)));
  BOOST_TEST(has(small, "X-RateLimit-Limit: 10"));
  BOOST_TEST(has(small, "X-RateLimit-Remaining: 9"));
  BOOST_TEST(has(small, "RateLimit-Policy: \"minute\";q=10;w=10"));
  BOOST_TEST(has(small, "RateLimit: \"minute\";r=9;t=1"));
  pass(1min);
  auto const large = fields_of(charge(bursting(600), 600));
  BOOST_TEST(has(large, "RateLimit-Policy: \"minute\";q=600;w=600"));
  BOOST_TEST(has(large, "X-RateLimit-Remaining: 0"));
  BOOST_TEST(has(large, "X-RateLimit-Reset: " + std::to_string(noon_unix_s + 60 + 600)));
  pass(1h);
  BOOST_TEST(has(fields_of(charge(bursting(10, per_minute(1'000)))), "RateLimit-Policy: \"minute\";q=10;w=1"));
  pass(1h);
  BOOST_TEST(has(fields_of(charge(bursting(0))), "RateLimit-Policy: \"minute\";q=60;w=60"));
}

BOOST_AUTO_TEST_CASE(a_client_that_keeps_to_the_announced_policy_is_never_refused) {
  for (auto const& p :
       {bursting(10), bursting(10, per_minute(7)), bursting(3, per_minute(1'000)), bursting(200, per_minute(9))}) {
    account fresh;
    auto const policy = tell(fresh.observe(p, now)).short_window;
    for (int window = 0; window < 20; ++window) {
      for (std::uint64_t i = 0; i < policy.quota; ++i) BOOST_TEST_REQUIRE(fresh.charge(p, no_bans, now).admitted());
      pass(std::chrono::seconds{policy.window_s});
    }
  }
}

/// However the requests are spread: the client looks back over the last w seconds before each.
BOOST_AUTO_TEST_CASE(a_client_that_sends_at_most_q_in_any_w_seconds_is_never_refused) {
  for (auto const& p : {bursting(10), bursting(10, per_minute(7)), bursting(3, per_minute(1'000)),
                        bursting(200, per_minute(9)), bursting(0, per_minute(61))}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      std::mt19937_64 random(seed);
      account fresh;
      auto const policy = tell(fresh.observe(p, now)).short_window;
      std::chrono::nanoseconds const window = std::chrono::seconds{policy.window_s};
      std::deque<boot_time> sent;
      for (int request = 0; request < 1'000; ++request) {
        auto const longest = static_cast<std::uint64_t>(window.count()) >> random() % 12;
        if (random() % 3 == 0) pass(std::chrono::nanoseconds{static_cast<std::int64_t>(random() % longest)});
        if (sent.size() == policy.quota) {  // as early as the policy lets it
          if (sent.front() + window > now.boot) pass(sent.front() + window - now.boot);
          sent.pop_front();
        }
        sent.push_back(now.boot);
        BOOST_TEST_REQUIRE(fresh.charge(p, no_bans, now).admitted());
      }
    }
  }
}

/// The other client may send q at the end of one window and q at the beginning of the next.
BOOST_AUTO_TEST_CASE(a_client_that_counts_windows_by_its_own_clock_may_be_refused) {
  auto const p = bursting(10);
  pass(9s);  // of a window of 10 s
  BOOST_TEST(admitted(p) == 10);
  pass(1s);
  BOOST_TEST(admitted(p) == 1);
}

BOOST_AUTO_TEST_CASE(a_refund_gives_back_what_time_has_not) {
  auto const p = bursting(10);
  verdict const charged = charge(p, 10);
  pass(4s);
  a.refund(charged, p, now);
  BOOST_TEST(admitted(p) == 10);
}

BOOST_AUTO_TEST_CASE(a_change_of_the_burst_keeps_what_was_used) {
  (void)charge(bursting(100), 90);
  BOOST_TEST(charge(bursting(10)).refused());
  pass(81s);
  BOOST_TEST(admitted(bursting(10)) == 1);
  BOOST_TEST(charge(bursting(100), 90).admitted());
}

BOOST_AUTO_TEST_CASE(the_largest_plans_are_computed_without_an_overflow) {
  auto const p = bursting(short_tokens_max, per_minute(1));
  BOOST_TEST(charge(p, short_tokens_max).admitted());
  verdict const refused = charge(p, short_tokens_max);
  BOOST_TEST(refused.refused());
  BOOST_TEST(tell(refused).retry_after_s == std::int64_t{short_tokens_max} * 60);
  BOOST_TEST(charge(bursting(1, per_minute(short_tokens_max))).refused());
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_what_was_used_of_a_large_burst) {
  auto const p = bursting(600);
  (void)charge(p, 600);
  pass(5s);
  account after;
  after.restore(a.save(p, now), p, no_bans, now);
  BOOST_TEST(tell(after.observe(p, now)).short_window.remaining == 5u);

  limiter<int> before({.plan = p});
  (void)before.charge(1, 600, now);
  limiter<int> next({.plan = {per_minute(1)}});
  BOOST_TEST(next.restore(before.snapshot(now), now) == 1u);
  BOOST_TEST(tell(next.peek(1, p, 1, now)).short_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(a_burst_needs_continuous_refill) {
  static_assert(plan::of(per_minute(60), {}, refill::continuous, 10) == bursting(10));
  static_assert(!plan::of(per_minute(60), {}, refill::periodic, 10));
  static_assert(!plan::of(per_minute(60), {}, refill::continuous, -1));
  static_assert(!plan::of(per_minute(60), {}, refill::continuous, std::int64_t{short_tokens_max} + 1));
  constexpr plan unsound{.short_window = per_minute(60), .burst = 10};
  static_assert(!unsound.is_sound());
  BOOST_CHECK_THROW(limiter<int>({.plan = unsound}), std::invalid_argument);
  BOOST_CHECK_THROW(limiter<int>({.plan = bursting(1), .more_plans = {unsound}}), std::invalid_argument);
  limiter<int> l({.plan = bursting(1)});
  BOOST_TEST((l.set_plan(0, unsound) == limiter_errc::invalid_plan));
  BOOST_TEST(!l.set_plan(0, bursting(2)));
  BOOST_TEST(admitted(unsound) == 60);  // an account ignores it
}

BOOST_AUTO_TEST_SUITE_END()
