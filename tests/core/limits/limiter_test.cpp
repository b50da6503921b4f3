// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/limiter.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "petstore/limits/headers.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

constexpr plan ten{per_minute(10), per_day(100)};

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const noexcept { return std::hash<std::string_view>{}(s); }
};
using by_name = limiter<std::string, text_hash, std::equal_to<>>;

/// The worst hash there is.
struct one_chain {
  std::size_t operator()(int) const noexcept { return 7; }
};

template <class Limiter, class Key>
std::uint64_t left(Limiter const& l, Key const& key, instant now) {
  return tell(l.peek(key, 1, now)).short_window.remaining;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_limiter, virtual_clock)

BOOST_AUTO_TEST_CASE(each_identity_has_quotas_of_its_own) {
  limiter<std::string> l({.plan = ten});
  for (int i = 0; i < 10; ++i) BOOST_TEST(l.charge("ann", now).admitted());
  verdict const refused = l.charge("ann", now);
  BOOST_TEST(refused.refused());
  BOOST_TEST(tell(refused).retry_after_s == 60);
  BOOST_TEST(l.charge("bob", now).admitted());
  BOOST_TEST(l.figures().identities == 2u);
}

BOOST_AUTO_TEST_CASE(one_verdict_makes_every_header) {
  limiter<int> l({.plan = ten});
  std::string fields;
  append_headers(fields, l.charge(1, 3, now), rate_limit_fields::draft11);
  BOOST_TEST(fields.find("X-RateLimit-Remaining: 7\r\n") != std::string::npos);
  BOOST_TEST(fields.find("RateLimit: \"minute\";r=7;t=60, \"day\";r=97") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_string_is_found_by_a_view_of_it) {
  by_name l({.plan = ten});
  (void)l.charge(std::string_view("ann"), 4, now);
  BOOST_TEST(left(l, "ann", now) == 6u);
  BOOST_TEST(l.figures().identities == 1u);
}

BOOST_AUTO_TEST_CASE(a_number_is_found_by_smaller_ones_and_not_by_what_it_cannot_hold) {
  limiter<std::uint64_t> l({.plan = ten});
  BOOST_TEST(l.charge(std::uint64_t{7}, 4, now).admitted());
  BOOST_TEST(left(l, 7u, now) == 6u);
  BOOST_TEST(left(l, std::uint8_t{7}, now) == 6u);
  static_assert(detail::stays_distinct_as<int, std::uint32_t>);
  static_assert(!detail::stays_distinct_as<std::uint64_t, std::uint32_t>);
  static_assert(!detail::stays_distinct_as<float, std::uint64_t>);
  static_assert(!detail::stays_distinct_as<char, bool>);
  static_assert(!detail::stays_distinct_as<std::int64_t, double>);
}

BOOST_AUTO_TEST_CASE(an_identity_may_have_a_plan_of_its_own_which_may_change) {
  limiter<int> l({.plan = ten});
  plan const gold{per_minute(50)};
  BOOST_TEST(l.charge(1, gold, 30, now).admitted());
  BOOST_TEST(l.charge(1, now).refused());
  BOOST_TEST(l.charge(1, gold, 20, now).admitted());
  BOOST_TEST(l.charge(1, gold, 1, now).refused());
}

// --- plans that change

BOOST_AUTO_TEST_CASE(a_larger_plan_applies_at_once_and_what_was_used_stays_used) {
  limiter<int> l({.plan = ten});
  BOOST_TEST(l.charge(1, 10, now).admitted());
  BOOST_TEST(!l.set_plan(0, plan::of(per_minute(15), per_day(100))));
  BOOST_TEST(left(l, 1, now) == 5u);
  BOOST_TEST(l.charge(1, 5, now).admitted());
  BOOST_TEST(l.charge(1, now).refused());
  BOOST_TEST(left(l, 2, now) == 15u);
}

BOOST_AUTO_TEST_CASE(a_smaller_plan_refuses_until_the_open_period_ends) {
  limiter<int> l({.plan = ten});
  verdict const before = l.charge(1, 8, now);
  BOOST_TEST(!l.set_plan(0, plan::of(per_minute(5))));
  BOOST_TEST(l.charge(1, now).refused());
  BOOST_TEST(tell(l.charge(1, now)).retry_after_s == 60);
  BOOST_TEST(tell(l.refund(1, before, now)).short_window.remaining == 10u);  // under the plan that was charged
  pass(60s);
  BOOST_TEST(left(l, 1, now) == 5u);
}

BOOST_AUTO_TEST_CASE(of_a_continuous_bucket_the_used_share_stays_used) {
  limiter<int> l({.plan = {.short_window = per_minute(100), .short_refill = refill::continuous}});
  BOOST_TEST(l.charge(1, 50, now).admitted());
  BOOST_TEST(!l.set_plan(0, plan::of(per_minute(10), {}, refill::continuous)));
  BOOST_TEST(left(l, 1, now) == 5u);
  BOOST_TEST(!l.set_plan(0, plan::of(per_minute(100), {}, refill::continuous)));
  BOOST_TEST(left(l, 1, now) == 50u);
}

BOOST_AUTO_TEST_CASE(each_number_has_a_plan_of_its_own) {
  limiter<int> l({.plan = ten, .more_plans = {{per_minute(20)}, {per_minute(30)}}});
  BOOST_TEST(l.charge(1, l.plan_at(2), 25, now).admitted());
  BOOST_TEST(l.charge(2, l.plan_at(1), 25, now).refused());
  BOOST_TEST(!l.set_plan(1, plan::of(per_minute(40))));
  BOOST_TEST(l.charge(2, l.plan_at(1), 25, now).admitted());
  BOOST_TEST((l.plan_at(0) == ten));
  BOOST_CHECK_THROW((void)l.plan_at(3), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_number_that_there_is_not_and_an_invalid_plan_are_errors) {
  limiter<int> l({.plan = ten});
  std::error_code const unknown = l.set_plan(1, ten);
  BOOST_TEST((unknown == limiter_errc::unknown_plan));
  BOOST_TEST(unknown.message() == "the limiter has no plan of that number");
  BOOST_TEST((l.set_plan(0, plan::of(per_minute(0))) == limiter_errc::invalid_plan));
  BOOST_TEST(left(l, 1, now) == 10u);
}

BOOST_AUTO_TEST_CASE(only_so_many_different_plans_are_kept_and_a_known_one_is_always_taken) {
  limiter<int> l({.plan = ten});
  std::error_code failed;
  std::size_t taken = 0;
  for (std::uint32_t tokens = 1'000; !failed; ++tokens) {
    failed = l.set_plan(0, plan::of(per_minute(tokens)));
    if (!failed) ++taken;
    BOOST_TEST_REQUIRE(taken < plans_max);
  }
  BOOST_TEST(taken == plans_max - 1);  // with the first
  BOOST_TEST((failed == limiter_errc::too_many_plans));
  BOOST_TEST(failed.message() == "the limiter has had as many different plans as it keeps");
  BOOST_TEST(l.plan_at(0).short_window.tokens() == 1'000u + taken - 1);
  BOOST_TEST(!l.set_plan(0, plan::of(per_minute(1'000))));
  BOOST_TEST(!l.set_plan(0, ten));
  BOOST_TEST((l.plan_at(0) == ten));
}

BOOST_AUTO_TEST_CASE(peek_makes_no_entry) {
  limiter<int> l({.plan = ten});
  BOOST_TEST(l.peek(1, 10, now).admitted());
  BOOST_TEST(l.peek(1, 11, now).refused());
  BOOST_TEST(l.figures().identities == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_gives_back_what_was_taken) {
  limiter<int> l({.plan = ten});
  verdict const v = l.charge(1, 6, now);
  notice const after = tell(l.refund(1, v, now));
  BOOST_TEST(after.short_window.remaining == 10u);
  BOOST_TEST(after.long_window.remaining == 100u);
}

// --- reservations

BOOST_AUTO_TEST_CASE(a_reservation_that_goes_gives_everything_back) {
  limiter<int> l({.plan = ten});
  auto const clock = [this] { return now; };
  {
    auto const held = l.reserve(1, 8, clock);
    BOOST_TEST(held.admitted());
    BOOST_TEST(left(l, 1, now) == 2u);
    BOOST_TEST(!l.reserve(1, 3, clock).admitted());
  }
  BOOST_TEST(left(l, 1, now) == 10u);
}

BOOST_AUTO_TEST_CASE(a_commit_keeps_all_or_what_was_really_used) {
  limiter<int> l({.plan = ten});
  auto const clock = [this] { return now; };
  l.reserve(1, 3, clock).commit();
  BOOST_TEST(left(l, 1, now) == 7u);
  BOOST_TEST(tell(l.reserve(1, 5, clock).commit(2)).short_window.remaining == 5u);
  BOOST_TEST(left(l, 1, now) == 5u);
  l.reserve(1, 2, clock).commit(9);  // no more than was reserved
  BOOST_TEST(left(l, 1, now) == 3u);
}

BOOST_AUTO_TEST_CASE(what_moved_out_of_a_reservation_is_given_back_once) {
  limiter<int> l({.plan = ten});
  auto const clock = [this] { return now; };
  (void)l.charge(1, 4, now);
  {
    auto first = l.reserve(1, 3, clock);
    auto const second = std::move(first);
    first.cancel();
    BOOST_TEST(left(l, 1, now) == 3u);
  }
  BOOST_TEST(left(l, 1, now) == 6u);
}

BOOST_AUTO_TEST_CASE(a_reservation_that_outlives_its_day_gives_the_next_one_nothing) {
  limiter<int> l({.plan = ten});
  auto const clock = [this] { return now; };
  {
    auto const held = l.reserve(1, 8, clock);
    pass(12h);
    (void)l.charge(1, 5, now);
  }
  notice const n = tell(l.peek(1, 1, now));
  BOOST_TEST(n.short_window.remaining == 5u);
  BOOST_TEST(n.long_window.remaining == 95u);
}

BOOST_AUTO_TEST_CASE(a_reservation_under_continuous_refill_gives_back_only_what_time_has_not) {
  limiter<int> l({.plan = {.short_window = per_minute(60), .short_refill = refill::continuous}});
  auto const clock = [this] { return now; };
  {
    auto const held = l.reserve(1, 10, clock);
    pass(4s);
  }
  BOOST_TEST(l.charge(1, 60, now).admitted());
  BOOST_TEST(l.charge(1, now).refused());
}

BOOST_AUTO_TEST_CASE(what_was_refused_or_withheld_has_nothing_to_give_back) {
  limiter<int> l({.plan = ten, .enforcement = enforcement::shadow});
  auto const clock = [this] { return now; };
  (void)l.charge(1, 10, now);
  {
    auto const held = l.reserve(1, 5, clock);
    BOOST_TEST(held.admitted());
  }
  BOOST_TEST(left(l, 1, now) == 0u);
  verdict const withheld = l.charge(1, now);
  l.refund(1, withheld, now);
  BOOST_TEST(left(l, 1, now) == 0u);
}

// --- shadow mode

BOOST_AUTO_TEST_CASE(shadow_mode_admits_and_says_what_would_have_been_refused) {
  limiter<int> l({.plan = ten, .enforcement = enforcement::shadow});
  (void)l.charge(1, 10, now);
  verdict const v = l.charge(1, 4, now);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.withheld == decision::rate_limited);
  BOOST_TEST(tell(v).retry_after_s == 0);
  BOOST_TEST(tell(v.in_earnest()).retry_after_s == 60);
  BOOST_TEST(v.in_earnest().refused());
  BOOST_TEST(l.figures().withheld == 1u);

  l.enforce(enforcement::enforced);
  BOOST_TEST(l.charge(1, now).refused());
  BOOST_TEST(l.figures().withheld == 1u);
}

BOOST_AUTO_TEST_CASE(in_shadow_mode_too_a_peek_says_what_a_charge_would_and_counts_nothing) {
  limiter<int> l({.plan = ten, .enforcement = enforcement::shadow});
  (void)l.charge(1, 10, now);
  verdict const v = l.peek(1, 4, now);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.withheld == decision::rate_limited);
  BOOST_TEST(l.peek(2, 11, now).admitted());
  BOOST_TEST(l.figures().withheld == 0u);
}

BOOST_AUTO_TEST_CASE(shadow_mode_counts_strikes_towards_the_ban_that_would_be) {
  limiter<int> l({.plan = {per_minute(1)}, .bans = {.strikes = 2, .grace = 0ms}, .enforcement = enforcement::shadow});
  for (int i = 0; i < 3; ++i) (void)l.charge(1, now);
  verdict const v = l.charge(1, now);
  BOOST_TEST(v.admitted());
  BOOST_TEST(v.withheld == decision::banned);
}

BOOST_AUTO_TEST_CASE(a_session_can_hold_a_reservation) {
  limiter<int> l({.plan = ten});
  std::optional<limiter<int>::reservation_type<>> held;
  held.emplace(l.reserve(1, 4));
  BOOST_TEST(held->admitted());
  held.reset();
  BOOST_TEST(left(l, 1, petstore::limits::now()) == 10u);
}

BOOST_AUTO_TEST_CASE(tokens_stay_taken_when_the_clock_throws_on_the_way_back) {
  limiter<int> l({.plan = ten});
  int readings = 0;
  auto held = l.reserve(1, 4, [&, at = now] { return readings++ == 0 ? at : throw std::runtime_error("no clock"); });
  BOOST_CHECK_THROW(held.cancel(), std::runtime_error);
  BOOST_TEST(left(l, 1, now) == 6u);
}

// --- bans

BOOST_AUTO_TEST_CASE(a_ban_holds_until_its_end_or_a_pardon) {
  limiter<int> l({.plan = ten});
  BOOST_TEST(l.ban(1, now.wall + 1h, now));
  BOOST_TEST(l.charge(1, now).decision == decision::banned);
  BOOST_TEST(l.charge(2, now).admitted());
  pass(1h);
  BOOST_TEST(l.charge(1, now).admitted());
  BOOST_TEST(l.ban(1, now.wall + 1h, now));
  l.pardon(1);
  BOOST_TEST(l.charge(1, now).admitted());
}

// --- the bound

BOOST_AUTO_TEST_CASE(a_look_at_a_newcomer_shows_what_a_charge_would_find) {
  limiter<int> l({.plan = {per_minute(10)}, .identities_max = 8});
  BOOST_TEST(left(l, 100, now) == 10u);
  for (int i = 0; i < 8; ++i) (void)l.charge(i, now);
  pass(30s);
  for (int i = 0; i < 3; ++i) (void)l.charge(100, 2, now);  // no room: it shares
  BOOST_TEST(left(l, 100, now) == 4u);
  BOOST_TEST(l.peek(100, 5, now).refused());
  pass(31s);  // there are some now that may be forgotten
  BOOST_TEST(left(l, 100, now) == 10u);
  BOOST_TEST(l.charge(100, 10, now).admitted());
  BOOST_TEST(l.figures().identities == 8u);
  BOOST_TEST(l.figures().evicted == 1u);
}

BOOST_AUTO_TEST_CASE(a_full_table_forgets_only_who_has_used_nothing_that_is_open) {
  limiter<int> l({.plan = {per_minute(10)}, .identities_max = 64});
  for (int i = 0; i < 64; ++i) (void)l.charge(i, 3, now);
  for (int i = 100; i < 200; ++i) (void)l.charge(i, now);  // no room: they share
  BOOST_TEST(l.figures().identities == 64u);
  BOOST_TEST(l.figures().evicted == 0u);
  BOOST_TEST(l.figures().shared == 100u);
  for (int i = 0; i < 64; ++i) BOOST_TEST_REQUIRE(left(l, i, now) == 7u);

  pass(61s);
  for (int i = 100; i < 164; ++i) (void)l.charge(i, 2, now);
  BOOST_TEST(l.figures().identities == 64u);
  BOOST_TEST(l.figures().evicted == 64u);
  for (int i = 100; i < 164; ++i) BOOST_TEST_REQUIRE(left(l, i, now) == 8u);
}

BOOST_AUTO_TEST_CASE(a_day_that_is_in_use_keeps_its_identity_whatever_plan_comes_next) {
  limiter<int> l({.plan = {per_minute(10)}, .identities_max = 1});
  (void)l.charge(1, plan{per_minute(10), per_day(20)}, 5, now);
  pass(2min);
  (void)l.charge(2, now);
  BOOST_TEST(l.figures().evicted == 0u);
  pass(12h);
  (void)l.charge(2, now);
  BOOST_TEST(l.figures().evicted == 1u);
}

BOOST_AUTO_TEST_CASE(an_identity_in_use_is_not_evicted) {
  limiter<int> l({.plan = {per_minute(10)}, .identities_max = 1});
  auto const clock = [this] { return now; };
  {
    auto const held = l.reserve(1, 10, clock);
    pass(61s);
    (void)l.charge(2, now);
    BOOST_TEST(l.figures().evicted == 0u);
  }
  pass(1s);
  (void)l.charge(2, now);
  BOOST_TEST(l.figures().evicted == 1u);
}

BOOST_AUTO_TEST_CASE(who_shares_an_account_with_strangers_is_not_banned) {
  limiter<int> l({.plan = {per_minute(1)}, .bans = {.strikes = 1, .grace = 0ms}, .identities_max = 1});
  (void)l.charge(1, now);
  for (int i = 0; i < 20; ++i) BOOST_TEST_REQUIRE(l.charge(2, now).decision != decision::banned);
}

BOOST_AUTO_TEST_CASE(a_reservation_of_who_shares_an_account_is_given_back_to_it) {
  limiter<int> l({.plan = ten, .identities_max = 1});
  auto const clock = [this] { return now; };
  (void)l.charge(1, now);
  { auto const held = l.reserve(2, 10, clock); }
  BOOST_TEST(l.charge(2, 10, now).admitted());
}

BOOST_AUTO_TEST_CASE(keys_that_all_fall_together_share_what_is_left_after_32) {
  limiter<int, one_chain> l({.plan = ten, .identities_max = 1'024});
  for (int i = 0; i < 40; ++i) (void)l.charge(i, now);
  BOOST_TEST(l.figures().identities == 32u);
  BOOST_TEST(l.figures().shared == 8u);
  for (int i = 0; i < 32; ++i) BOOST_TEST_REQUIRE(left(l, i, now) == 9u);
}

BOOST_AUTO_TEST_CASE(a_key_that_cannot_be_copied_leaves_everything_as_it_was) {
  struct refusing_key {
    int number = 0;
    bool may_copy = true;
    refusing_key(int n, bool may) : number{n}, may_copy{may} {}
    refusing_key(refusing_key const& o) : number{o.number}, may_copy{o.may_copy} {
      if (!may_copy) throw std::bad_alloc{};
    }
    refusing_key(refusing_key&&) noexcept = default;
    bool operator==(refusing_key const& o) const { return number == o.number; }
  };
  struct hash {
    std::size_t operator()(refusing_key const& k) const { return static_cast<std::size_t>(k.number); }
  };
  limiter<refusing_key, hash> l({.plan = ten, .identities_max = 1});
  BOOST_CHECK_THROW((void)l.charge(refusing_key{1, false}, now), std::bad_alloc);
  BOOST_TEST(l.figures().identities == 0u);
  BOOST_TEST(l.charge(refusing_key{1, true}, now).admitted());
  pass(1min);
  BOOST_CHECK_THROW((void)l.charge(refusing_key{2, false}, now), std::bad_alloc);
  BOOST_TEST(l.charge(refusing_key{1, true}, now).admitted());
  BOOST_TEST(l.figures().evicted == 0u);
}

// --- between two runs

BOOST_AUTO_TEST_CASE(a_snapshot_restores_every_identity_on_a_clock_that_began_anew) {
  limiter<std::string> before({.plan = ten});
  (void)before.charge("ann", 4, now);
  (void)before.charge("bob", 10, now);
  BOOST_TEST(before.ban("eve", now.wall + 10min, now));
  (void)before.charge("dan", 2, now);
  pass(20s);
  auto const saved = before.snapshot(now);
  BOOST_TEST(saved.size() == 4u);

  now = {.boot = boot_time{5s}, .wall = now.wall + 10s};
  limiter<std::string> after({.plan = ten});
  BOOST_TEST(after.restore(saved, now) == 4u);
  BOOST_TEST(left(after, "ann", now) == 6u);
  BOOST_TEST(tell(after.charge("bob", now)).retry_after_s == 30);
  BOOST_TEST(after.charge("eve", now).decision == decision::banned);
  pass(30s);
  BOOST_TEST(left(after, "bob", now) == 10u);
  BOOST_TEST(tell(after.peek("bob", 1, now)).long_window.remaining == 90u);
}

BOOST_AUTO_TEST_CASE(who_has_used_nothing_that_is_open_is_not_in_a_snapshot) {
  limiter<int> l({.plan = {per_minute(10)}});
  (void)l.charge(1, now);
  pass(61s);
  (void)l.charge(2, now);
  auto const saved = l.snapshot(now);
  BOOST_TEST_REQUIRE(saved.size() == 1u);
  BOOST_TEST(saved.front().key == 2);
}

BOOST_AUTO_TEST_CASE(a_restore_overwrites_nobody_and_leaves_out_who_has_no_room) {
  limiter<int> before({.plan = ten});
  for (int i = 0; i < 5; ++i) (void)before.charge(i, 5, now);
  limiter<int> after({.plan = ten, .identities_max = 2});
  (void)after.charge(0, 1, now);
  BOOST_TEST(after.restore(before.snapshot(now), now) == 1u);
  BOOST_TEST(left(after, 0, now) == 9u);
  BOOST_TEST(after.figures().identities == 2u);
}

BOOST_AUTO_TEST_CASE(an_operators_ban_is_as_long_after_a_restore_as_it_was) {
  limiter<int> before({.plan = ten});
  BOOST_TEST(before.ban(1, now.wall + 24h, now));
  limiter<int> after({.plan = ten});
  BOOST_TEST(after.restore(before.snapshot(now), now) == 1u);
  pass(24h - 1ms);
  BOOST_TEST(after.charge(1, now).decision == decision::banned);
  pass(1ms);
  BOOST_TEST(after.charge(1, now).admitted());
}

BOOST_AUTO_TEST_CASE(an_operators_ban_of_one_who_was_banned_for_strikes_is_restored_too) {
  limiter_options const with_bans{.plan = {per_minute(1)}, .bans = {.strikes = 1, .grace = 0ms}};
  limiter<int> before(with_bans);
  for (int i = 0; i < 3; ++i) (void)before.charge(1, now);
  BOOST_TEST(before.charge(1, now).decision == decision::banned);
  BOOST_TEST(before.ban(1, now.wall + 48h, now));
  limiter<int> after(with_bans);
  after.restore(before.snapshot(now), now);
  BOOST_TEST(after.charge(1, now + (48h - 1ms)).decision == decision::banned);
}

BOOST_AUTO_TEST_CASE(a_ban_for_strikes_that_a_wrong_clock_wrote_is_cut_to_the_longest_of_the_policy) {
  limiter_options const with_bans{.plan = {per_minute(1)}, .bans = {.strikes = 1, .grace = 0ms}};
  limiter<int> before(with_bans);
  instant const wrong{.boot = now.boot, .wall = now.wall + std::chrono::years{1}};
  for (int i = 0; i < 3; ++i) (void)before.charge(1, wrong);
  limiter<int> after(with_bans);
  after.restore(before.snapshot(wrong), now);
  BOOST_TEST(after.charge(1, now).decision == decision::banned);
  BOOST_TEST(after.charge(1, now + with_bans.bans.max).decision != decision::banned);
}

BOOST_AUTO_TEST_CASE(no_number_of_a_ban_on_disk_is_too_large) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  constexpr auto smallest = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t const until : {largest, smallest}) {
    for (std::int64_t const begun : {largest, smallest}) {
      saved_identity<int> one{.key = 1, .account = {.ban_until_unix_ms = until, .bans_begun_unix_ms = {}}};
      one.account.bans_begun_unix_ms.fill(begun);
      limiter<int> l({.plan = ten});
      BOOST_TEST(l.restore({&one, 1}, now) == 1u);
      BOOST_TEST((l.charge(1, now).decision == decision::banned) == (until == largest));
    }
  }
}

// --- beside the plain version

BOOST_AUTO_TEST_CASE(it_decides_as_an_account_for_each_identity_does) {
  std::mt19937 random(3);
  auto const pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  limiter<int> l({.plan = ten, .bans = {.strikes = 3}, .identities_max = 64});
  std::map<int, account> plain;
  for (int i = 0; i < 50'000; ++i) {
    pass(std::chrono::milliseconds{pick(0, 700)});
    int const key = pick(0, 39);  // all find room, so none is shared
    cost const c = *cost::of(static_cast<std::uint64_t>(pick(1, 12)));
    verdict const real = l.charge(key, c, now);
    verdict const expected = plain[key].charge(ten, {.strikes = 3}, c, now);
    BOOST_TEST_REQUIRE(real.decision == expected.decision);
    BOOST_TEST_REQUIRE(real.short_word == expected.short_word);
    BOOST_TEST_REQUIRE(real.long_word == expected.long_word);
    if (pick(0, 3) != 0 || !real.admitted()) continue;
    l.refund(key, real, now);
    plain[key].refund(expected, ten, now);
  }
}

/// However identities come and go, none gets more than its quota of a minute from an account of its own.
BOOST_AUTO_TEST_CASE(eviction_never_grants_quota) {
  std::mt19937 random(5);
  auto const pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  limiter<int> l({.plan = {per_minute(5)}, .identities_max = 16});
  std::map<std::pair<int, std::int64_t>, unsigned> admitted;
  for (int i = 0; i < 100'000; ++i) {
    pass(std::chrono::milliseconds{pick(0, 400)});
    int const key = pick(0, 30);
    auto const shared_before = l.figures().shared;
    verdict const v = l.charge(key, now);
    if (l.figures().shared != shared_before || !v.admitted()) continue;
    unsigned const count = ++admitted[{key, tell(v).short_window.reset_unix_s}];
    BOOST_TEST_REQUIRE(count <= 5u);
  }
  BOOST_TEST(l.figures().evicted > 1'000u);
}

BOOST_AUTO_TEST_SUITE_END()
