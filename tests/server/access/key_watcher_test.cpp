// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_watcher.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "failing_store.hpp"
#include "petstore/asio/as_result.hpp"
#include "petstore/ports/forwarding_store.hpp"
#include "service_fixture.hpp"
#include "support/completion_tokens.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(key_changes)

namespace {

using namespace std::chrono_literals;

std::string quota_of(service_fixture& s, std::string const& key) {
  return s.get("/v1/pets", key).field("X-RateLimit-Limit");
}

unix_ms from_now(service_fixture const& s, std::chrono::milliseconds d) {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(s.now.wall) + d;
}

BOOST_AUTO_TEST_CASE(a_revoked_key_is_refused_after_a_refresh) {
  service_fixture s;
  auto const key = s.make_key();
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  s.change_keys(revoke_key{1});
  BOOST_TEST(s.get("/v1/pets", key).status == 401u);
}

BOOST_AUTO_TEST_CASE(nothing_is_published_while_nothing_changes) {
  service_fixture s;
  s.make_key();
  auto const before = s.keys.current();
  s.refresh_keys();
  BOOST_TEST((s.keys.current() == before));
}

BOOST_AUTO_TEST_CASE(a_change_of_plan_keeps_what_was_used) {
  service_fixture s;
  auto const key = s.make_key("free");
  for (int i = 0; i < 10; ++i) s.get("/v1/pets", key);
  s.change_keys(set_plan{.number = 1, .plan = "pro", .per_minute = {}, .per_day = {}});
  auto const a = s.get("/v1/pets", key);
  BOOST_TEST(a.field("X-RateLimit-Limit") == "300");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "289");
}

BOOST_AUTO_TEST_CASE(new_numbers_of_a_plan_apply_with_the_next_refresh) {
  service_fixture s;
  auto const key = s.make_key("free");
  BOOST_TEST(quota_of(s, key) == "60");
  s.watcher->set_plans({{"free", {limits::per_minute(30), limits::per_day(500)}}});
  BOOST_TEST(quota_of(s, key) == "60");
  s.refresh_keys();
  auto const a = s.get("/v1/pets", key);
  BOOST_TEST(a.field("X-RateLimit-Limit") == "30");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "27");
}

