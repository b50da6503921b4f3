// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_json.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>

#include "json_fault.hpp"
#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(key_json)

using namespace petstore;
using tests::fault_of;

namespace {

constexpr std::int64_t latest_ms = 253'402'300'799'999;

unix_ms at(std::int64_t ms) {
  return unix_ms{std::chrono::milliseconds{ms}};
}

key_record full_key() {
  key_record k{.number = 7,
               .identity = 3,
               .digest = {},
               .prefix = "ps_live_",
               .last_four = "wxyz",
               .scope = key_scope::read,
               .created_at = at(0),
               .expires_at = at(1000),
               .revoked_at = at(2000),
               .replaced_by = 8};
  std::iota(k.digest.begin(), k.digest.end(), static_cast<unsigned char>(0xF0));
  return k;
}

constexpr std::string_view full_key_json =
    R"({"number":7,"identity":3,"digest":"f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f",)"
    R"("prefix":"ps_live_","lastFour":"wxyz","scope":"read","createdAt":"1970-01-01T00:00:00.000Z",)"
    R"("expiresAt":"1970-01-01T00:00:01.000Z","revokedAt":"1970-01-01T00:00:02.000Z","replacedBy":8})";

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string out{text};
  return out.replace(out.find(what), what.size(), by);
}

}  // namespace

// A store keeps these bytes, so they never change without a new format version.
BOOST_AUTO_TEST_CASE(the_text_is_fixed) {
  BOOST_TEST(to_json(full_key()) == full_key_json);
  BOOST_TEST(to_json(identity_record{.number = 3,
                                     .name = "a \"b\"",
                                     .plan = "enterprise",
                                     .per_minute = 10,
                                     .per_day = 20,
                                     .banned_until = at(1),
                                     .unbanned_at = at(2),
                                     .ban_changes = 2,
                                     .quota_resets = 4}) ==
             R"({"number":3,"name":"a \"b\"","plan":"enterprise","perMinute":10,"perDay":20,)"
             R"("bannedUntil":"1970-01-01T00:00:00.001Z","unbannedAt":"1970-01-01T00:00:00.002Z","banChanges":2,)"
             R"("quotaResets":4})");
  BOOST_TEST(to_json(audit_entry{
                 .sequence = 1, .at = at(0), .actor = "root", .action = "create", .key = 7, .detail = "made"}) ==
             R"({"sequence":1,"at":"1970-01-01T00:00:00.000Z","actor":"root","action":"create","key":7,)"
             R"("detail":"made"})");
}

BOOST_AUTO_TEST_CASE(what_is_absent_is_left_out) {
  BOOST_TEST(to_json(identity_record{.number = 3,
                                     .name = "",
                                     .plan = "free",
                                     .per_minute = {},
                                     .per_day = {},
                                     .banned_until = {},
                                     .unbanned_at = {},
                                     .ban_changes = 0}) == R"({"number":3,"name":"","plan":"free","banChanges":0})");
}

BOOST_AUTO_TEST_CASE(decoding_undoes_encoding) {
  std::mt19937_64 random(11);
  auto const coin = [&] { return random() % 2 != 0; };
  auto const id = [&] { return (random() >> (1 + random() % 60)) | 1; };
  auto const time = [&] { return at(static_cast<std::int64_t>(random() % latest_ms)); };
  auto const text = [&] {
    static constexpr std::string_view texts[] = {"", "root", "a \"quoted\" \\ name", "tab\there", "Žofka 🐕"};
    return std::string{texts[random() % std::size(texts)]};
  };
  for (int i = 0; i < 2000; ++i) {
    key_record k;
    k.number = id();
    k.identity = id();
    for (auto& byte : k.digest) byte = static_cast<unsigned char>(random());
    k.prefix = coin() ? "ps_live_" : "ps_test_";
    k.last_four = "wxyz";
    k.scope = coin() ? key_scope::read : key_scope::write;
    k.created_at = time();
    if (coin()) k.expires_at = time();
    if (coin()) k.revoked_at = time();
    if (coin()) k.replaced_by = id();
    BOOST_REQUIRE((decode_key_record(to_json(k)).value() == k));

    identity_record who;
    who.number = id();
    who.name = text();
    who.plan = text();
    if (coin()) who.per_minute = static_cast<std::uint32_t>(random() >> 33 | 1);
    if (coin()) who.per_day = id();
    if (coin()) who.banned_until = time();
    if (coin()) who.unbanned_at = time();
    who.ban_changes = random() >> (1 + random() % 63);
    if (coin()) who.quota_resets = id();
    BOOST_REQUIRE((decode_identity_record(to_json(who)).value() == who));

    audit_entry const e{
        .sequence = id(), .at = time(), .actor = text(), .action = text(), .key = id(), .detail = text()};
    BOOST_REQUIRE((decode_audit_entry(to_json(e)).value() == e));
  }
}

BOOST_AUTO_TEST_CASE(a_member_of_a_newer_format_is_a_fault) {
  BOOST_TEST(fault_of(decode_key_record(replaced(full_key_json, "{", R"({"colour":"red",)"))) ==
             R"("colour" is not a member of this record)");
  BOOST_TEST(fault_of(decode_identity_record(R"({"number":3,"name":"","plan":"free","banChanges":0,"x":1})")) ==
             R"("x" is not a member of this record)");
}

BOOST_AUTO_TEST_CASE(a_missing_member_is_a_fault) {
  BOOST_TEST(fault_of(decode_key_record("{}")) ==
             "number is missing; identity is missing; digest is missing; prefix is missing; lastFour is missing; scope "
             "is missing; createdAt is missing");
  BOOST_TEST(fault_of(decode_audit_entry("{}")) ==
             "sequence is missing; at is missing; actor is missing; action is missing; key is missing; detail is "
             "missing");
}

BOOST_AUTO_TEST_CASE(a_digest_has_64_small_hexadecimal_digits) {
  auto const with_digest = [](std::string_view by) {
    return fault_of(decode_key_record(replaced(full_key_json, "f0f1f2f3", by)));
  };
  BOOST_TEST(with_digest("f0f1f2f3") == "");
  for (auto digits : {"F0F1F2F3", "f0f1f2f", "f0f1f2f33", "f0f1f2g3", ""})
    BOOST_TEST(with_digest(digits) == "digest must be 64 hexadecimal digits", digits);
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_faults) {
  auto const with = [](std::string_view member) {
    return fault_of(decode_identity_record(
        std::string{R"({"number":1,"name":"","plan":"free",)"}.append(member).append(R"(,"banChanges":0})")));
  };
  BOOST_TEST(with(R"("perMinute":4294967295)") == "");
  BOOST_TEST(with(R"("perMinute":4294967296)") == "perMinute is too large");
  BOOST_TEST(with(R"("perDay":0)") == "perDay must be an integer from 1 to 9223372036854775807");
  BOOST_TEST(with(R"("perDay":null)") == "perDay must be an integer from 1 to 9223372036854775807");
  BOOST_TEST(fault_of(decode_identity_record(R"({"number":1,"name":"","plan":"free","banChanges":-1})")) ==
             "banChanges must not be negative");
  BOOST_TEST(with(R"("quotaResets":-1)") == "quotaResets must be an integer from 1 to 9223372036854775807");
}

BOOST_AUTO_TEST_CASE(a_scope_is_read_or_write) {
  BOOST_TEST(fault_of(decode_key_record(replaced(full_key_json, R"("read")", R"("admin")"))) ==
             "scope must be read or write");
}

BOOST_AUTO_TEST_SUITE_END()
