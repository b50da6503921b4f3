// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Whatever goes wrong at the doors of quotas as Asio operations and of local quotas has an error, and nothing hangs.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "petstore/limits/limiter_errc.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/local_quota.hpp"
#include "server/forwarding_quotas.hpp"
#include "support/virtual_clock.hpp"

using namespace petstore;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;

namespace quota_bad_input {  // the suite
namespace {

constexpr limits::plan a_few{limits::per_minute(10)};
constexpr std::size_t one_waiter = 1;

/// A source whose charges fail in a way that a test chooses.
struct failing_quotas : tests::forwarding_quotas {
  using forwarding_quotas::forwarding_quotas;
  std::function<void()> fail = [] {};

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    fail();
    return inner_.charge(who, tokens, now);
  }
};

struct doors : tests::virtual_clock {
  asio::io_context context{1};
  std::shared_ptr<quota::local_quota> const local = quota::make_local_quota({.clock = [this] { return now; }});
  std::shared_ptr<failing_quotas> const source = std::make_shared<failing_quotas>(*local);
  ports::async_quota quota{context.get_executor(), source, a_few, [this] { return now; }, one_waiter};
  asio::cancellation_signal signal;

  using handler = std::function<void(error_code, limits::verdict const&)>;
};

constexpr limits::plan unsound{.short_window = limits::per_minute(60), .burst = 10};

struct door {
  std::string input;
  std::function<void(doors&, doors::handler)> begin;
  error_code answer;
};

std::vector<door> const all{
    {"a wait for more than a quota ever has", [](doors& d, doors::handler h) { d.quota.async_wait_charge(7, 11, h); },
     errc::rate_limited},
    {"one waiter too many",
     [](doors& d, doors::handler h) {
       d.quota.async_charge(7, 10, [](error_code, limits::verdict const&) {});
       d.quota.async_wait_charge(7, 1, [](error_code, limits::verdict const&) {});
       d.quota.async_wait_charge(7, 1, h);
     },
     errc::unavailable},
    {"a source without memory",
     [](doors& d, doors::handler h) {
       d.source->fail = [] { throw std::bad_alloc{}; };
       d.quota.async_charge(7, 1, h);
     },
     make_error_code(boost::system::errc::not_enough_memory)},
    {"a source without memory, while a charge waits",
     [](doors& d, doors::handler h) {
       d.source->fail = [] { throw std::bad_alloc{}; };
       d.quota.async_wait_charge(7, 1, h);
     },
     make_error_code(boost::system::errc::not_enough_memory)},
    {"a source that takes no such plan",
     [](doors& d, doors::handler h) {
       d.source->fail = [] { throw std::system_error{limits::limiter_errc::burst_not_shared}; };
       d.quota.async_charge(7, 1, h);
     },
     std::error_code{limits::limiter_errc::burst_not_shared}},
    {"a plan with a burst and without continuous refill",
     [](doors& d, doors::handler h) { d.quota.async_charge(7, unsound, 1, h); },
     std::error_code{limits::limiter_errc::invalid_plan}},
    {"a wait under such a plan", [](doors& d, doors::handler h) { d.quota.async_wait_charge(7, unsound, 1, h); },
     std::error_code{limits::limiter_errc::invalid_plan}},
    {"a failure without a code",
     [](doors& d, doors::handler h) {
       d.source->fail = [] { throw std::runtime_error{"something"}; };
       d.quota.async_charge(7, 1, h);
     },
     errc::internal},
    {"a wait that nobody wants any more",
     [](doors& d, doors::handler h) {
       d.quota.async_charge(7, 10, [](error_code, limits::verdict const&) {});
       d.quota.async_wait_charge(7, 1, asio::bind_cancellation_slot(d.signal.slot(), h));
       d.signal.emit(asio::cancellation_type::terminal);
     },
     asio::error::operation_aborted},
};

}  // namespace
}  // namespace quota_bad_input

BOOST_FIXTURE_TEST_SUITE(quota_bad_input, doors)

BOOST_AUTO_TEST_CASE(each_mistake_completes_with_its_error) {
  for (door const& d : all) {
    doors fresh;
    std::vector<error_code> told;
    d.begin(fresh, [&](error_code failed, limits::verdict const&) { told.push_back(failed); });
    fresh.context.poll();
    BOOST_TEST_REQUIRE(told.size() == 1u, d.input);
    BOOST_TEST(told[0] == d.answer, d.input << ": " << told[0].message());
  }
}