BOOST_AUTO_TEST_CASE(an_operators_ban_holds_until_it_ends_or_is_lifted) {
  service_fixture s;
  auto const key = s.make_key();
  s.change_keys(ban_identity{1, from_now(s, 10min)});
  auto const a = s.get("/v1/pets", key);
  BOOST_TEST(a.error_code == "banned");
  BOOST_TEST(a.field("Retry-After") == "600");
  s.change_keys(unban_identity{1});
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  s.change_keys(ban_identity{1, from_now(s, 10min)});
  BOOST_TEST(s.get("/v1/pets", key).status == 429u);
  s.pass(10min);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_shorter_ban_ends_a_longer_one) {
  service_fixture s;
  auto const key = s.make_key();
  s.change_keys(ban_identity{1, from_now(s, 24h)});
  s.change_keys(ban_identity{1, from_now(s, 1min)});
  BOOST_TEST(s.get("/v1/pets", key).field("Retry-After") == "60");
  s.pass(1min);
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(a_ban_that_was_lifted_between_two_polls_does_not_hold) {
  service_fixture s;
  auto const key = s.make_key();
  s.change_keys(ban_identity{1, from_now(s, 24h)});
  s.store_key_change(unban_identity{1});
  s.change_keys(ban_identity{1, from_now(s, 1min)});
  BOOST_TEST(s.get("/v1/pets", key).field("Retry-After") == "60");
}

BOOST_AUTO_TEST_CASE(another_change_does_not_lift_a_ban_of_the_limiter) {
  service_fixture s{{}, {.strikes = 3}};
  auto const key = s.make_key("free");
  s.change_keys(ban_identity{1, from_now(s, 1s)});
  s.change_keys(unban_identity{1});
  for (int i = 0; i < 61; ++i) s.get("/v1/pets", key);
  s.pass(1s);
  for (int i = 0; i < 5; ++i) s.get("/v1/pets", key);
  BOOST_TEST(s.get("/v1/pets", key).error_code == "banned");
  s.make_key();
  BOOST_TEST(s.get("/v1/pets", key).error_code == "banned");
}

BOOST_AUTO_TEST_CASE(a_reset_makes_both_quotas_whole_in_the_middle_of_a_period) {
  service_fixture s;
  auto const key = s.make_key("free");
  auto const other = s.make_key("free");
  for (int i = 0; i < 60; ++i) s.get("/v1/pets", key);
  for (int i = 0; i < 10; ++i) s.get("/v1/pets", other);
  s.pass(30s);
  BOOST_TEST(s.get("/v1/pets", key).status == 429u);
  for (int resets = 0; resets < 2; ++resets) {
    s.change_keys(reset_quota{1});
    auto const first = s.get("/v1/pets", key);
    BOOST_TEST(first.field("RateLimit") == "\"minute\";r=59;t=60, \"day\";r=999;t=43170");
    for (int i = 1; i < 60; ++i) BOOST_TEST(s.get("/v1/pets", key).status == 200u);
    BOOST_TEST(s.get("/v1/pets", key).status == 429u);
    s.make_key();  // another change resets nothing
    BOOST_TEST(s.get("/v1/pets", key).status == 429u);
  }
  BOOST_TEST(s.get("/v1/pets", other).field("X-RateLimit-Remaining") == "49");
}

BOOST_AUTO_TEST_CASE(a_reset_ends_a_ban_for_strikes_and_none_by_an_operator) {
  service_fixture s{{}, {.strikes = 3}};
  auto const key = s.make_key("free");
  for (int i = 0; i < 61; ++i) s.get("/v1/pets", key);
  s.pass(1s);
  for (int i = 0; i < 5; ++i) s.get("/v1/pets", key);
  BOOST_TEST(s.get("/v1/pets", key).error_code == "banned");
  s.change_keys(reset_quota{1});
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);

  s.change_keys(ban_identity{1, from_now(s, 10min)});
  s.change_keys(reset_quota{1});
  BOOST_TEST(s.get("/v1/pets", key).error_code == "banned");
  s.change_keys(unban_identity{1});
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "59");
}

BOOST_AUTO_TEST_CASE(a_store_that_fails_is_told_of_and_the_known_keys_work) {
  service_fixture s;
  auto const key = s.make_key();
  s.change_keys(revoke_key{1});
  s.fail_store_with(error{errc::unavailable, {}, "gone"});
  auto const failed = s.try_to_refresh_keys();
  BOOST_REQUIRE(!failed);
  BOOST_TEST(failed.error().cause == "gone");
  s.fail_store_with({});
  BOOST_TEST(s.get("/v1/pets", key).status == 401u);
  auto const second = s.make_key();
  BOOST_TEST(s.get("/v1/pets", second).status == 200u);
}

BOOST_AUTO_TEST_CASE(plans_that_came_while_the_store_was_gone_are_not_lost) {
  service_fixture s;
  auto const key = s.make_key("free");
  s.watcher->set_plans({{"free", {limits::per_minute(30), limits::per_day(500)}}});
  s.throw_from_store(true);
  auto const failed = s.try_to_refresh_keys();
  BOOST_REQUIRE(!failed);
  BOOST_TEST(failed.error().cause == "the store is on fire");
  s.throw_from_store(false);
  BOOST_TEST(quota_of(s, key) == "60");
  s.refresh_keys();
  BOOST_TEST(quota_of(s, key) == "30");
}

BOOST_AUTO_TEST_CASE(run_polls_until_it_is_stopped_and_logs_a_failure_once) {
  service_fixture s;
  auto const key = s.make_key();
  s.log.clear();
  s.fail_store_with(error{errc::unavailable, {}, "gone"});
  auto ended = s.watcher->async_run(asio::use_future);
  s.context.restart();
  while (s.log.empty()) s.context.run_one();
  for (int i = 0; i < 4; ++i) s.context.run_one();
  BOOST_REQUIRE(s.log.size() == 1u);
  BOOST_TEST(s.log[0] == "keys_not_read: gone []");
  s.fail_store_with({});
  while (s.log.size() == 1u) s.context.run_one();
  BOOST_TEST(s.log[1] == "keys_read_again: The keys are up to date again. []");
  s.watcher->stop();
  s.context.run();
  ended.get();
}

