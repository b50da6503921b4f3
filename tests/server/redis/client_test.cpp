// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/client.hpp"

#include <boost/test/unit_test.hpp>
#include <future>

#include "server/redis/live_client.hpp"
#include "support/eventually.hpp"
#include "support/redis_process.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_client)

namespace {

using redis::errc;
using redis::reply;
using kind = redis::state_change::kind;

redis::script const add{"return redis.call('INCRBY', KEYS[1], ARGV[1])"};

struct fixture {
  redis_process server;
  live_client client{server.address()};
  fixture() { BOOST_REQUIRE(client.connect()); }
};

BOOST_FIXTURE_TEST_CASE(a_script_runs_where_the_server_never_saw_it_and_after_it_forgot_it, fixture) {
  BOOST_TEST(client.run(add, {"n"}, {"5"}).value().integer == 5);
  BOOST_TEST(client->counters().scripts_sent_whole == 1U);
  BOOST_TEST(client.run(add, {"n"}, {"5"}).value().integer == 10);
  BOOST_TEST(client->counters().scripts_sent_whole == 1U);
  server.ask({"SCRIPT", "FLUSH"});
  BOOST_TEST(client.run(add, {"n"}, {"-3"}).value().integer == 7);
  BOOST_TEST(client->counters().scripts_sent_whole == 2U);
}

BOOST_FIXTURE_TEST_CASE(any_bytes_pass_both_ways, fixture) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes.push_back(static_cast<char>(i * 7));
  BOOST_TEST(client.command({"SET", std::string{"k\0\r\n", 4}, bytes}).value().text == "OK");
  BOOST_TEST(client.command({"GET", std::string{"k\0\r\n", 4}}).value().text == bytes);
  BOOST_TEST((client.command({"GET", "nothing"}).value().type == reply::kind::nil));
  BOOST_TEST(client.command({"KEYS", "*"}).value().elements.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(an_error_of_the_server_is_a_failure_that_says_whether_anything_was_done, fixture) {
  auto const wrong = client.command({"INCR"});
  BOOST_TEST((wrong.error().code == errc::server_error));
  BOOST_TEST(wrong.error().detail.starts_with("ERR wrong number of arguments"));
  BOOST_TEST(!is_surely_not_executed(wrong.error().code));

  redis::script const half{"redis.call('SET', KEYS[1], 'done'); return redis.call('INCR', KEYS[1])"};
  BOOST_TEST((client.run(half, {"k"}, {}).error().code == errc::server_error));
  BOOST_TEST(server.ask({"GET", "k"}) == "done");

  server.ask({"CONFIG", "SET", "maxmemory", "1"});
  auto const full = client.command({"SET", "k", "v"});
  BOOST_TEST((full.error().code == errc::refused));
  BOOST_TEST(is_surely_not_executed(full.error().code));
  BOOST_TEST((client.run(add, {"n"}, {"1"}).error().code == errc::refused));
}

BOOST_FIXTURE_TEST_CASE(a_call_completes_on_its_callers_executor, fixture) {
  auto ask = [](redis::client& asked) -> asio::awaitable<std::thread::id> {
    auto calling = asked.command({"PING"}, "", within(time_limit));
    auto const answer = co_await std::move(calling);
    BOOST_TEST(answer.value().text == "PONG");
    co_return std::this_thread::get_id();
  };
  BOOST_TEST((client.wait(ask(*client)) == client.caller().thread()));
}

BOOST_FIXTURE_TEST_CASE(many_calls_of_many_threads_are_each_answered_with_their_own_value, fixture) {
  constexpr int threads = 3;
  constexpr int calls = 500;
  std::vector<std::unique_ptr<running_context>> callers;
  std::vector<std::future<int>> right;
  auto ask = [](redis::client& asked, std::string word) -> asio::awaitable<int> {
    auto calling = asked.command({"ECHO", word}, "", within(time_limit));
    auto const answer = co_await std::move(calling);
    co_return answer && answer->text == word ? 1 : 0;
  };
  for (int t = 0; t < threads; ++t) {
    auto& caller = *callers.emplace_back(std::make_unique<running_context>());
    for (int i = 0; i < calls; ++i) {
      auto asking = ask(*client, std::to_string(t) + ':' + std::to_string(i));
      right.push_back(asio::co_spawn(caller.executor(), std::move(asking), asio::use_future));
    }
  }
  int sum = 0;
  for (auto& one : right) sum += one.get();
  BOOST_TEST(sum == threads * calls);
  BOOST_TEST(client->counters().replies == static_cast<std::uint64_t>(threads * calls));
  // All of it went over one connection.
  BOOST_TEST(client->counters().connections == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_server_that_answers_late_is_not_waited_for_and_its_late_answer_is_nobodys, fixture) {
  server.freeze();
  auto const late = client.run(add, {"n"}, {"1"}, std::chrono::milliseconds{500});
  BOOST_TEST((late.error().code == errc::timed_out));
  BOOST_TEST(!is_surely_not_executed(late.error().code));
  server.thaw();
  BOOST_TEST(client.command({"ECHO", "mine"}).value().text == "mine");
  BOOST_TEST(client->counters().timed_out == 1U);
  BOOST_TEST(client->counters().connections == 1U);
}

BOOST_AUTO_TEST_CASE(a_server_that_stays_silent_is_given_up) {
  redis_process server;
  auto options = live_client::options_for(server.address());
  options.limits.heartbeat = std::chrono::milliseconds{20};
  options.limits.silence_max = std::chrono::milliseconds{500};
  live_client client{options};
  BOOST_REQUIRE(client.connect());
  server.freeze();
  // Nobody asks it anything, and it is noticed all the same.
  BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::lost; }));
  BOOST_TEST(!client->is_connected());
  BOOST_TEST((client.command({"PING"}).error().code == errc::not_connected));
  server.thaw();
  BOOST_TEST(client.connect());
  BOOST_TEST(client.command({"PING"}).value().text == "PONG");
}