BOOST_AUTO_TEST_CASE(a_quota_is_not_made_for_a_plan_that_its_source_does_not_take) {
  auto const is_told = [](boost::system::system_error const& e) {
    return e.code() == std::error_code{limits::limiter_errc::invalid_plan};
  };
  BOOST_CHECK_EXCEPTION(ports::async_quota(context.get_executor(), source, unsound), boost::system::system_error,
                        is_told);
  BOOST_CHECK_EXCEPTION(local->account_of(7, unsound), boost::system::system_error, is_told);
  ports::payer address;
  address.plan = unsound;
  BOOST_CHECK_EXCEPTION((void)local->charge(address, now), boost::system::system_error, is_told);
}

BOOST_AUTO_TEST_CASE(an_executor_that_is_stopped_completes_nothing_until_it_runs_again) {
  context.stop();
  std::optional<error_code> charged, waited;
  quota.async_charge(7, 1, [&](error_code failed, limits::verdict const&) { charged = failed; });
  quota.async_wait_charge(7, 1, [&](error_code failed, limits::verdict const&) { waited = failed; });
  context.poll();
  BOOST_TEST((!charged && !waited));
  context.restart();
  context.poll();
  BOOST_TEST((charged && !*charged));
  BOOST_TEST((waited && !*waited));
}

BOOST_AUTO_TEST_CASE(an_executor_that_ends_drops_the_handlers_and_a_future_says_so) {
  auto const held = std::make_shared<int>(0);
  std::future<limits::verdict> waited;
  {
    asio::io_context ending{1};
    ports::async_quota there{ending.get_executor(), source, a_few, [this] { return now; }};
    there.async_charge(7, 10, [held](error_code, limits::verdict const&) { ++*held; });
    waited = there.async_wait_charge(7, 1, asio::use_future);
    BOOST_TEST(held.use_count() == 2);
  }
  BOOST_TEST(held.use_count() == 1);
  BOOST_TEST(*held == 0);
  BOOST_CHECK_EXCEPTION(waited.get(), std::future_error,
                        [](auto const& e) { return e.code() == std::future_errc::broken_promise; });
}

BOOST_AUTO_TEST_CASE(a_clock_that_goes_back_delays_a_wait_and_does_not_end_it) {
  bool served = false;
  quota.async_charge(7, 10, [](error_code, limits::verdict const&) {});
  quota.async_wait_charge(7, 1, [&](error_code failed, limits::verdict const&) { served = !failed; });
  context.poll();
  auto const begun = now;
  now = {begun.boot - 10min, begun.wall - 10min};
  quota.retry_waiting();
  context.poll();
  BOOST_TEST(!served);
  now = {begun.boot + 1min, begun.wall + 1min};
  quota.retry_waiting();
  context.poll();
  BOOST_TEST(served);
}

BOOST_AUTO_TEST_CASE(local_quotas_that_are_closed_still_decide) {
  BOOST_TEST(local->close());
  BOOST_TEST(local->close());
  auto first = quota.async_charge(7, 10, asio::use_future);
  auto second = quota.async_charge(7, 1, asio::use_future);
  context.poll();
  BOOST_TEST(first.get().admitted());
  BOOST_TEST(second.get().refused());
}

BOOST_AUTO_TEST_CASE(options_of_local_quotas_out_of_range_throw) {
  for (auto const wrong : {0ms, -1ms, std::chrono::milliseconds::max(), 24h * 31 + 1ms}) {
    BOOST_CHECK_THROW((void)quota::make_local_quota({.write_interval = wrong}), std::invalid_argument);
    if (wrong != 0ms) {
      BOOST_CHECK_THROW((void)quota::make_local_quota({.bans = {.base = wrong}}), std::invalid_argument);
      BOOST_CHECK_THROW(local->set_bans({.max = wrong}), std::invalid_argument);
    }
  }
  BOOST_CHECK_THROW((void)quota::make_local_quota({.directory = "somewhere"}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(addresses_of_a_full_table_share_accounts) {
  auto const small = quota::make_local_quota({.addresses_max = 1, .clock = [this] { return now; }});
  ports::payer who;
  who.plan = {limits::per_minute(1)};
  int admitted = 0;
  for (unsigned char n = 0; n < 200; ++n) {
    who.address.bytes[15] = n;
    if (small->charge(who, now).take().admitted()) ++admitted;
    BOOST_TEST(small->charge(who, now).take().refused());
  }
  BOOST_TEST(admitted > 1);
}

BOOST_AUTO_TEST_SUITE_END()