BOOST_AUTO_TEST_CASE(every_token_completes_a_refresh_and_a_run) {
  service_fixture s;
  error why;
  tests::every_token<>{s.context}.check(
      [&](auto&& token) { return s.watcher->async_refresh(std::forward<decltype(token)>(token)); },
      tests::allocator_use::none);
  tests::every_token<>{s.context}.check(
      [&](auto&& token) { return s.watcher->async_refresh(why, std::forward<decltype(token)>(token)); },
      tests::allocator_use::none);
  std::vector<std::unique_ptr<key_watcher>> watchers;
  tests::every_token<>{s.context}.check([&](auto&& token) {
    auto const ignore_log = [](severity, std::string_view, std::string_view, log_origin const&) {};
    auto made = std::make_unique<key_watcher>(s.context.get_executor(), *s.shop, *s.quotas, s.keys, plan_table{},
                                              limits::now, ignore_log);
    asio::post(s.context, [w = watchers.emplace_back(std::move(made)).get()] { w->stop(); });
    return watchers.back()->async_run(std::forward<decltype(token)>(token));
  });
}

BOOST_AUTO_TEST_CASE(a_watcher_may_have_a_default_token) {
  service_fixture s;
  auto const ignore_log = [](severity, std::string_view, std::string_view, log_origin const&) {};
  using with_deferred = asio::deferred_t::as_default_on_t<key_watcher>;
  with_deferred watcher{s.context.get_executor(), *s.shop, *s.quotas, s.keys, plan_table{}, limits::now, ignore_log};
  error why;
  int calls = 0;
  auto const ended = [&](boost::system::error_code) { ++calls; };
  watcher.async_refresh()(ended);
  watcher.async_refresh(why)(ended);
  watcher.async_run()(ended);
  watcher.stop();
  s.context.restart();
  s.context.run();
  BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(a_cancelled_refresh_completes_at_once_and_its_keys_are_published) {
  service_fixture s;
  auto const before = s.keys.current();
  s.watcher->set_plans({{"free", {limits::per_minute(30), limits::per_day(500)}}});
  asio::cancellation_signal signal;
  boost::system::error_code told;
  error why{errc::not_found, "nothing is written here", {}};
  s.watcher->async_refresh(
      why, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code failed) { told = failed; }));
  signal.emit(asio::cancellation_type::partial);
  s.context.restart();
  s.context.run();
  BOOST_TEST(told == asio::error::operation_aborted);
  BOOST_TEST(why.message == "nothing is written here");
  BOOST_TEST((s.keys.current() != before));
}

BOOST_AUTO_TEST_CASE(a_cancelled_run_ends_and_may_be_begun_again) {
  service_fixture s;
  for (auto const type :
       {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
    asio::cancellation_signal signal;
    boost::system::error_code told;
    s.watcher->async_run(
        asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code failed) { told = failed; }));
    s.context.restart();
    s.context.poll();
    BOOST_TEST(!told);
    signal.emit(type);
    s.context.run();
    BOOST_TEST(told == asio::error::operation_aborted);
  }
  BOOST_TEST(static_cast<bool>(s.try_to_refresh_keys()));
}

BOOST_AUTO_TEST_CASE(a_watcher_may_be_destroyed_while_it_runs) {
  service_fixture s;
  auto ended = s.watcher->async_run(asio::use_future);
  s.context.restart();
  s.context.poll();
  s.watcher.reset();
  s.context.run();
  BOOST_CHECK_NO_THROW(ended.get());
}

BOOST_AUTO_TEST_CASE(what_begins_after_the_end_of_a_watcher_is_aborted) {
  service_fixture s;
  int aborted = 0;
  auto const note = [&](boost::system::error_code failed) {
    BOOST_TEST(failed == asio::error::operation_aborted);
    ++aborted;
  };
  auto refresh = s.watcher->async_refresh(asio::deferred);
  auto run = s.watcher->async_run(asio::deferred);
  s.watcher->stop();
  s.watcher->async_refresh(note);
  s.watcher->async_run(note);
  BOOST_TEST((s.watcher->get_executor() == s.context.get_executor()));
  s.watcher.reset();
  std::move(refresh)(note);
  std::move(run)(note);
  BOOST_TEST(aborted == 0);
  s.context.restart();
  s.context.run();
  BOOST_TEST(aborted == 4);
}

