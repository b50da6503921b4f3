// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/usage.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "petstore/quota/local.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(usage_)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

constexpr auto periodic = limits::refill::periodic;
unix_ms const noon{std::chrono::sys_days{std::chrono::June / 1 / 2026} + 12h};

/// Identity 1 used 7 of a minute that began at noon, and 40 on that day.
kept_usage one_account() {
  kept_usage kept;
  auto& account = kept.accounts[1];
  account.short_end_unix_ms = unix_ms{noon + 60s}.time_since_epoch().count();
  account.short_used = 7;
  account.long_end_unix_ms = unix_ms{noon + 12h}.time_since_epoch().count();
  account.long_used = 40;
  return kept;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_used_counts_until_its_period_is_over) {
  auto const kept = one_account();
  auto const within = usage_of(kept, 1, periodic, noon + 59s);
  BOOST_TEST(within.of_short.value() == 7u);
  BOOST_TEST(within.of_long.value() == 40u);
  auto const after_a_minute = usage_of(kept, 1, periodic, noon + 60s);
  BOOST_TEST(after_a_minute.of_short.value() == 0u);
  BOOST_TEST(after_a_minute.of_long.value() == 40u);
  BOOST_TEST(usage_of(kept, 1, periodic, noon + 12h).of_long.value() == 0u);
}

BOOST_AUTO_TEST_CASE(who_was_never_charged_used_nothing) {
  auto const none = usage_of(one_account(), 2, periodic, noon);
  BOOST_TEST(none.of_short.value() == 0u);
  BOOST_TEST(none.of_long.value() == 0u);
}

BOOST_AUTO_TEST_CASE(a_bucket_that_refills_bit_by_bit_has_no_count) {
  auto const used = usage_of(one_account(), 1, limits::refill::continuous, noon);
  BOOST_TEST(!used.of_short.has_value());
  BOOST_TEST(used.of_long.value() == 40u);
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_read_says_nothing_of_what_was_used) {
  auto kept = one_account();
  kept.unreadable.insert(1);
  auto const unknown = usage_of(kept, 1, periodic, noon);
  BOOST_TEST(!unknown.of_short.has_value());
  BOOST_TEST(!unknown.of_long.has_value());
  BOOST_TEST(usage_of(kept, 2, periodic, noon).of_long.value() == 0u);
}

BOOST_AUTO_TEST_CASE(a_store_beside_which_nothing_was_counted_has_no_usage) {
  tests::temporary_directory const directory;
  BOOST_TEST(!read_usage(directory / "store", {}).has_value());
}

BOOST_AUTO_TEST_CASE(what_was_used_before_a_reset_is_no_usage) {
  tests::temporary_directory const directory;
  identity_record one;
  one.number = 1;
  {
    quota::local_options options;
    options.directory = directory / "store/quota";
    auto const quotas = quota::open_local_quota(std::move(options));
    ports::payer who;
    who.kind = ports::payer::kind::identity;
    who.plan = {limits::per_minute(60), limits::per_day(1'000)};
    who.account = &quotas->account_of(1, who.plan, 2);
    BOOST_REQUIRE(quotas->charge(who, 1, limits::now()).take().admitted());
  }
  auto const used_after = [&](std::uint64_t resets) {
    one.quota_resets = resets;
    auto const kept = read_usage(directory / "store", {one});
    BOOST_REQUIRE(kept.has_value());
    return kept->accounts.contains(1) ? kept->accounts.at(1).long_used : 0;
  };
  BOOST_TEST(used_after(2) == 1u);
  BOOST_TEST(used_after(3) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
