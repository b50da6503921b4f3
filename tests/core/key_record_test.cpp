// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_record.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "petstore/limits/plan.hpp"

BOOST_AUTO_TEST_SUITE(key_record_)

using namespace petstore;
using namespace std::chrono_literals;

namespace {

constexpr unix_ms noon{1'780'315'200'000ms};  // 2026-06-01T12:00:00Z
constexpr std::uint64_t number_of_noon = 1'780'315'200'000;

sha256_digest digest_of(unsigned char byte) {
  sha256_digest digest;
  digest.fill(byte);
  return digest;
}

key_record const live{.number = 7,
                      .identity = 3,
                      .digest = digest_of(7),
                      .prefix = "ps_live_",
                      .last_four = "aaaa",
                      .scope = key_scope::read,
                      .created_at = noon - 24h,
                      .expires_at = {},
                      .revoked_at = {},
                      .replaced_by = {}};
identity_record const shop{.number = 3,
                           .name = "shop",
                           .plan = "pro",
                           .per_minute = 500,
                           .per_day = {},
                           .banned_until = {},
                           .unbanned_at = {},
                           .ban_changes = 4};

create_key const ask_for_key{.digest = digest_of(9),
                             .prefix = "ps_live_",
                             .last_four = "wxyz",
                             .name = "app",
                             .plan = "free",
                             .per_minute = {},
                             .per_day = {},
                             .scope = key_scope::write,
                             .expires_at = {}};
rotate_key const ask_for_rotation{
    .number = 7, .digest = digest_of(9), .prefix = "ps_live_", .last_four = "bbbb", .old_expires_at = noon + 24h};

result<key_change> decide_at_noon(key_command const& command, std::optional<key_record> const& key = live,
                                  std::optional<identity_record> const& identity = shop) {
  return decide(command, key, identity, 12, noon, "root");
}

update_key update_of_k7() {
  update_key u;
  u.number = 7;
  return u;
}

/// "<code>: <sentence>".
std::string refusal(result<key_change> const& decided) {
  BOOST_REQUIRE(!decided);
  auto const& e = decided.error();
  return std::string{describe(e.code).code} + ": " + (e.message.empty() ? e.cause : e.message);
}

key_record with(key_record key, auto change) {
  change(key);
  return key;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_id_of_a_key_is_k_and_its_number) {
  BOOST_TEST(key_id(17) == "k17");
  BOOST_TEST(key_number("k17").value() == 17u);
  for (auto const* text : {"", "k", "17", "k0", "k-1", "k017", "K17", "k17x", "k99999999999999999999"})
    BOOST_TEST(!key_number(text), text);
}

BOOST_AUTO_TEST_CASE(create_makes_a_key_and_an_identity_of_its_own) {
  auto const change = decide(ask_for_key, {}, {}, 12, noon, "root").value();
  key_record const expected{.number = 12,
                            .identity = 12,
                            .digest = digest_of(9),
                            .prefix = "ps_live_",
                            .last_four = "wxyz",
                            .scope = key_scope::write,
                            .created_at = noon,
                            .expires_at = {},
                            .revoked_at = {},
                            .replaced_by = {}};
  BOOST_TEST(!change.changed.has_value());
  BOOST_TEST((change.added == expected));
  BOOST_TEST((change.identity == identity_record{.number = 12,
                                                 .name = "app",
                                                 .plan = "free",
                                                 .per_minute = {},
                                                 .per_day = {},
                                                 .banned_until = {},
                                                 .unbanned_at = {},
                                                 .ban_changes = 0}));
}

BOOST_AUTO_TEST_CASE(every_change_tells_who_when_what_and_which_key) {
  auto const entry = decide(ask_for_key, {}, {}, 12, noon, "root").value().entry;
  BOOST_TEST(
      (entry == audit_entry{.sequence = 0,
                            .at = noon,
                            .actor = "root",
                            .action = "create",
                            .key = 12,
                            .detail = "k12 (ps_live_…wxyz) is created with scope write and plan free, for app"}));
  BOOST_TEST(decide_at_noon(ask_for_rotation)->entry.action == "rotate");
  BOOST_TEST(decide_at_noon(revoke_key{7})->entry.action == "revoke");
  BOOST_TEST(decide_at_noon(ban_identity{7, noon + 1h})->entry.action == "ban");
  BOOST_TEST(decide_at_noon(unban_identity{7})->entry.action == "unban");
  BOOST_TEST(decide_at_noon(reset_quota{7})->entry.action == "reset-quota");
  BOOST_TEST(decide_at_noon(set_plan{7, "free", {}, {}})->entry.action == "set-plan");
  BOOST_TEST(decide_at_noon(update_of_k7())->entry.action == "update");
  BOOST_TEST(decide_at_noon(revoke_key{7})->entry.key == 7u);
}

BOOST_AUTO_TEST_CASE(details_are_sentences_for_people) {
  auto c = ask_for_key;
  c.plan = "enterprise", c.per_minute = 9, c.per_day = 99, c.expires_at = noon + 1h, c.name.clear();
  BOOST_TEST(decide(c, {}, {}, 12, noon, "root")->entry.detail ==
             "k12 (ps_live_…wxyz) is created with scope write and plan enterprise, 9 per minute, 99 per day, until "
             "2026-06-01T13:00:00.000Z");
  BOOST_TEST(decide_at_noon(ask_for_rotation)->entry.detail ==
             "k7 (ps_live_…aaaa) is replaced by k12 (ps_live_…bbbb) and works until 2026-06-02T12:00:00.000Z");
  BOOST_TEST(decide_at_noon(revoke_key{7})->entry.detail == "k7 (ps_live_…aaaa) is revoked");
  BOOST_TEST(decide_at_noon(ban_identity{7, noon + 1h})->entry.detail ==
             "the identity of k7 (ps_live_…aaaa) is banned until 2026-06-01T13:00:00.000Z");
  BOOST_TEST(decide_at_noon(unban_identity{7})->entry.detail ==
             "every ban of the identity of k7 (ps_live_…aaaa) is lifted");
  BOOST_TEST(decide_at_noon(reset_quota{7})->entry.detail ==
             "the quotas of the identity of k7 (ps_live_…aaaa) are whole again");
  BOOST_TEST(decide_at_noon(set_plan{7, "enterprise", 5000, 1'000'000})->entry.detail ==
             "the plan of k7 (ps_live_…aaaa) goes from pro, 500 per minute to enterprise, 5000 per minute, 1000000 per "
             "day");
}

BOOST_AUTO_TEST_CASE(update_tells_what_has_changed) {
  auto u = update_of_k7();
  u.name = "Rosa's";
  u.plan = "free";
  u.per_minute.emplace();
  u.scope = key_scope::write;
  u.expires_at.emplace(noon + 1h);
  auto const change = decide_at_noon(u).value();
  BOOST_TEST(change.entry.detail ==
             "k7 (ps_live_…aaaa) is changed, for Rosa's, from plan pro, 500 per minute to free, to scope write, until "
             "2026-06-01T13:00:00.000Z");
  BOOST_TEST(change.identity.name == "Rosa's");
  BOOST_TEST(change.identity.plan == "free");
  BOOST_TEST(!change.identity.per_minute);
  BOOST_TEST((change.changed->scope == key_scope::write));
  BOOST_TEST((change.changed->expires_at == noon + 1h));
}

BOOST_AUTO_TEST_CASE(update_is_held_to_the_rules_of_a_new_key) {
  auto const refused = [](auto change) {
    auto u = update_of_k7();
    change(u);
    auto const sentence = refusal(decide_at_noon(u));
    return sentence.substr(0, sentence.find(':'));
  };
  BOOST_TEST(refused([](auto& u) { u.name = "a\nb"; }) == "invalid_request");
  BOOST_TEST(refused([](auto& u) { u.plan = ""; }) == "invalid_request");
  BOOST_TEST(refused([](auto& u) { u.plan = "enterprise"; }) == "invalid_request");  // it needs both numbers
  BOOST_TEST(refused([](auto& u) { u.per_day.emplace(0); }) == "invalid_request");
  BOOST_TEST(refused([](auto& u) { u.expires_at.emplace(noon); }) == "invalid_request");
  BOOST_TEST(refused([](auto& u) { u.condition = etag_condition::parse("\"1-00000000\"").value(); }) ==
             "precondition_failed");
}

BOOST_AUTO_TEST_CASE(update_of_a_revoked_key_changes_only_its_identity) {
  auto revoked = live;
  revoked.revoked_at = noon - 1h;
  auto u = update_of_k7();
  u.name = "Rosa's";
  BOOST_TEST(decide_at_noon(u, revoked)->identity.name == "Rosa's");
  u.scope = key_scope::write;
  BOOST_TEST(refusal(decide_at_noon(u, revoked)) == "conflict: k7 was revoked at 2026-06-01T11:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(every_change_gives_another_tag) {
  auto const tag = tag_of(live, shop);
  BOOST_TEST((tag == tag_of(live, shop)));
  BOOST_TEST((tag != tag_of(with(live, [](auto& k) { k.scope = key_scope::write; }), shop)));
  auto renamed = shop;
  renamed.name = "shops";
  BOOST_TEST((tag != tag_of(live, renamed)));
}

BOOST_AUTO_TEST_CASE(create_refuses_numbers_that_no_bucket_can_hold) {
  auto const with_numbers = [](std::optional<std::uint32_t> per_minute, std::optional<std::uint64_t> per_day) {
    auto c = ask_for_key;
    c.per_minute = per_minute;
    c.per_day = per_day;
    return decide(c, {}, {}, 12, noon, "root");
  };
  BOOST_TEST(with_numbers(1, 1).has_value());
  BOOST_TEST(with_numbers(limits::short_tokens_max, limits::long_tokens_max).has_value());
  for (auto const& refused : {with_numbers(0, 1), with_numbers(limits::short_tokens_max + 1, 1)})
    BOOST_TEST(refusal(refused) == "invalid_request: the quota per minute must be from 1 to 16777215");
  for (auto const& refused : {with_numbers(1, 0), with_numbers(1, limits::long_tokens_max + 1)})
    BOOST_TEST(refusal(refused) == "invalid_request: the quota per day must be from 1 to 1099511627775");
}

BOOST_AUTO_TEST_CASE(enterprise_needs_both_numbers) {
  auto const sentence =
      "invalid_request: the plan enterprise has no numbers of its own: give both, per minute and per day";
  auto c = ask_for_key;
  c.plan = "enterprise";
  BOOST_TEST(refusal(decide(c, {}, {}, 12, noon, "root")) == sentence);
  c.per_minute = 10;
  BOOST_TEST(refusal(decide(c, {}, {}, 12, noon, "root")) == sentence);
  BOOST_TEST(refusal(decide_at_noon(set_plan{7, "enterprise", {}, 10})) == sentence);
  c.per_day = 10;
  BOOST_TEST(decide(c, {}, {}, 12, noon, "root").has_value());
}

BOOST_AUTO_TEST_CASE(create_refuses_names_that_would_spoil_a_table) {
  auto const sentence = "invalid_request: a key's name has at most 255 bytes of UTF-8 without control characters";
  for (std::string name :
       {std::string(256, 'n'), std::string{"a\nb"}, std::string{"\xFF"}, std::string{"\x7F"}, std::string{"\xC2\x9B"},
        std::string{"evil\u202Egnp"}, std::string{"\u2066x\u2069"}, std::string{"a\u200F"}, std::string{"a\u061C"}}) {
    auto c = ask_for_key;
    c.name = name;
    BOOST_TEST(refusal(decide(c, {}, {}, 12, noon, "root")) == sentence);
  }
  auto c = ask_for_key;
  c.plan.clear();
  BOOST_TEST(refusal(decide(c, {}, {}, 12, noon, "root")) ==
             "invalid_request: a plan's name has 1 to 255 bytes of UTF-8 without control characters");
}

BOOST_AUTO_TEST_CASE(create_refuses_a_key_that_is_born_expired) {
  auto c = ask_for_key;
  c.expires_at = noon;
  BOOST_TEST(refusal(decide(c, {}, {}, 12, noon, "root")) == "invalid_request: a key must expire in the future");
  c.expires_at = noon + 1ms;
  BOOST_TEST((decide(c, {}, {}, 12, noon, "root")->added->expires_at == noon + 1ms));
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_not_found_whatever_is_asked) {
  key_command const commands[] = {ask_for_rotation,  revoke_key{7},  ban_identity{7, noon + 1h},
                                  unban_identity{7}, reset_quota{7}, set_plan{7, "free", {}, {}}};
  for (auto const& c : commands) BOOST_TEST(refusal(decide_at_noon(c, {}, {})) == "not_found: there is no key k7");
}

BOOST_AUTO_TEST_CASE(a_key_without_its_identity_is_damage) {
  BOOST_TEST(refusal(decide_at_noon(revoke_key{7}, live, {})) == "internal: the identity of k7 is missing");
}

BOOST_AUTO_TEST_CASE(an_actor_must_fit_into_the_audit_log) {
  BOOST_TEST(refusal(decide(revoke_key{7}, live, shop, 12, noon, "ro\xFFt")) ==
             "invalid_request: the name of who asks has at most 255 bytes of UTF-8 without control characters");
}

BOOST_AUTO_TEST_CASE(rotation_makes_a_second_key_of_the_same_identity_scope_and_expiry) {
  auto const expiring = with(live, [](auto& k) { k.expires_at = noon + 48h; });
  auto const change = decide_at_noon(ask_for_rotation, expiring).value();
  BOOST_TEST((change.added == key_record{.number = 12,
                                         .identity = 3,
                                         .digest = digest_of(9),
                                         .prefix = "ps_live_",
                                         .last_four = "bbbb",
                                         .scope = key_scope::read,
                                         .created_at = noon,
                                         .expires_at = noon + 48h,
                                         .revoked_at = {},
                                         .replaced_by = {}}));
  BOOST_TEST((change.changed == with(expiring, [](auto& k) { k.replaced_by = 12, k.expires_at = noon + 24h; })));
  BOOST_TEST((change.identity == shop));
}

BOOST_AUTO_TEST_CASE(rotation_gives_a_key_without_expiry_a_successor_without_expiry) {
  auto const change = decide_at_noon(ask_for_rotation).value();
  BOOST_TEST((change.changed->expires_at == noon + 24h));
  BOOST_TEST(!change.added->expires_at.has_value());
}

BOOST_AUTO_TEST_CASE(rotation_never_lengthens_the_old_keys_life) {
  auto const expiring = with(live, [](auto& k) { k.expires_at = noon + 1h; });
  auto const change = decide_at_noon(ask_for_rotation, expiring).value();
  BOOST_TEST((change.changed->expires_at == noon + 1h));
  BOOST_TEST((change.added->expires_at == noon + 1h));
}

BOOST_AUTO_TEST_CASE(rotation_without_grace_ends_the_old_key_at_once) {
  auto c = ask_for_rotation;
  c.old_expires_at = noon;
  BOOST_TEST((decide_at_noon(c)->changed->expires_at == noon));
  c.old_expires_at = noon - 1ms;
  BOOST_TEST(refusal(decide_at_noon(c)) == "invalid_request: a grace period cannot be negative");
}

BOOST_AUTO_TEST_CASE(only_a_working_key_can_be_rotated) {
  auto const revoked = with(live, [](auto& k) { k.revoked_at = noon - 1h; });
  BOOST_TEST(refusal(decide_at_noon(ask_for_rotation, revoked)) ==
             "conflict: k7 was revoked at 2026-06-01T11:00:00.000Z");
  auto const expired = with(live, [](auto& k) { k.expires_at = noon; });
  BOOST_TEST(refusal(decide_at_noon(ask_for_rotation, expired)) == "conflict: k7 expired at 2026-06-01T12:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(a_key_is_rotated_once) {
  auto const replaced = with(live, [](auto& k) { k.replaced_by = 8, k.expires_at = noon + 1h; });
  BOOST_TEST(refusal(decide_at_noon(ask_for_rotation, replaced)) ==
             "conflict: k7 was already replaced by k8; rotate that one");
}

BOOST_AUTO_TEST_CASE(a_key_stays_in_its_environment) {
  auto c = ask_for_rotation;
  c.prefix = "ps_test_";
  BOOST_TEST(refusal(decide_at_noon(c)) == "invalid_request: a key ps_live_… cannot be replaced by one of ps_test_");
}

BOOST_AUTO_TEST_CASE(revoking_marks_the_key_and_nothing_else) {
  auto const change = decide_at_noon(revoke_key{7}).value();
  BOOST_TEST((change.changed == with(live, [](auto& k) { k.revoked_at = noon; })));
  BOOST_TEST(!change.added.has_value());
  BOOST_TEST((change.identity == shop));
}

BOOST_AUTO_TEST_CASE(what_changes_nothing_is_told_apart) {
  auto const is_unchanged = [](key_command const& command, identity_record const& identity = shop) {
    auto const change = decide_at_noon(command, live, identity).value();
    BOOST_TEST((!change.unchanged || (!change.changed && change.identity == identity)));
    return change.unchanged;
  };
  auto u = update_of_k7();
  BOOST_TEST(is_unchanged(u));
  u.name = "shop", u.plan = "pro", u.per_minute.emplace(500), u.per_day.emplace(), u.scope = key_scope::read;
  u.expires_at.emplace();
  BOOST_TEST(is_unchanged(u));
  u.scope = key_scope::write;
  BOOST_TEST(!is_unchanged(u));
  BOOST_TEST(is_unchanged(set_plan{7, "pro", 500, {}}));
  BOOST_TEST(!is_unchanged(set_plan{7, "pro", {}, {}}));
  auto banned = shop;
  banned.banned_until = noon + 1h;
  BOOST_TEST(is_unchanged(ban_identity{7, noon + 1h}, banned));
  BOOST_TEST(!is_unchanged(ban_identity{7, noon + 2h}, banned));
  // A server may have banned the identity by itself, and every reset begins anew.
  BOOST_TEST(!is_unchanged(unban_identity{7}));
  BOOST_TEST(!is_unchanged(reset_quota{7}));
  BOOST_TEST(!is_unchanged(revoke_key{7}));
}

BOOST_AUTO_TEST_CASE(a_key_is_revoked_once_but_even_when_expired) {
  auto const revoked = with(live, [](auto& k) { k.revoked_at = noon - 1h; });
  BOOST_TEST(decide_at_noon(revoke_key{7}, revoked)->unchanged);
  auto const expired = with(live, [](auto& k) { k.expires_at = noon - 1h; });
  BOOST_TEST((decide_at_noon(revoke_key{7}, expired)->changed->revoked_at == noon));
}

BOOST_AUTO_TEST_CASE(a_ban_is_the_identitys_and_numbered) {
  auto const change = decide_at_noon(ban_identity{7, noon + 1h}).value();
  BOOST_TEST(!change.changed.has_value());
  BOOST_TEST((change.identity.banned_until == noon + 1h));
  BOOST_TEST(change.identity.ban_changes == number_of_noon);
  BOOST_TEST(refusal(decide_at_noon(ban_identity{7, noon})) == "invalid_request: a ban must end in the future");
}

BOOST_AUTO_TEST_CASE(a_shorter_ban_ends_the_longer_one) {
  auto banned = shop;
  banned.banned_until = noon + 1h;
  auto const shorter = decide_at_noon(ban_identity{7, noon + 1min}, live, banned).value();
  BOOST_TEST((shorter.identity.banned_until == noon + 1min));
  BOOST_TEST((shorter.identity.unbanned_at == noon));
  BOOST_TEST(shorter.identity.ban_changes == number_of_noon);
  BOOST_TEST(!decide_at_noon(ban_identity{7, noon + 2h}, live, banned)->identity.unbanned_at.has_value());
}

BOOST_AUTO_TEST_CASE(an_unban_is_numbered_even_when_no_ban_is_on_record) {
  auto const change = decide_at_noon(unban_identity{7}).value();
  BOOST_TEST(!change.identity.banned_until.has_value());
  BOOST_TEST((change.identity.unbanned_at == noon));
  BOOST_TEST(change.identity.ban_changes == number_of_noon);
}

BOOST_AUTO_TEST_CASE(resets_of_quotas_are_numbered_and_change_nothing_else) {
  auto const change = decide_at_noon(reset_quota{7}).value();
  auto expected = shop;
  expected.quota_resets = number_of_noon;
  BOOST_TEST((change.identity == expected));
  BOOST_TEST(!change.changed.has_value());
  BOOST_TEST((tag_of(live, shop) != tag_of(live, expected)));
}

BOOST_AUTO_TEST_CASE(numbers_of_bans_and_resets_grow_when_the_clock_goes_back) {
  auto later = shop;
  later.ban_changes = later.quota_resets = number_of_noon + 5;
  BOOST_TEST(decide_at_noon(reset_quota{7}, live, later)->identity.quota_resets == number_of_noon + 6);
  BOOST_TEST(decide_at_noon(unban_identity{7}, live, later)->identity.ban_changes == number_of_noon + 6);
  BOOST_TEST(decide_at_noon(ban_identity{7, noon + 1h}, live, later)->identity.ban_changes == number_of_noon + 6);
}

BOOST_AUTO_TEST_CASE(set_plan_replaces_the_plan_and_its_overrides) {
  auto const change = decide_at_noon(set_plan{7, "business", {}, 5}).value();
  auto expected = shop;
  expected.plan = "business";
  expected.per_minute.reset();
  expected.per_day = 5;
  BOOST_TEST((change.identity == expected));
  BOOST_TEST(!change.changed.has_value());
  BOOST_TEST(!change.added.has_value());
}

BOOST_AUTO_TEST_CASE(scopes_have_one_spelling) {
  for (auto s : {key_scope::read, key_scope::write}) BOOST_TEST((parse_key_scope(to_string(s)) == s));
  for (auto text : {"", "Read", "admin", "write "}) BOOST_TEST(!parse_key_scope(text).has_value());
}

BOOST_AUTO_TEST_CASE(a_command_says_which_key_it_concerns) {
  BOOST_TEST(!named_key(ask_for_key).has_value());
  BOOST_TEST((named_key(ask_for_rotation) == 7u));
  BOOST_TEST((named_key(revoke_key{8}) == 8u));
  BOOST_TEST((named_key(ban_identity{9, noon}) == 9u));
  BOOST_TEST((named_key(unban_identity{10}) == 10u));
  BOOST_TEST((named_key(reset_quota{10}) == 10u));
  BOOST_TEST((named_key(set_plan{11, "free", {}, {}}) == 11u));
}

BOOST_AUTO_TEST_SUITE_END()
