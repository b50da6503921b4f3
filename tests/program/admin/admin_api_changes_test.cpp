// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/admin_api.hpp"
#include "petstore/ports/forwarding_store.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"
#include "support/free_key.hpp"

namespace petstore::program {

namespace {

using namespace std::chrono_literals;
using server::method;

/// A store whose caller hears of a change after another node has done something.
struct overtaken_store : ports::forwarding_store {
  using forwarding_store::forwarding_store;

  boost::asio::awaitable<result<key_change>> change_keys(key_command command, unix_ms at, std::string actor,
                                                         std::optional<ports::idempotency> repeat = {}) override {
    auto changing = forwarding_store::change_keys(std::move(command), at, std::move(actor), std::move(repeat));
    auto const done = co_await std::move(changing);
    if (meanwhile) std::exchange(meanwhile, nullptr)();
    co_return done;
  }

  std::function<void()> meanwhile;
};

/// The administration API over a store with one key, k1, asked by an operator.
struct changes_fixture {
  changes_fixture() { BOOST_REQUIRE(await(store->change_keys(tests::free_key(1), noon, "test")).has_value()); }

  /// Returns the body of the answer; `response` has the rest.
  boost::json::value ask(method m, std::string_view path, std::string_view body = {}) {
    std::vector<server::header_field> const fields{{"Host", "127.0.0.1:9090"},
                                                   {"Authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz"},
                                                   {"Content-Type", "application/json"},
                                                   {"Idempotency-Key", repeat_key}};
    server::request request;
    request.method = m;
    auto const query = std::min(path.find('?'), path.size());
    request.path = path.substr(0, query);
    request.query = path.substr(std::min(query + 1, path.size()));
    request.fields = fields;
    request.body = body;
    request.has_body = !body.empty();
    response.clear();
    await([](admin_api& asked_api, server::request const& asked, server::response& out) -> boost::asio::awaitable<int> {
      auto answering = asked_api.handle(asked, out);
      co_await std::move(answering);
      co_return 0;
    }(api, request, response));
    return boost::json::parse(response.body);
  }

  limits::instant read_clock() {
    return std::exchange(now, {.boot = now.boot + clock_step, .wall = now.wall + clock_step});
  }

  unix_ms const noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 25} + 12h};
  limits::instant now{limits::boot_time{2h}, noon};
  std::chrono::milliseconds clock_step{0};  // between two readings
  std::string repeat_key = "once";
  plan_table plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}}};
  std::shared_ptr<overtaken_store> const store =
      std::make_shared<overtaken_store>(storage::make_memory_store(environment::production));
  std::unique_ptr<quota::local_quota> quotas = quota::open_local_quota({.bans = {.strikes = 1, .grace = 0ms}});
  admin_access access{admin_tokens::parse("rosa operator 0123456789abcdefghijklmnopqrstuvwxyz\n"),
                      [this] { return now; }};
  admin_api api{{*store, *quotas, access, [this] { return plans; }, [this] { return read_clock(); },
                 [](server::severity, std::string_view, std::string_view, server::log_origin const&) {}}};
  server::response response;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(admin_api_changes, changes_fixture)

BOOST_AUTO_TEST_CASE(a_shorter_ban_ends_the_longer_one_at_once) {
  auto const& account = quotas->account_of(1, plans.at("free"), 0);
  ask(method::put, "/admin/v1/keys/k1/ban", R"({"seconds":86400})");
  BOOST_TEST(response.status == 200u);
  BOOST_TEST(account.banned({.boot = now.boot + 1h, .wall = now.wall + 1h}));
  auto const key = ask(method::put, "/admin/v1/keys/k1/ban", R"({"seconds":60})");
  BOOST_TEST(key.at("bannedUntil").as_string() == "2026-11-25T12:01:00.000Z");
  BOOST_TEST(account.banned({.boot = now.boot + 59s, .wall = now.wall + 59s}));
  BOOST_TEST(!account.banned({.boot = now.boot + 60s, .wall = now.wall + 60s}));
}

