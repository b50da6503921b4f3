// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "request_task.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(request_tasks)

namespace {

using petstore::server::request_task;
namespace asio = boost::asio;

using trace = std::string;

using eventual = petstore::ports::eventual<char>;

eventual now(char said) {
  return said;
}
asio::awaitable<char> say(trace& out, char said) {
  out += said;
  co_return said;
}
eventual later(trace& out, char said) {
  return say(out, said);
}
asio::awaitable<char> fail() {
  throw std::runtime_error{"later"};
  co_return '?';
}
eventual fail_later() {
  return fail();
}

/// Runs what is left; what it threw.
std::string run(asio::awaitable<void> rest) {
  asio::io_context context;
  std::string thrown;
  asio::co_spawn(context, std::move(rest), [&thrown](std::exception_ptr e) {
    try {
      if (e) std::rethrow_exception(e);
    } catch (std::exception const& what) {
      thrown = what.what();
    }
  });
  context.run();
  return thrown;
}

/// Says that it is gone.
struct guest {
  trace& out;
  ~guest() { out += '.'; }
};

request_task wait_for_nothing(trace& out) {
  guest const g{out};
  out += '1';
  auto two = now('2'), three = now('3');
  out += co_await two;
  out += co_await three;
}
request_task wait_twice(trace& out) {
  guest const g{out};
  out += '1';
  auto first = later(out, 'a'), at_once = now('2');
  char const said = co_await first;
  out += co_await at_once;
  auto next = later(out, static_cast<char>(said + 1));
  char const last = co_await next;
  out += last == 'b' ? '3' : '?';
}
request_task throw_at_once() {
  throw std::runtime_error{"at once"};
  co_return;
}
request_task throw_after_waiting(trace& out) {
  auto waited_for = later(out, 'a');
  co_await waited_for;
  throw std::runtime_error{"after waiting"};
}
request_task catch_what_is_awaited(trace& out) {
  try {
    auto failing = fail_later();
    co_await failing;
  } catch (std::runtime_error const& e) {
    out += e.what();
  }
  auto last = later(out, '!');
  co_await last;
}
request_task await_what_throws(trace& out) {
  auto failing = fail_later();
  co_await failing;
  out += "never";
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_waits_for_nothing_is_done_when_it_returns) {
  trace out;
  BOOST_TEST(!wait_for_nothing(out).rest().valid());
  BOOST_TEST(out == "123.");
}

BOOST_AUTO_TEST_CASE(what_waits_begins_at_once_and_goes_on_when_the_rest_is_awaited) {
  trace out;
  auto rest = wait_twice(out).rest();
  BOOST_TEST_REQUIRE(rest.valid());
  BOOST_TEST(out == "1");
  BOOST_TEST(run(std::move(rest)).empty());
  BOOST_TEST(out == "1a2b3.");
}

BOOST_AUTO_TEST_CASE(a_rest_that_is_never_awaited_leaves_nothing_behind) {
  trace out;
  { auto const rest = wait_twice(out).rest(); }
  BOOST_TEST(out == "1.");
}

BOOST_AUTO_TEST_CASE(what_is_thrown_reaches_whoever_asks_for_the_rest_or_awaits_it) {
  BOOST_CHECK_EXCEPTION(static_cast<void>(throw_at_once().rest()), std::runtime_error,
                        [](auto const& e) { return std::string{"at once"} == e.what(); });
  trace out;
  BOOST_TEST(run(throw_after_waiting(out).rest()) == "after waiting");
  BOOST_TEST(out == "a");
  BOOST_TEST(run(await_what_throws(out).rest()) == "later");
  BOOST_TEST(out == "a");
}

BOOST_AUTO_TEST_CASE(what_fails_while_it_is_awaited_can_be_caught) {
  trace out;
  BOOST_TEST(run(catch_what_is_awaited(out).rest()).empty());
  BOOST_TEST(out == "later!");
}

BOOST_AUTO_TEST_CASE(several_may_wait_at_the_same_time) {
  trace one, two;
  auto first = wait_twice(one).rest();
  auto second = wait_twice(two).rest();
  BOOST_TEST(run(std::move(second)).empty());
  BOOST_TEST(run(std::move(first)).empty());
  BOOST_TEST(one == "1a2b3.");
  BOOST_TEST(two == "1a2b3.");
}

BOOST_AUTO_TEST_SUITE_END()