BOOST_FIXTURE_TEST_CASE(a_quiet_connection_is_kept_by_signs_of_life, fixture) {
  auto options = live_client::options_for(server.address());
  options.name = "quiet";
  options.limits.heartbeat = std::chrono::milliseconds{5};
  live_client quiet{options};
  BOOST_REQUIRE(quiet.connect());
  BOOST_TEST(eventually([&] { return !server.tells("commandstats", "cmdstat_ping:calls=1,"); }));
  BOOST_TEST(quiet->counters().connections == 1U);
  BOOST_TEST(server.ask({"CLIENT", "LIST"}).find("name=quiet") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(calls_fail_at_once_while_the_server_is_gone_and_work_when_it_is_back, fixture) {
  server.kill();
  BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::lost; }));
  // Were it to wait, this would take an hour.
  auto const down = client.run(add, {"n"}, {"1"}, std::chrono::hours{1});
  BOOST_TEST((down.error().code == errc::not_connected));
  BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::failed; }));
  server.start();
  BOOST_TEST(client.connect());
  BOOST_TEST(client.run(add, {"n"}, {"1"}).value().integer == 1);
  BOOST_TEST(client->counters().connections_lost == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_call_that_was_under_way_when_the_server_died_has_an_unknown_outcome, fixture) {
  auto waiting = asio::co_spawn(client.caller().executor(),
                                client->command({"BLPOP", "nothing", "0"}, "", within(time_limit)), asio::use_future);
  BOOST_REQUIRE(eventually([&] { return server.tells("clients", "blocked_clients:1"); }));
  server.kill();
  auto const lost = waiting.get();
  BOOST_TEST((lost.error().code == errc::connection_lost));
  BOOST_TEST(!is_surely_not_executed(lost.error().code));
}

BOOST_AUTO_TEST_CASE(more_calls_than_the_limit_are_refused_at_once) {
  redis_process server;
  auto options = live_client::options_for(server.address());
  options.limits.calls_max = 10;
  live_client client{options};
  BOOST_REQUIRE(client.connect());
  server.freeze();
  std::vector<std::future<redis::result<reply>>> all;
  for (int i = 0; i < 11; ++i) {
    auto calling = client->command({"ECHO", std::to_string(i)}, "", within(time_limit));
    all.push_back(asio::co_spawn(client.caller().executor(), std::move(calling), asio::use_future));
  }
  BOOST_TEST((all.back().get().error().code == errc::queue_full));
  server.thaw();
  for (int i = 0; i < 10; ++i) BOOST_TEST(all[static_cast<std::size_t>(i)].get().value().text == std::to_string(i));
}

BOOST_FIXTURE_TEST_CASE(a_closed_client_answers_every_call_and_calls_nobody_back, fixture) {
  auto waiting = asio::co_spawn(client.caller().executor(),
                                client->command({"BLPOP", "nothing", "0"}, "", within(time_limit)), asio::use_future);
  BOOST_TEST(client.command({"PING"}, "", std::chrono::milliseconds{50}).has_error());  // behind the one that blocks
  client->close();
  BOOST_TEST((waiting.get().error().code == errc::closed));
  BOOST_TEST((client.command({"PING"}).error().code == errc::closed));
  BOOST_TEST(!client->is_connected());
  BOOST_TEST((client.wait(client->wait_until_connected(within(time_limit))).error().code == errc::closed));
  for (auto const& change : client.changes().all()) BOOST_TEST((change.what == kind::connected));
}

BOOST_AUTO_TEST_CASE(a_client_may_be_destroyed_at_any_moment) {
  redis_process server;
  for (int i = 0; i < 20; ++i) {
    live_client client{server.address()};
    if (i % 2 == 0) BOOST_REQUIRE(client.connect());
    auto calling = client->command({"PING"}, "", within(time_limit));
    auto pending = asio::co_spawn(client.caller().executor(), std::move(calling), asio::use_future);
    if (i % 4 == 0) pending.get();
  }
}

BOOST_FIXTURE_TEST_CASE(a_server_tells_what_it_keeps_safe, fixture) {
  server.ask({"CONFIG", "SET", "appendonly", "yes"});
  server.ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
  auto const told = client.wait(client->inspect(within(time_limit))).value();
  BOOST_REQUIRE(told.size() == 1U);
  BOOST_TEST(told[0].where == "127.0.0.1:" + std::to_string(server.port()));
  BOOST_TEST(!told[0].version.empty());
  BOOST_TEST(told[0].role == "master");
  BOOST_TEST(told[0].appendonly == "yes");
  BOOST_TEST(told[0].appendfsync == "everysec");
  BOOST_TEST(told[0].maxmemory_policy == "allkeys-lru");
  BOOST_TEST(told[0].evicted_keys.value() == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
