// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "record.hpp"
#include "petstore/crc32c.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(quota_record)

using namespace petstore;
using namespace petstore::quota;

namespace {

limits::saved_account some_account() {
  return {.short_end_unix_ms = 1'780'315'200'123,
          .short_used = 0x00ab'cdef,
          .full_at_unix_ms = -1,
          .short_left_ms = 59'000,
          .long_end_unix_ms = 1'780'358'400'000,
          .long_left_ms = 43'200'000,
          .long_is_aligned = true,
          .long_used = 0xff'1234'5678,
          .announced_at_unix_ms = 4,
          .announced_until_unix_ms = 5,
          .strikes_gone_at_unix_ms = 6,
          .ban_until_unix_ms = 7,
          .bans_begun_unix_ms = {8, 9, 10}};
}

/// A record as the first format had it, with these bytes after the bans: the beginning of a minute, the number of a
/// day.
std::string of_first_format(std::string const& resets, std::string const& full_in) {
  limits::saved_account a = some_account();
  a.short_end_unix_ms -= 60'000;
  a.long_end_unix_ms = a.long_end_unix_ms / 86'400'000 - 1;
  std::string const now = encode(a);
  std::string record = now.substr(0, 68 + 1 + 3 * 8) + resets + full_in;
  std::uint32_t sum = crc32c(record);
  for (int byte = 0; byte < 4; ++byte, sum >>= 8) record.push_back(static_cast<char>(sum & 0xff));
  return record;
}

std::vector<std::string> every_form() {
  limits::saved_account by_request = some_account();
  by_request.long_is_aligned = false;
  return {encode(some_account()), encode(some_account(), 1), encode(by_request), of_first_format("", "")};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_encoded_can_be_decoded) {
  BOOST_TEST((decode(encode(some_account())) == kept_quota{some_account(), 0}));
  BOOST_TEST((decode(encode(some_account(), 3)) == kept_quota{some_account(), 3}));
  BOOST_TEST((decode(encode({})) == kept_quota{}));
  limits::saved_account full = some_account();
  full.bans_begun_unix_ms.fill(11);
  BOOST_TEST((decode(encode(full, 1)) == kept_quota{full, 1}));
}

BOOST_AUTO_TEST_CASE(the_time_that_a_period_has_left_is_kept_and_no_news) {
  limits::saved_account later = some_account();
  later.short_left_ms -= 1'000;
  later.long_left_ms -= 1'000;
  BOOST_TEST((decode(encode(later, 3)) == kept_quota{later, 3}));
  BOOST_TEST(says_the_same(some_account(), later));
  BOOST_TEST(!says_the_same({}, later));
}

BOOST_AUTO_TEST_CASE(a_record_of_the_first_format_is_read) {
  limits::saved_account a = some_account();
  a.short_left_ms = 60'000;
  a.long_left_ms = 86'400'000;
  std::string const resets("\3\0\0\0\0\0\0\0", 8), full_in("\7\0\0\0\0\0\0\0", 8);
  BOOST_TEST((decode(of_first_format("", "")) == kept_quota{a, 0}));
  BOOST_TEST((decode(of_first_format(resets, "")) == kept_quota{a, 3}));
  a.short_left_ms = 7;
  BOOST_TEST((decode(of_first_format(resets, full_in)) == kept_quota{a, 3}));
}

BOOST_AUTO_TEST_CASE(bytes_are_as_the_readme_says) {
  std::string const bytes = encode(some_account());
  BOOST_TEST(bytes.size() == 68u + 1u + 3u * 8u + 8u + 17u + 4u);
  BOOST_TEST(bytes.substr(8, 4) == std::string("\xef\xcd\xab\x00", 4));  // little-endian
  BOOST_TEST(bytes[68] == 3);
  std::string const with_resets = encode(some_account(), 0x0102);
  BOOST_TEST(with_resets.size() == bytes.size());
  BOOST_TEST(with_resets.substr(68 + 1 + 3 * 8, 3) == std::string("\x02\x01\x00", 3));
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_damage) {
  for (std::string const& good : every_form())
    for (std::size_t i = 0; i < good.size() * 8; ++i) {
      std::string bad = good;
      bad[i / 8] = static_cast<char>(bad[i / 8] ^ (1 << (i % 8)));
      BOOST_TEST_REQUIRE(!decode(bad).has_value());
    }
}

BOOST_AUTO_TEST_CASE(every_other_length_is_damage) {
  for (std::string const& good : every_form()) {
    for (std::size_t length = 0; length < good.size(); ++length)
      BOOST_TEST_REQUIRE(!decode(good.substr(0, length)).has_value());
    BOOST_TEST(!decode(good + '\0').has_value());
  }
}

BOOST_AUTO_TEST_CASE(keys_tell_whose_record_it_is) {
  limits::address a;
  a.bytes = {0x20, 1, 0xd, 0xb8, 0xff};
  auto const identity = parse_key(record_key(0x1234'5678'9abc'def0));
  auto const address = parse_key(record_key(record_kind::address, a));
  auto const keyless = parse_key(record_key(record_kind::keyless, a));
  BOOST_REQUIRE((identity && address && keyless));
  BOOST_TEST(identity->identity == 0x1234'5678'9abc'def0u);
  BOOST_TEST((identity->kind == record_kind::identity));
  BOOST_TEST((address->kind == record_kind::address && address->address == a));
  BOOST_TEST((keyless->kind == record_kind::keyless && keyless->address == a));
  for (char const* wrong : {"", "i", "i1234567", "i123456789", "a", "x12345678"}) BOOST_TEST(!parse_key(wrong));
}

BOOST_AUTO_TEST_SUITE_END()
