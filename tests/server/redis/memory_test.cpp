// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <latch>
#include <new>

#include "server/redis/live_client.hpp"
#include "support/enduring_context.hpp"
#include "support/failing_allocations.hpp"
#include "support/redis_process.hpp"

/// A client whose thread finds no memory now and then: calls may fail for it, and the client goes on.
namespace petstore::tests {
namespace {

struct client_of_server {
  redis_process server;
  running_context caller;

  redis::client_options options() const {
    auto made = live_client::options_for(server.address());
    made.limits.first_wait = std::chrono::milliseconds{1};
    return made;
  }
  std::future<redis::result<redis::reply>> begin(redis::client& asked, std::vector<std::string> words,
                                                 std::chrono::milliseconds limit) {
    return asio::co_spawn(caller.executor(), asked.command(std::move(words), {}, within(limit)), asio::use_future);
  }
  bool connects(redis::client& asked) {
    return asio::co_spawn(caller.executor(), asked.wait_until_connected(within(time_limit)), asio::use_future)
        .get()
        .has_value();
  }
  /// Whether it answers as if nothing had happened.
  bool is_well(redis::client& asked) {
    auto const deadline = within(time_limit);
    while (std::chrono::steady_clock::now() < deadline) {
      if (!connects(asked)) return false;
      auto const said = begin(asked, {"PING"}, time_limit).get();
      if (said) return said->text == "PONG";
      if (!is_surely_not_executed(said.error().code)) return false;
    }
    return false;
  }
};

BOOST_FIXTURE_TEST_SUITE(redis_memory, client_of_server)

/// What is sent in one turn is sent as one piece, and there may be no memory for that.
BOOST_AUTO_TEST_CASE(calls_that_are_too_much_to_send_together_fail_and_others_are_answered) {
  std::latch all_are_there{1};  // looked at by the thread of `home` until that has ended
  enduring_context home;
  redis::client client{home.executor(), options()};
  BOOST_REQUIRE(connects(client));
  constexpr std::size_t size = 100'000;
  home.run([] { fail_allocations_from(10 * size); });
  std::vector<std::future<redis::result<redis::reply>>> coming;
  asio::post(home.executor(), [&] { all_are_there.wait(); });
  for (int i = 0; i < 40; ++i) coming.push_back(begin(client, {"ECHO", std::string(size, 'x')}, time_limit));
  // The last one is behind them all.
  asio::co_spawn(
      caller.executor(), []() -> asio::awaitable<void> { co_return; }, asio::use_future)
      .get();
  all_are_there.count_down();
  for (auto& one : coming) {
    auto const said = one.get();
    BOOST_TEST((said.has_value() || said.error().code != redis::errc::timed_out));
  }
  home.run([] { fail_allocations_from(0); });
  BOOST_TEST(failed_allocations() > 0U);
  BOOST_TEST(is_well(client));
}

/// Each allocation of a client's thread in turn, from its first moment to a few answers.
BOOST_AUTO_TEST_CASE(one_failure_wherever_it_comes_ends_no_client) {
  auto failures = failed_allocations();
  for (std::size_t n = 1;; ++n) {
    enduring_context home;
    home.run([n] { fail_allocation(n); });
    redis::client client{home.executor(), options()};
    for (int i = 0; i < 3; ++i) {
      try {
        if (i == 0) connects(client);
        begin(client, {"PING"}, std::chrono::milliseconds{500}).get();
      } catch (std::bad_alloc const& told) {
      } catch (std::future_error const& could_not_be_told) {
      }
    }
    home.run([] { fail_allocation(0); });
    bool const is_over = failed_allocations() == failures;  // this many are not made
    failures = failed_allocations();
    BOOST_TEST_REQUIRE(is_well(client), "after failure " << n);
    client.close();
    home.run([] {});
    if (is_over) {
      BOOST_TEST_MESSAGE("allocations: " << n);
      break;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::tests
