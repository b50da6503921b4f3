// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The Asio operation over quotas that a Redis server keeps; tests/server/quota/async_quota_test.cpp has the rest of it.
#include "petstore/ports/async_quota.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>

#include "quota_node.hpp"
#include "support/redis_process.hpp"

BOOST_AUTO_TEST_SUITE(async_quota_over_redis)

using namespace petstore::quota;
namespace asio = boost::asio;
namespace limits = petstore::limits;
namespace ports = petstore::ports;

namespace {

constexpr std::uint64_t customer = 7;
/// A day is longer than any case.
constexpr limits::plan thirty_a_day{limits::per_minute(100'000), limits::per_day(30)};

/// A host of its own, with the operation over the source that all hosts share.
struct host {
  node at;
  ports::async_quota quota{at.executor(), {std::shared_ptr<void>{}, &at.source()}, thirty_a_day};

  /// What is asked of a server that stands still is answered when it goes on, if that is before the deadline.
  explicit host(petstore::tests::redis_process const& process, std::chrono::milliseconds deadline = time_limit)
      : at{options_for(process, deadline), open_redis_quota} {}

  static redis_options options_for(petstore::tests::redis_process const& process, std::chrono::milliseconds deadline) {
    redis_options options;
    options.address = process.address();
    options.on_failure = failure_policy::closed;
    options.deadline = deadline;
    options.bans.strikes = 0;
    return options;
  }

  bool admits(limits::cost tokens) {
    auto verdict = quota.async_charge(customer, tokens, asio::use_future);
    if (verdict.wait_for(time_limit) != std::future_status::ready) throw std::runtime_error("no verdict");
    return verdict.get().admitted();
  }
  void wait_for_connection() {
    wait_until([&] {
      try {
        at.charge(at.identity(thirty_a_day, customer + 1), limits::now());
        return true;
      } catch (boost::system::system_error const& not_yet) {
        return false;
      }
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(several_tokens_at_once_of_two_hosts_are_those_of_one_quota) {
  petstore::tests::redis_process const process;
  host a{process}, b{process};
  for (auto* h : {&a, &b}) h->wait_for_connection();
  std::uint64_t admitted = 0;
  wait_until([&] {
    auto const before = admitted;
    for (auto* h : {&a, &b}) admitted += h->admits(3) ? 1u : 0u;
    return admitted == before;
  });
  // Of the last three each may have some, for as long as both ask. What one holds that asks no more, the other gets
  // about a second later.
  wait_until([&] {
    admitted += a.admits(3) ? 1u : 0u;
    return admitted >= 10;
  });
  BOOST_TEST(admitted == 10u);
  for (auto* h : {&a, &b}) BOOST_TEST(!h->admits(1));
}

BOOST_AUTO_TEST_CASE(a_charge_that_is_cancelled_while_the_server_stands_still_completes_at_once_and_costs_nothing) {
  petstore::tests::redis_process process;
  host a{process};
  a.wait_for_connection();
  process.freeze();

  asio::cancellation_signal signal;
  std::promise<boost::system::error_code> told;
  auto completion = told.get_future();
  auto const tell = [&](boost::system::error_code failure, limits::verdict const&) { told.set_value(failure); };
  a.at.run_there([&] { a.quota.async_charge(customer, 3, asio::bind_cancellation_slot(signal.slot(), tell)); });
  a.at.run_there([&] { signal.emit(asio::cancellation_type::terminal); });
  BOOST_REQUIRE((completion.wait_for(time_limit) == std::future_status::ready));
  BOOST_TEST(completion.get() == asio::error::operation_aborted);

  process.thaw();
  std::uint64_t admitted = 0;
  wait_until([&] {
    admitted += a.admits(1) ? 1u : 0u;
    return admitted >= 30;
  });
  BOOST_TEST(!a.admits(1));
}

BOOST_AUTO_TEST_CASE(a_server_that_is_gone_is_an_exception) {
  petstore::tests::redis_process process;
  host a{process, std::chrono::seconds{1}};
  a.wait_for_connection();
  process.kill();
  BOOST_CHECK_THROW(a.admits(30), boost::system::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