BOOST_AUTO_TEST_CASE(a_second_run_is_refused_while_the_first_goes_on) {
  service_fixture s;
  auto first = s.watcher->async_run(asio::use_future);
  boost::system::error_code told;
  s.watcher->async_run([&](boost::system::error_code failed) { told = failed; });
  BOOST_TEST(!told);
  s.context.restart();
  s.context.poll();
  BOOST_TEST((told == errc::conflict));
  s.watcher->stop();
  s.context.run();
  BOOST_CHECK_NO_THROW(first.get());
}

namespace {

/// Answers with the keys as they were when it was asked, when the test lets it.
struct slow_keys : ports::forwarding_store {
  slow_keys(asio::io_context& context, ports::store& other)
      : forwarding_store{std::shared_ptr<ports::store>{std::shared_ptr<void>{}, &other}}, context_{context} {}

  asio::awaitable<result<key_directory>> read_keys() override {
    auto reading = forwarding_store::read_keys();
    auto got = co_await std::move(reading);
    asio::steady_timer& gate = gates.emplace_back(context_, asio::steady_timer::time_point::max());
    co_await gate.async_wait(as_result);
    co_return got;
  }

  std::deque<asio::steady_timer> gates;

 private:
  asio::io_context& context_;
};

/// A host's store, which has a quota that no one can have.
struct odd_keys : ports::forwarding_store {
  explicit odd_keys(ports::store& other)
      : forwarding_store{std::shared_ptr<ports::store>{std::shared_ptr<void>{}, &other}} {}

  asio::awaitable<result<key_directory>> read_keys() override {
    auto reading = forwarding_store::read_keys();
    auto got = co_await std::move(reading);
    got->identities.at(0).per_minute = 0;
    co_return got;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_impossible_quota_costs_only_its_identity_its_keys) {
  service_fixture s;
  s.make_key();
  s.make_key();
  odd_keys odd{s.store()};
  std::vector<std::string> told;
  auto const log = [&](severity, std::string_view event, std::string_view, log_origin const&) {
    told.emplace_back(event);
  };
  key_registry registry;
  plan_table const plans{{"business", {limits::per_minute(60)}}};
  key_watcher watcher{s.context.get_executor(), odd, *s.quotas, registry, plans, limits::now, log};
  s.run(watcher.async_refresh(asio::use_awaitable));
  BOOST_TEST(registry.current()->size() == 1u);
  BOOST_TEST((told == std::vector<std::string>{"keys_left_out"}));
  watcher.stop();
}

BOOST_AUTO_TEST_CASE(of_two_refreshes_the_keys_that_were_asked_for_last_stay) {
  service_fixture s;
  s.make_key();
  slow_keys slow{s.context, *s.shop};
  auto const ignore_log = [](severity, std::string_view, std::string_view, log_origin const&) {};
  key_registry keys;
  key_watcher watcher{s.context.get_executor(),
                      slow,
                      *s.quotas,
                      keys,
                      {{"free", {limits::per_minute(60), limits::per_day(500)}},
                       {"business", {limits::per_minute(60), limits::per_day(500)}}},
                      limits::now,
                      ignore_log};
  auto first = watcher.async_refresh(asio::use_future);
  s.context.restart();
  s.context.poll();
  auto change = s.shop->change_keys(revoke_key{1}, from_now(s, 0s), "ann", {});
  asio::co_spawn(s.context, std::move(change), asio::detached);
  s.context.restart();
  s.context.poll();
  auto second = watcher.async_refresh(asio::use_future);
  s.context.restart();
  s.context.poll();
  BOOST_TEST_REQUIRE(slow.gates.size() == 2u);
  for (auto* gate : {&slow.gates[1], &slow.gates[0]}) {
    gate->cancel();
    s.context.restart();
    s.context.poll();
  }
  first.get();
  second.get();
  BOOST_TEST(keys.current()->size() == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