BOOST_AUTO_TEST_CASE(an_end_of_a_ban_that_was_overtaken_by_another_ban_does_not_end_that_one) {
  auto const& account = quotas->account_of(1, plans.at("free"), 0);
  ask(method::put, "/admin/v1/keys/k1/ban", R"({"seconds":60})");
  store->meanwhile = [&] {
    auto const until = noon + 10min;
    BOOST_REQUIRE(await(store->change_keys(ban_identity{1, until}, noon, "test")).has_value());
    quotas->impose_ban(1, until, now);  // this node has read the keys
  };
  ask(method::delete_, "/admin/v1/keys/k1/ban");
  BOOST_TEST(response.status == 200u);
  BOOST_TEST(account.banned({.boot = now.boot + 9min, .wall = now.wall + 9min}));
}

BOOST_AUTO_TEST_CASE(a_ban_for_strikes_that_ends_after_the_operators_is_shown) {
  ports::payer rosa;
  rosa.kind = ports::payer::kind::identity;
  rosa.plan = plans.at("free");
  rosa.account = &quotas->account_of(1, rosa.plan, 0);
  while (quotas->charge(rosa, now).take().decision != limits::decision::banned) continue;
  auto const ban_until_of = [&](std::string_view seconds) {
    auto const key = ask(method::put, "/admin/v1/keys/k1/ban", seconds);
    return std::string{key.at("bannedUntil").as_string()};
  };
  BOOST_TEST(ban_until_of(R"({"seconds":10})") == "2026-11-25T12:01:00.000Z");
  BOOST_TEST(ban_until_of(R"({"seconds":90})") == "2026-11-25T12:01:30.000Z");
}

BOOST_AUTO_TEST_CASE(a_rotation_without_grace_takes_as_long_as_it_likes) {
  clock_step = 1ms;
  ask(method::post, "/admin/v1/keys/k1/rotate", R"({"grace":0})");
  BOOST_TEST(response.status == 201u);
  BOOST_TEST(await(store->read_keys()).value().keys.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_list_by_state_leaves_out_a_key_whose_state_changes_meanwhile) {
  ask(method::put, "/admin/v1/keys/k1/ban", R"({"seconds":60})");
  auto const end = noon + 60s;
  clock_step = 1ms;
  for (auto left = 10ms; left > 0ms; left -= 1ms) {
    now = {.boot = now.boot + (end - left - now.wall), .wall = end - left};
    auto const banned = ask(method::get, "/admin/v1/keys?state=banned");
    BOOST_TEST(response.status == 200u);
    for (auto const& key : banned.as_array()) BOOST_TEST(key.at("state").as_string() == "banned");
  }
}

BOOST_AUTO_TEST_CASE(the_quota_of_a_key_has_a_member_for_each_window_of_its_plan) {
  auto const windows = [&] {
    std::string names;
    auto const key = ask(method::get, "/admin/v1/keys/k1");
    for (auto const& member : key.at("quota").as_object()) names.append(member.key()).append(" ");
    return names;
  };
  BOOST_TEST(windows() == "plan minute day ");
  plans.insert_or_assign("free", limits::plan{limits::per_hour(50), limits::per_month(500)});
  BOOST_TEST(windows() == "plan hour month ");
  plans.insert_or_assign("free", limits::plan{limits::per_second(5)});
  BOOST_TEST(windows() == "plan second ");
  ask(method::patch, "/admin/v1/keys/k1", R"({"perMinute":7,"perDay":70})");
  BOOST_TEST(windows() == "plan minute day ");
}

BOOST_AUTO_TEST_CASE(a_repeated_creation_has_its_answer_when_the_plan_is_gone) {
  constexpr auto* body = R"({"name":"Rosa","plan":"pro"})";
  plans.emplace("pro", limits::plan{limits::per_minute(300), limits::per_day(10'000)});
  ask(method::post, "/admin/v1/keys", body);
  BOOST_TEST(response.status == 201u);
  plans.erase("pro");
  BOOST_TEST(ask(method::post, "/admin/v1/keys", body).at("id").as_string() == "k2");
  BOOST_TEST(response.status == 201u);
  ask(method::post, "/admin/v1/keys", R"({"name":"Lea","plan":"pro"})");
  BOOST_TEST(response.status == 409u);
  repeat_key = "another";
  auto const refused = ask(method::post, "/admin/v1/keys", body);
  BOOST_TEST(refused.at("message").as_string() == "plan must be one of enterprise, free");
  BOOST_TEST(response.status == 400u);
  BOOST_TEST(await(store->read_keys()).value().keys.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
