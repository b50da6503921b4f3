// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_request.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(key_request)

using namespace petstore;
using namespace std::chrono_literals;

namespace {

constexpr unix_ms noon{1'780'315'200'000ms};  // 2026-06-01T12:00:00Z

/// The message of the error; empty if there is none.
template <class T>
std::string message_of(result<T> const& r) {
  return r ? std::string{} : r.error().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(new_key_has_required_and_optional_members) {
  auto const least = decode_json<new_key>(R"({"name":"Rosa's","plan":"free"})").value();
  BOOST_TEST(least.name == "Rosa's");
  BOOST_TEST(least.plan == "free");
  BOOST_TEST(!least.scope.has_value());
  auto const command = to_command(least).value();
  BOOST_TEST((command.scope == key_scope::write));
  BOOST_TEST(!command.expires_at.has_value());

  auto const all = to_command(decode_json<new_key>(R"({"name":"a","plan":"b","scope":"read","perMinute":5,"perDay":6,)"
                                                   R"("expiresAt":"2026-06-01T12:00:00.000Z","id":7})")
                                  .value())
                       .value();
  BOOST_TEST((all.scope == key_scope::read));
  BOOST_TEST(all.per_minute.value() == 5u);
  BOOST_TEST(all.per_day.value() == 6u);
  BOOST_TEST((all.expires_at == noon));
}

BOOST_AUTO_TEST_CASE(an_expiry_may_have_any_form_of_rfc_3339) {
  auto const body = decode_json<new_key>(R"({"name":"a","plan":"b","expiresAt":"2026-06-01t14:00:00+02:00"})").value();
  BOOST_TEST((body.expires_at == noon));
  BOOST_TEST((decode_json<key_patch>(R"({"expiresAt":"2026-06-01T12:00:00Z"})")->expires_at == std::optional{noon}));
}

BOOST_AUTO_TEST_CASE(faults_of_a_body_are_named_together) {
  BOOST_TEST(message_of(decode_json<new_key>(R"({"plan":7,"scope":"admin","expiresAt":"soon"})")) ==
             "name is missing; plan must be a string; scope must be one of read, write; expiresAt must be a time like "
             "2026-06-01T12:00:00.000Z");
  new_key body{.name = "a", .plan = "free", .scope = {}, .expires_at = {}, .per_minute = 0, .per_day = -1};
  BOOST_TEST(message_of(to_command(body)) ==
             "perMinute must be from 1 to 16777215; perDay must be from 1 to 1099511627775");
}

BOOST_AUTO_TEST_CASE(patch_tells_absent_from_null) {
  auto const patch = decode_json<key_patch>(R"({"perMinute":null,"expiresAt":null,"plan":"pro"})").value();
  BOOST_TEST(!patch.name.has_value());
  BOOST_TEST(patch.plan.value() == "pro");
  BOOST_TEST(!patch.per_day.has_value());
  auto const command = to_command(patch, 7, {}).value();
  BOOST_TEST(command.number == 7u);
  BOOST_REQUIRE(command.per_minute.has_value());
  BOOST_TEST(!command.per_minute->has_value());
  BOOST_REQUIRE(command.expires_at.has_value());
  BOOST_TEST(!command.expires_at->has_value());
  BOOST_TEST(!command.per_day.has_value());
  BOOST_TEST(!message_of(decode_json<key_patch>(R"({"name":null})")).empty());
  BOOST_TEST(!message_of(decode_json<key_patch>(R"({"plan":null})")).empty());
}

BOOST_AUTO_TEST_CASE(periods_have_an_end) {
  BOOST_TEST((to_command(key_rotation{}, 7, noon)->old_expires_at == noon + 24h));
  BOOST_TEST((to_command(key_rotation{.grace = 0}, 7, noon)->old_expires_at == noon));
  BOOST_TEST(message_of(to_command(key_rotation{.grace = -1}, 7, noon)) == "grace must be from 0 to 315360000");
  BOOST_TEST((to_command(key_ban{.seconds = 60}, 7, noon)->until == noon + 1min));
  BOOST_TEST(message_of(to_command(key_ban{.seconds = 0}, 7, noon)) == "seconds must be from 1 to 315360000");
  BOOST_TEST(!to_command(key_ban{.seconds = 9'223'372'036'854'775'807}, 7, noon).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
