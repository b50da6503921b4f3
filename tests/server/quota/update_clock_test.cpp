// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/ports/update_clock.hpp"

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "support/completion_tokens.hpp"
#include "support/virtual_clock.hpp"

BOOST_AUTO_TEST_SUITE(update_clock)

using namespace petstore;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;

namespace {

struct updated : tests::virtual_clock {
  asio::io_context context{1};
  std::shared_ptr<limits::coarse_clock> const clock = std::make_shared<limits::coarse_clock>(start);
  asio::cancellation_signal end;
  int reads = 0;

  /// Each reading is a second later; the fourth ends the updates.
  auto reader(asio::cancellation_type how) {
    return [this, how] {
      if (++reads == 4) asio::post(context, [this, how] { end.emit(how); });
      return pass(1s);
    };
  }
  bool is_at_the_last_reading() const {
    limits::instant const shown = (*clock)();
    return reads >= 4 && shown.boot == now.boot && shown.wall == now.wall;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_clock_shows_the_latest_reading_until_a_signal_of_any_type_ends_that, updated) {
  for (auto const type :
       {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
    reads = 0;
    int calls = 0;
    auto const ended = [&](error_code failed) {
      BOOST_TEST(failed == asio::error::operation_aborted);
      ++calls;
    };
    ports::async_update_clock(context.get_executor(), clock, ports::clock_interval_min, reader(type),
                              asio::bind_cancellation_slot(end.slot(), ended));
    BOOST_TEST(reads == 1);
    BOOST_TEST(calls == 0);
    context.restart();
    context.run();
    BOOST_TEST(calls == 1);
    BOOST_TEST(is_at_the_last_reading());
  }
}

BOOST_FIXTURE_TEST_CASE(every_token_completes_the_updates, updated) {
  struct one_update {
    int reads = 0;
    asio::cancellation_signal end;
  };
  std::deque<one_update> all;
  auto const begin = [&](auto handler) {
    one_update& u = all.emplace_back();
    auto const read = [this, &u] {
      if (++u.reads == 4) asio::post(context, [&u] { u.end.emit(asio::cancellation_type::terminal); });
      return pass(1s);
    };
    // A handler that has a slot already takes another one only behind another binder.
    auto const allocator = asio::get_associated_allocator(handler);
    auto bound = asio::bind_allocator(allocator, std::move(handler));
    ports::async_update_clock(context.get_executor(), clock, ports::clock_interval_min, read,
                              asio::bind_cancellation_slot(u.end.slot(), std::move(bound)));
  };
  tests::every_token<>{context, asio::error::operation_aborted}.check(
      [&](auto&& token) { return asio::async_initiate<decltype(token), void(error_code)>(begin, token); });
  context.restart();
  context.run();  // until the detached one has ended
}

BOOST_FIXTURE_TEST_CASE(every_token_completes_updates_that_are_refused, updated) {
  tests::every_token<>{context, asio::error::invalid_argument}.check([&](auto&& token) {
    return ports::async_update_clock(context.get_executor(), clock, 0ns, std::forward<decltype(token)>(token));
  });
}

BOOST_FIXTURE_TEST_CASE(without_a_token_the_updates_are_awaited, updated) {
  auto const own = [this]() -> asio::awaitable<void> {
    auto updates = ports::async_update_clock(context.get_executor(), clock, ports::clock_interval_min,
                                             reader(asio::cancellation_type::terminal));
    co_await std::move(updates);
  };
  auto const machines = [this]() -> asio::awaitable<void> {
    auto updates = ports::async_update_clock(context.get_executor(), clock, 1h);
    co_await std::move(updates);
  };
  asio::co_spawn(context, own(), asio::bind_cancellation_slot(end.slot(), asio::detached));
  context.run();
  BOOST_TEST(is_at_the_last_reading());

  limits::instant const before = limits::now();
  asio::co_spawn(context, machines(), asio::bind_cancellation_slot(end.slot(), asio::detached));
  context.restart();
  context.poll();
  BOOST_TEST(((*clock)().boot >= before.boot));
  end.emit(asio::cancellation_type::terminal);
  context.run();
}

BOOST_FIXTURE_TEST_CASE(an_interval_that_would_keep_a_thread_busy_is_refused, updated) {
  for (auto const wrong : {std::chrono::nanoseconds{ports::clock_interval_min} - 1ns, 0ns, -1ns}) {
    std::vector<error_code> told;
    ports::async_update_clock(
        context.get_executor(), clock, wrong, [this] { return pass(1s); },
        [&](error_code failed) { told.push_back(failed); });
    BOOST_TEST(told.empty());
    context.restart();
    context.run();
    BOOST_TEST_REQUIRE(told.size() == 1u);
    BOOST_TEST(told[0] == asio::error::invalid_argument);
    BOOST_TEST(((*clock)().boot == start.boot));
  }
}

BOOST_AUTO_TEST_SUITE_END()
