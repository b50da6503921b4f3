// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/redis_usage.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "quota_node.hpp"
#include "support/free_port.hpp"
#include "support/redis_process.hpp"

BOOST_AUTO_TEST_SUITE(redis_usage)

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;
using petstore::tests::free_port;
using petstore::tests::redis_process;

namespace {

/// A strict node takes nothing ahead of need.
redis_options options_for(redis_process const& server, quota_mode mode) {
  redis_options options;
  options.address = server.address();
  options.mode = mode;
  options.deadline = time_limit;
  return options;
}

/// Charges identity 9 until the server counts it. A charge that comes before the connection waits for nothing.
void charge_until_counted(node& charging, redis_process const& server) {
  wait_until([&] {
    return charging.charge(charging.identity(free_plan, 9), limits::now()).admitted() &&
           !server.ask({"KEYS", "*:i:9}2"}).empty();
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_nodes_charged_is_read_for_each_identity) {
  redis_process server;
  node charging(options_for(server, quota_mode::strict), open_redis_quota);
  auto const start = limits::now();
  charge_until_counted(charging, server);
  for (int i = 0; i < 3; ++i) BOOST_REQUIRE(charging.charge(charging.identity(free_plan, 1), limits::now()).admitted());
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(charging.charge(charging.identity(free_plan, 2), limits::now()).admitted());

  // More of them than are asked at one time.
  std::vector<shared_identity> identities;
  for (std::uint64_t number = 1; number <= 200; ++number) identities.push_back({number});
  auto const found = read_shared_quotas(server.address(), "test", identities, time_limit).accounts;
  BOOST_REQUIRE(found.contains(1));
  BOOST_TEST(found.at(1).short_used == 3u);
  BOOST_TEST(found.at(1).long_used == 3u);
  BOOST_TEST(found.at(2).short_used == 5u);
  BOOST_TEST(!found.contains(3));
  limits::wall_time const began{std::chrono::milliseconds{found.at(1).short_end_unix_ms} - 1min};
  BOOST_TEST((began >= start.wall - 1s));
  BOOST_TEST((began <= limits::now().wall + 1s));
  auto const today = std::chrono::floor<std::chrono::days>(limits::now().wall).time_since_epoch().count();
  auto const day_end = found.at(1).long_end_unix_ms / 86'400'000;
  BOOST_TEST((day_end == today + 1 || day_end == today));  // a test may run at midnight
  BOOST_TEST(found.at(1).long_is_aligned);
  BOOST_TEST(read_shared_quotas(server.address(), "production", identities, time_limit).accounts.empty());
  BOOST_TEST(read_shared_quotas(server.address(), "test", {}, time_limit).accounts.empty());
}

BOOST_AUTO_TEST_CASE(what_was_used_of_other_windows_is_read_with_the_ends_of_their_periods) {
  redis_process server;
  node charging(options_for(server, quota_mode::strict), open_redis_quota);
  charge_until_counted(charging, server);
  limits::plan const hourly{limits::per_minute(60), limits::per_hour(1'000)};
  limits::plan const monthly{limits::per_hour(60), limits::per_month(1'000)};
  auto const start = limits::now().wall;
  for (int i = 0; i < 3; ++i) BOOST_REQUIRE(charging.charge(charging.identity(hourly, 1), limits::now()).admitted());
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(charging.charge(charging.identity(monthly, 2), limits::now()).admitted());
  std::vector<shared_identity> const identities{{1}, {2}};
  auto const found = read_shared_quotas(server.address(), "test", identities, time_limit).accounts;
  auto const end = limits::now().wall;
  auto const is_in = [](std::int64_t unix_ms, limits::wall_time first, limits::wall_time last) {
    limits::wall_time const at{std::chrono::milliseconds{unix_ms}};
    return at >= first - 1s && at <= last + 2s;
  };
  BOOST_TEST(found.at(1).short_used == 3u);
  BOOST_TEST(found.at(1).long_used == 3u);
  BOOST_TEST(!found.at(1).long_is_aligned);
  BOOST_TEST(is_in(found.at(1).long_end_unix_ms, start + 1h, end + 1h));
  BOOST_TEST(found.at(2).short_used == 5u);
  BOOST_TEST(is_in(found.at(2).short_end_unix_ms, start + 1h, end + 1h));
  BOOST_TEST(found.at(2).long_used == 5u);
  BOOST_TEST(found.at(2).long_is_aligned);
  limits::period const month = limits::per_month(1).period;
  limits::wall_time const month_end{std::chrono::milliseconds{found.at(2).long_end_unix_ms}};
  BOOST_TEST((month_end == month.end_after(start) || month_end == month.end_after(end)));
}

BOOST_AUTO_TEST_CASE(what_was_used_before_a_reset_is_not_read) {
  redis_process server;
  node charging(options_for(server, quota_mode::strict), open_redis_quota);
  charge_until_counted(charging, server);
  auto const reset = charging.identity(free_plan, 9, 3);
  for (int i = 0; i < 2; ++i) BOOST_REQUIRE(charging.charge(reset, limits::now()).admitted());
  BOOST_TEST(!server.ask({"KEYS", "{test:i:9.3}2"}).empty());
  auto const used = [&](std::uint64_t resets) {
    std::vector<shared_identity> const one{{9, resets}};
    auto const found = read_shared_quotas(server.address(), "test", one, time_limit).accounts;
    return found.contains(9) ? found.at(9).long_used : 0;
  };
  BOOST_TEST(used(3) == 2u);
  BOOST_TEST(used(4) == 0u);
}

BOOST_AUTO_TEST_CASE(a_user_who_may_not_publish_reads_what_was_used) {
  redis_process server;
  node charging(options_for(server, quota_mode::leased), open_redis_quota);
  charge_until_counted(charging, server);

  server.ask({"ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-publish"});
  std::vector<shared_identity> const identities{{9}};
  auto const address = "redis://reader:secret@127.0.0.1:" + std::to_string(server.port());
  BOOST_TEST(read_shared_quotas(address, "test", identities, time_limit).accounts.contains(9));
}

/// Nodes of version 1 count in a hash, in which the others are one node, `n2`.
BOOST_AUTO_TEST_CASE(what_nodes_of_version_1_took_is_part_of_what_was_used) {
  redis_process server;
  node charging(options_for(server, quota_mode::strict), open_redis_quota);
  auto const charge = [&](std::uint64_t identity) {
    return charging.charge(charging.identity(free_plan, identity), limits::now()).admitted();
  };
  charge_until_counted(charging, server);
  auto const now = limits::now().wall.time_since_epoch();
  auto const day = std::to_string(now / 24h);
  auto const minute = std::to_string((now + 59s) / 1us);
  // Of identity 1 only they have taken something; of 2 both have; of 3 they took all in a minute that is over.
  server.ask({"HSET", "{test:i:1}", "m", minute, "u", "7", "d", day, "v", "40"});
  server.ask({"HSET", "{test:i:2}", "m", minute, "u", "5", "d", day, "v", "20"});
  server.ask({"HSET", "{test:i:3}", "m", "1", "u", "50", "d", "1", "v", "500"});
  for (std::uint64_t const identity : {2u, 3u})
    for (int i = 0; i < 3; ++i) BOOST_REQUIRE(charge(identity));
  // As the script writes it while nodes of version 1 live.
  server.ask({"HSET", "{test:i:2}", "u", "8", "v", "23", "n2", "0 0 " + minute + " 3 " + day + " 3 9000000"});

  std::vector<shared_identity> const identities{{1}, {2}, {3}, {4}};
  auto const found = read_shared_quotas(server.address(), "test", identities, time_limit).accounts;
  BOOST_REQUIRE(found.size() == 3u);
  BOOST_TEST(found.at(1).short_used == 7u);
  BOOST_TEST(found.at(1).long_used == 40u);
  BOOST_TEST(found.at(2).short_used == 8u);
  BOOST_TEST(found.at(2).long_used == 23u);
  BOOST_TEST(found.at(3).short_used == 3u);
  BOOST_TEST(found.at(3).long_used == 3u);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_named_and_the_rest_is_read) {
  redis_process server;
  server.ask({"RPUSH", "{test:i:1}2", "a list"});
  server.ask({"SET", "{test:i:2}2", "\x04 of a later version"});
  server.ask({"SET", "{test:i:3}", "in the place of a hash of version 1"});
  node charging(options_for(server, quota_mode::leased), open_redis_quota);
  charge_until_counted(charging, server);
  std::vector<shared_identity> const identities{{1}, {2}, {3}, {9}};
  auto found = read_shared_quotas(server.address(), "test", identities, time_limit);
  std::ranges::sort(found.unreadable);
  BOOST_TEST((found.unreadable == std::vector<std::uint64_t>{1, 2, 3}));
  BOOST_TEST(found.accounts.size() == 1u);
  BOOST_TEST(found.accounts.contains(9));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_a_sentence) {
  std::vector<shared_identity> const identities{{1}};
  auto const nowhere = "redis://127.0.0.1:" + std::to_string(free_port());
  BOOST_CHECK_THROW(read_shared_quotas(nowhere, "test", identities, 50ms), std::runtime_error);
  BOOST_CHECK_THROW(read_shared_quotas("redis://", "test", identities, 50ms), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
