// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/saved_limiter.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "clock.hpp"
#include "petstore/crc32c.hpp"

using namespace petstore::limits;
using namespace std::chrono_literals;

namespace petstore::tests::saved_limiters {

/// A type of a host.
struct customer {
  int number = 0;
  std::string name;
  friend bool operator==(customer const&, customer const&) = default;
};
struct customer_hash {
  std::size_t operator()(customer const& c) const noexcept { return std::hash<int>{}(c.number); }
};

}  // namespace petstore::tests::saved_limiters

template <>
struct petstore::limits::saved_key<petstore::tests::saved_limiters::customer> {
  using customer = petstore::tests::saved_limiters::customer;
  static constexpr std::uint32_t kind = saved_kind::of_host + 1;
  static void append(std::string& out, customer const& c) {
    saved_key<int>::append(out, c.number);
    out.append(c.name);
  }
  static std::optional<customer> read(std::string_view bytes) {
    if (bytes.size() < sizeof(int)) return std::nullopt;
    return customer{*saved_key<int>::read(bytes.substr(0, sizeof(int))), std::string{bytes.substr(sizeof(int))}};
  }
};

BOOST_FIXTURE_TEST_SUITE(limits_saved_limiter, virtual_clock)

namespace {

constexpr plan ten{per_minute(10), per_day(100)};

template <class Limiter, class Key>
std::uint64_t left_of(Limiter const& l, Key const& key, instant now) {
  return tell(l.peek(key, 1, now)).short_window.remaining;
}

/// Bytes in which a change was made, with the checksum that they need.
std::string with_checksum(std::string bytes) {
  bytes.resize(bytes.size() - 4);
  saved_key<std::uint32_t>::append(bytes, petstore::crc32c(bytes));
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_used_and_who_is_banned_is_the_same_after_a_restart) {
  limiter<std::string> before({.plan = ten});
  BOOST_TEST(before.charge("ann", 4, now).admitted());
  BOOST_TEST(before.charge("", 7, now).admitted());
  BOOST_TEST(before.ban("bob", now.wall + 1h, now));
  std::string const bytes = save(before, now);

  limiter<std::string> after({.plan = ten});
  loaded const got = load(after, bytes, later(5s));
  BOOST_TEST(!got.failed);
  BOOST_TEST(got.restored == 3u);
  BOOST_TEST(left_of(after, "ann", later(5s)) == 6u);
  BOOST_TEST(left_of(after, "", later(5s)) == 3u);
  BOOST_TEST((after.peek("bob", 1, later(5s)).decision == decision::banned));
  BOOST_TEST(left_of(after, "ann", later(60s)) == 10u);
}

BOOST_AUTO_TEST_CASE(a_burst_under_a_plan_that_the_limiter_does_not_have_is_the_same_after_a_restart) {
  plan const own = *plan::of(per_minute(1), {}, refill::continuous, 1'000);
  limiter<int> before({.plan = ten});
  BOOST_TEST(before.charge(1, own, 600, now).admitted());
  pass(10min);
  limiter<int> after({.plan = ten});
  BOOST_TEST(load(after, save(before, now), now).restored == 1u);
  BOOST_TEST(tell(after.peek(1, own, 1, now)).short_window.used == 590u);
  limiter<int> with_a_wrong_clock({.plan = ten});
  instant const years_before{now.boot, now.wall - 24h * 3'650};
  BOOST_TEST(load(with_a_wrong_clock, save(before, now), years_before).restored == 1u);
  BOOST_TEST(tell(with_a_wrong_clock.peek(1, own, 1, years_before)).short_window.used == 590u);
}

BOOST_AUTO_TEST_CASE(a_limiter_that_nobody_has_used_is_saved_too) {
  limiter<int> l({.plan = ten});
  loaded const got = load(l, save(l, now), now);
  BOOST_TEST(!got.failed);
  BOOST_TEST(got.restored == 0u);
}

BOOST_AUTO_TEST_CASE(integers_of_every_kind_are_read_as_they_were_written) {
  auto const check = [](auto... numbers) {
    auto const is_same = [](auto number) {
      std::string bytes;
      saved_key<decltype(number)>::append(bytes, number);
      return saved_key<decltype(number)>::read(bytes) == number && bytes.size() == sizeof number;
    };
    return (is_same(numbers) && ...);
  };
  BOOST_TEST(check('a', true, std::int8_t{-1}, std::int16_t{-300}, std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::uint64_t>::max(), 0));
  BOOST_TEST(!saved_key<bool>::read("\x02").has_value());
}

BOOST_AUTO_TEST_CASE(the_bytes_are_the_same_on_every_machine) {
  limiter<std::uint16_t> l({.plan = ten});
  BOOST_TEST(l.charge(std::uint16_t{0x0102}, 3, now).admitted());
  std::string const bytes = save(l, now);
  BOOST_TEST(bytes.size() == 24u + 4 + 2 + 181 + 4);
  BOOST_TEST(bytes.substr(0, 8) == "PETLIMIT");
  BOOST_TEST((bytes.substr(8, 4) == std::string_view{"\2\0\0\0", 4}));
  BOOST_TEST((bytes.substr(12, 4) == std::string_view{"\x12\0\0\0", 4}));  // unsigned, of two bytes
  BOOST_TEST((bytes.substr(24, 6) == std::string_view{"\2\0\0\0\2\1", 6}));
  BOOST_TEST((bytes.substr(38, 4) == std::string_view{"\3\0\0\0", 4}));  // short_used
}

BOOST_AUTO_TEST_CASE(a_type_of_the_host_has_its_own_conversion) {
  using petstore::tests::saved_limiters::customer;
  using by_customer = limiter<customer, petstore::tests::saved_limiters::customer_hash>;
  by_customer before({.plan = ten});
  BOOST_TEST(before.charge(customer{7, "ann"}, 4, now).admitted());
  by_customer after({.plan = ten});
  BOOST_TEST(!load(after, save(before, now), now).failed);
  BOOST_TEST(left_of(after, customer{7, "ann"}, now) == 6u);
  BOOST_TEST(left_of(after, customer{7, "bob"}, now) == 10u);
}

BOOST_AUTO_TEST_CASE(an_address_table_has_the_same_format) {
  address ann;
  ann.bytes[3] = 1;
  address_table before(64, 1);
  BOOST_TEST(before.charge(ann, ten, no_bans, 4, now).admitted());
  std::string const bytes = save(before, ten, now);
  address_table after(64, 2);
  loaded const got = load(after, bytes, ten, no_bans, now);
  BOOST_TEST(!got.failed);
  BOOST_TEST(got.restored == 1u);
  BOOST_TEST(tell(after.observe(ann, ten, now)).short_window.remaining == 6u);
}

BOOST_AUTO_TEST_CASE(an_address_that_has_an_account_keeps_it) {
  address ann, bob;
  ann.bytes[3] = 1;
  bob.bytes[3] = 2;
  address_table before(64, 1), after(64, 2);
  for (address const& who : {ann, bob}) BOOST_TEST(before.charge(who, ten, no_bans, 4, now).admitted());
  BOOST_TEST(after.charge(ann, ten, no_bans, 9, now).admitted());
  loaded const got = load(after, save(before, ten, now), ten, no_bans, now);
  BOOST_TEST(!got.failed);
  BOOST_TEST(got.restored == 1u);
  BOOST_TEST(tell(after.observe(ann, ten, now)).short_window.remaining == 1u);
  BOOST_TEST(tell(after.observe(bob, ten, now)).short_window.remaining == 6u);
}

// --- bytes that are refused, and then change nothing

namespace {

struct saved_bytes : virtual_clock {
  limiter<int> l{{.plan = ten}};
  std::string bytes;

  saved_bytes() {
    for (int i = 0; i < 3; ++i) BOOST_TEST(l.charge(i, 4, now).admitted());
    bytes = save(l, now);
  }
  std::error_code refusal_of(std::string_view changed) {
    limiter<int> fresh({.plan = ten});
    loaded const got = load(fresh, changed, now);
    BOOST_TEST(got.restored == 0u);
    BOOST_TEST(fresh.figures().identities == 0u);
    return got.failed;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(other_bytes_are_not_a_saved_limiter, saved_bytes) {
  BOOST_TEST((refusal_of("# a configuration file, which is longer than a header") == limiter_errc::not_saved));
  BOOST_TEST((refusal_of("P3") == limiter_errc::not_saved));
  BOOST_TEST(refusal_of("x").message() == "the bytes are not those of a saved limiter");
}

/// Four tokens of the minute and of the day are used; the minute began ten seconds ago.
BOOST_AUTO_TEST_CASE(the_first_version_is_read) {
  virtual_clock clock;
  std::string bytes{"PETLIMIT\1\0\0\0\x24\0\0\0", 16};
  auto const put = [&bytes](auto number) { saved_key<decltype(number)>::append(bytes, number); };
  put(std::uint64_t{4 + 4 + 172});
  put(std::uint32_t{4});
  put(7);
  put((noon_unix_s - 10) * 1'000);  // when the minute began
  put(std::uint32_t{4});
  put(std::int64_t{0});  // full at
  put(std::int64_t{0});  // full in
  put(noon_unix_s / 86'400);
  put(std::uint64_t{4});
  for (int i = 0; i < 4 + 12; ++i) put(std::int64_t{0});
  put(petstore::crc32c(bytes));
  limiter<int> l({.plan = ten});
  loaded const got = load(l, bytes, clock.now);
  BOOST_TEST(!got.failed);
  BOOST_TEST(got.restored == 1u);
  notice const told = tell(l.peek(7, 1, clock.now));
  BOOST_TEST(told.short_window.used == 4u);
  BOOST_TEST(told.short_window.more_in_s == 50);
  BOOST_TEST(told.long_window.used == 4u);
  BOOST_TEST(told.long_window.reset_unix_s == midnight_unix_s);
}

BOOST_FIXTURE_TEST_CASE(another_version_is_refused_whatever_follows, saved_bytes) {
  bytes[8] = 3;
  BOOST_TEST((refusal_of(bytes) == limiter_errc::saved_version));
}

BOOST_FIXTURE_TEST_CASE(wherever_the_bytes_end_too_early_they_are_truncated, saved_bytes) {
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST_REQUIRE((refusal_of(bytes.substr(0, size)) == limiter_errc::saved_truncated));
}

BOOST_FIXTURE_TEST_CASE(each_changed_byte_after_the_length_is_damage, saved_bytes) {
  for (std::size_t i = 24; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    BOOST_TEST_REQUIRE((refusal_of(changed) == limiter_errc::saved_damaged));
  }
  BOOST_TEST((refusal_of(bytes + "x") == limiter_errc::saved_damaged));
}

BOOST_FIXTURE_TEST_CASE(a_key_that_is_longer_than_the_rest_is_damage_even_with_the_right_checksum, saved_bytes) {
  bytes[27] = '\xff';
  BOOST_TEST((refusal_of(with_checksum(bytes)) == limiter_errc::saved_damaged));
}

namespace {

/// Whether the limiter takes nothing of these bytes, because of their identities.
template <class Limiter>
bool is_of_another_kind(std::string_view bytes, instant now) {
  Limiter other({.plan = ten});
  return load(other, bytes, now).failed == limiter_errc::saved_key_invalid && other.figures().identities == 0u;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(identities_of_another_type_are_refused, saved_bytes) {
  BOOST_TEST(is_of_another_kind<limiter<std::int64_t>>(bytes, now));
  BOOST_TEST(is_of_another_kind<limiter<unsigned>>(bytes, now));  // as many bytes
  BOOST_TEST(is_of_another_kind<limiter<std::string>>(bytes, now));

  address_table table(64, 1);
  BOOST_TEST(table.charge(address{}, ten, no_bans, 4, now).admitted());
  BOOST_TEST(is_of_another_kind<limiter<std::string>>(save(table, ten, now), now));

  limiter<std::string> texts({.plan = ten});
  BOOST_TEST(texts.charge("ABCDEFGH", 4, now).admitted());
  std::string const eight_bytes = save(texts, now);
  BOOST_TEST(is_of_another_kind<limiter<std::uint64_t>>(eight_bytes, now));
  BOOST_TEST((load(table, eight_bytes, ten, no_bans, now).failed == limiter_errc::saved_key_invalid));

  using petstore::tests::saved_limiters::customer;
  using by_customer = limiter<customer, petstore::tests::saved_limiters::customer_hash>;
  BOOST_TEST(is_of_another_kind<by_customer>(bytes, now));
}

BOOST_AUTO_TEST_CASE(a_type_has_the_same_kind_on_every_machine) {
  BOOST_TEST(saved_key<char>::kind == saved_key<std::uint8_t>::kind);
  BOOST_TEST(saved_key<long long>::kind == saved_key<std::int64_t>::kind);
  BOOST_TEST(saved_key<std::int8_t>::kind != saved_key<std::uint8_t>::kind);
}

BOOST_FIXTURE_TEST_CASE(bytes_that_are_not_those_of_a_type_are_refused_even_of_its_kind, saved_bytes) {
  limiter<bool> flags({.plan = ten});
  BOOST_TEST(flags.charge(true, 4, now).admitted());
  std::string changed = save(flags, now);
  changed[28] = 2;
  BOOST_TEST(is_of_another_kind<limiter<bool>>(with_checksum(changed), now));
}

BOOST_AUTO_TEST_SUITE_END()
