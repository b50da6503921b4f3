// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/redis_usage.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>
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

BOOST_AUTO_TEST_CASE(what_nodes_charged_is_read_for_each_identity) {
  redis_process server;
  redis_options options;
  options.address = server.address();
  options.mode = quota_mode::strict;  // so that nothing is taken ahead of need
  options.deadline = time_limit;
  node charging(std::move(options), open_redis_quota);
  auto const start = limits::now();
  // A charge that comes before the connection waits for nothing.
  wait_until([&] {
    return charging.charge(charging.identity(free_plan, 9), limits::now()).admitted() &&
           !server.ask({"KEYS", "*:i:9}2"}).empty();
  });
  for (int i = 0; i < 3; ++i) BOOST_REQUIRE(charging.charge(charging.identity(free_plan, 1), limits::now()).admitted());
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(charging.charge(charging.identity(free_plan, 2), limits::now()).admitted());

  // More of them than are asked at one time.
  std::vector<std::uint64_t> identities(200);
  std::iota(identities.begin(), identities.end(), 1);
  auto const found = read_shared_quotas(server.address(), "test", identities, time_limit);
  BOOST_REQUIRE(found.contains(1));
  BOOST_TEST(found.at(1).minute_used == 3u);
  BOOST_TEST(found.at(1).day_used == 3u);
  BOOST_TEST(found.at(2).minute_used == 5u);
  BOOST_TEST(!found.contains(3));
  limits::wall_time const began{std::chrono::milliseconds{found.at(1).minute_start_unix_ms}};
  BOOST_TEST((began >= start.wall - 1s));
  BOOST_TEST((began <= limits::now().wall + 1s));
  auto const today = std::chrono::floor<std::chrono::days>(limits::now().wall).time_since_epoch().count();
  BOOST_TEST((found.at(1).day == today || found.at(1).day + 1 == today));  // a test may run at midnight
  BOOST_TEST(read_shared_quotas(server.address(), "production", identities, time_limit).empty());
  BOOST_TEST(read_shared_quotas(server.address(), "test", {}, time_limit).empty());
}

BOOST_AUTO_TEST_CASE(a_user_who_may_not_publish_reads_what_was_used) {
  redis_process server;
  redis_options options;
  options.address = server.address();
  options.deadline = time_limit;
  node charging(std::move(options), open_redis_quota);
  wait_until([&] {
    return charging.charge(charging.identity(free_plan, 9), limits::now()).admitted() &&
           !server.ask({"KEYS", "*:i:9}2"}).empty();
  });

  server.ask({"ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all", "-publish"});
  std::vector<std::uint64_t> const identities{9};
  auto const address = "redis://reader:secret@127.0.0.1:" + std::to_string(server.port());
  BOOST_TEST(read_shared_quotas(address, "test", identities, time_limit).contains(9));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_a_sentence) {
  std::vector<std::uint64_t> const identities{1};
  auto const nowhere = "redis://127.0.0.1:" + std::to_string(free_port());
  BOOST_CHECK_THROW(read_shared_quotas(nowhere, "test", identities, 50ms), std::runtime_error);
  BOOST_CHECK_THROW(read_shared_quotas("redis://", "test", identities, 50ms), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
