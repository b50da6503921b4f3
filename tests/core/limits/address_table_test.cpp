// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/address_table.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/notice.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace {

address numbered(std::uint32_t n) {
  address a;
  a.bytes[0] = 0x20;
  for (std::size_t i = 0; i < 4; ++i) a.bytes[i + 4] = static_cast<unsigned char>(n >> (8 * i));
  return a;
}

struct anonymous_callers {
  virtual_clock clock;
  plan anonymous{per_minute(3)};
  ban_policy bans;

  notice charge(address_table& t, std::uint32_t n) { return tell(t.charge(numbered(n), anonymous, bans, clock.now)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_address_table, anonymous_callers)

BOOST_AUTO_TEST_CASE(charging_unit_is_an_ipv4_address_or_a_64) {
  std::array<unsigned char, 16> v4{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 7};
  std::array<unsigned char, 16> v6{0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 9, 9, 9, 9, 9, 9, 9, 9};
  BOOST_TEST((charging_unit(v4).bytes == v4));
  address const cut = charging_unit(v6);
  BOOST_TEST(cut.bytes[7] == 1);
  BOOST_TEST(cut.bytes[8] == 0);
  v6[15] = 1;
  BOOST_TEST((charging_unit(v6) == cut));
}

BOOST_AUTO_TEST_CASE(each_address_has_a_bucket_of_its_own) {
  address_table t(16, 1);
  for (int i = 0; i < 3; ++i) charge(t, 1);
  BOOST_TEST(!charge(t, 1).admitted());
  BOOST_TEST(charge(t, 2).remaining == 2u);
  BOOST_TEST(t.size() == 2u);
}

BOOST_AUTO_TEST_CASE(observing_makes_no_entry) {
  address_table t(16, 1);
  BOOST_TEST(tell(t.observe(numbered(1), anonymous, clock.now)).remaining == 3u);
  BOOST_TEST(t.size() == 0u);
  charge(t, 1);
  BOOST_TEST(tell(t.observe(numbered(1), anonymous, clock.now)).remaining == 2u);
}

BOOST_AUTO_TEST_CASE(refund_finds_the_address_again) {
  address_table t(16, 1);
  verdict const v = t.charge(numbered(1), anonymous, bans, clock.now);
  BOOST_TEST(tell(t.refund(numbered(1), v, anonymous, clock.now)).remaining == 3u);
  BOOST_TEST(charge(t, 1).remaining == 2u);
}

BOOST_AUTO_TEST_CASE(capacity_is_a_bound) {
  address_table t(100, 1);
  for (std::uint32_t n = 0; n < 10'000; ++n) charge(t, n);
  BOOST_TEST(t.size() == 128u);  // the next power of two
}

BOOST_AUTO_TEST_CASE(eviction_never_grants_quota) {
  address_table t(128, 1);
  std::map<std::uint32_t, int> admitted;
  for (int round = 0; round < 10; ++round)
    for (std::uint32_t n = 0; n < 1'000; ++n)
      if (charge(t, n).admitted()) ++admitted[n];
  for (auto const& [n, count] : admitted) BOOST_TEST_REQUIRE(count <= 3);
}

/// Whatever the newcomer's plan is: the account counts in a window that this plan does not have.
BOOST_AUTO_TEST_CASE(eviction_grants_no_quota_when_addresses_have_different_plans) {
  constexpr plan by_day{per_minute(60), per_day(50)};
  address_table t(1, 1);
  verdict const charged = t.charge(numbered(1), by_day, bans, 50, clock.now);
  BOOST_TEST(charged.admitted());
  clock.pass(60s);
  BOOST_TEST(charge(t, 2).remaining == 2u);
  BOOST_TEST(tell(t.observe(numbered(1), by_day, clock.now)).long_window.remaining == 0u);
  BOOST_TEST(!t.charge(numbered(1), by_day, bans, 1, clock.now).admitted());
  // The newcomer shares an account, and so is shown.
  BOOST_TEST(tell(t.observe(numbered(2), anonymous, clock.now)).remaining == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_used_of_a_window_that_the_plan_does_not_have_is_saved) {
  constexpr plan by_day{per_minute(60), per_day(50)};
  address_table t(16, 1), other(16, 2);
  (void)t.charge(numbered(1), by_day, bans, 50, clock.now);
  clock.pass(60s);
  t.for_each(anonymous, clock.now, [&](address const& a, saved_account const& saved) {
    BOOST_TEST(other.restore(a, saved, anonymous, bans, clock.now));
  });
  BOOST_TEST(tell(other.observe(numbered(1), by_day, clock.now)).long_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(every_address_of_a_large_table_is_saved_once) {
  address_table t(4'096, 1);
  for (std::uint32_t n = 0; n < 3'000; ++n) charge(t, n);
  std::set<address> saved;
  std::size_t calls = 0;
  t.for_each(anonymous, clock.now, [&](address const& a, saved_account const&) {
    saved.insert(a);
    ++calls;
    BOOST_TEST_REQUIRE(tell(t.observe(a, anonymous, clock.now)).remaining == 2u);  // it holds no lock
  });
  BOOST_TEST(saved.size() == t.size());
  BOOST_TEST(calls == t.size());
}

BOOST_AUTO_TEST_CASE(a_full_table_makes_room_once_buckets_are_full_again) {
  address_table t(128, 1);
  for (std::uint32_t n = 0; n < 128; ++n) charge(t, n);
  clock.pass(60s);
  for (std::uint32_t n = 1'000; n < 1'128; ++n) BOOST_TEST_REQUIRE(charge(t, n).remaining == 2u);
  // They have entries of their own, so exhausting one leaves the others alone.
  for (int i = 0; i < 5; ++i) charge(t, 1'000);
  for (std::uint32_t n = 1'001; n < 1'128; ++n) BOOST_TEST_REQUIRE(charge(t, n).remaining == 1u);
}

BOOST_AUTO_TEST_CASE(newcomers_to_a_full_table_share) {
  anonymous.short_window = per_minute(10);
  address_table t(16, 1);
  for (std::uint32_t n = 0; n < 16; ++n) charge(t, n);
  int admitted = 0;
  for (std::uint32_t n = 100; n < 20'100; ++n)
    if (charge(t, n).admitted()) ++admitted;
  BOOST_TEST(admitted == 256 * 10);  // as many as the overflow accounts hold
  BOOST_TEST(tell(t.observe(numbered(20'100), anonymous, clock.now)).remaining == 0u);
  BOOST_TEST(charge(t, 5).admitted());  // who was there before is not touched
}

BOOST_AUTO_TEST_CASE(strangers_that_share_are_not_banned_together) {
  bans.strikes = 1;
  bans.grace = 0ms;
  address_table t(1, 1);
  charge(t, 0);
  for (std::uint32_t n = 1; n < 20'000; ++n) {
    clock.pass(1us);
    BOOST_TEST_REQUIRE((charge(t, n).decision != decision::banned));
  }
}

BOOST_AUTO_TEST_CASE(a_banned_address_stays_while_others_come_and_go) {
  bans.strikes = 1;
  address_table t(16, 1);
  for (int i = 0; i < 4; ++i) charge(t, 7);
  clock.pass(bans.grace);
  BOOST_TEST(charge(t, 7).decision == decision::banned);
  for (int minute = 0; minute < 2; ++minute) {
    for (std::uint32_t n = 1'000; n < 2'000; ++n) charge(t, n);
    BOOST_TEST(charge(t, 7).decision == decision::banned);
    clock.pass(29s);
  }
}

BOOST_AUTO_TEST_CASE(what_is_saved_can_be_restored) {
  address_table t(1'024, 1);
  for (std::uint32_t n = 0; n < 100; ++n)
    for (std::uint32_t i = 0; i <= n % 3; ++i) charge(t, n);
  address_table other(1'024, 2);
  std::size_t count = 0;
  t.for_each(anonymous, clock.now, [&](address const& a, saved_account const& saved) {
    other.restore(a, saved, anonymous, bans, clock.now);
    ++count;
  });
  BOOST_TEST(count == 100u);
  for (std::uint32_t n = 0; n < 100; ++n)
    BOOST_TEST_REQUIRE(tell(other.observe(numbered(n), anonymous, clock.now)).remaining == 2 - n % 3);
  clock.pass(60s);
  t.for_each(anonymous, clock.now, [](address const&, saved_account const&) { BOOST_TEST(false, "nothing is left"); });
}

BOOST_AUTO_TEST_CASE(every_seed_drawn_is_another) {
  std::set<std::uint64_t> drawn;
  for (int n = 0; n < 100; ++n) drawn.insert(random_seed());
  BOOST_TEST(drawn.size() == 100u);
}

BOOST_AUTO_TEST_CASE(hash_depends_on_its_seed_and_spreads) {
  keyed_hash const one(1);
  keyed_hash const two(2);
  std::set<std::uint64_t> all;
  std::array<int, 64> shards{};
  for (std::uint32_t n = 0; n < 64'000; ++n) {
    all.insert(one(numbered(n)));
    BOOST_TEST_REQUIRE(one(numbered(n)) != two(numbered(n)));
    ++shards[one(numbered(n)) % shards.size()];
  }
  BOOST_TEST(all.size() == 64'000u);
  for (int const count : shards) BOOST_TEST((count > 850 && count < 1'150));
}

BOOST_AUTO_TEST_CASE(hash_of_text_takes_every_byte_and_the_length) {
  keyed_hash const one(1);
  keyed_hash const two(2);
  std::set<std::uint64_t> all;
  std::string text;
  for (int length = 0; length < 300; ++length, text.push_back('\0')) {
    all.insert(one(text));
    BOOST_TEST_REQUIRE(one(text) != two(text));
    for (char& byte : text) {
      byte = 'a';
      all.insert(one(text));
      byte = '\0';
    }
  }
  BOOST_TEST(all.size() == 300u + 300u * 299u / 2);
  address a;
  a.bytes = {'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', ' ', 0xff, 0};
  BOOST_TEST(one(a) == one(std::string_view{"sixteen bytes \xff\0", 16}));
  static_assert(keyed_hash(1)("a constant") != keyed_hash(1)("a constanT"));
}

BOOST_AUTO_TEST_CASE(a_name_has_the_same_identity_with_the_same_seed) {
  static_assert(keyed_hash(1).identity_of("anna") == keyed_hash(1)("anna"));
  static_assert(keyed_hash(1).identity_of("anna") != keyed_hash(2).identity_of("anna"));
  static_assert(keyed_hash(1).identity_of("anna") != keyed_hash(1).identity_of("bert"));
}

BOOST_AUTO_TEST_CASE(a_limiter_of_text_that_clients_choose_has_a_hash_with_a_secret) {
  limiter<std::string, keyed_hash, std::equal_to<>> quota{{.plan = {per_minute(60)}}, keyed_hash{random_seed()}};
  BOOST_TEST(quota.charge("a name", 2, clock.now).admitted());
  BOOST_TEST(tell(quota.peek(std::string_view{"a name"}, 1, clock.now)).short_window.used == 2u);
  BOOST_TEST(quota.figures().identities == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
