// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/asio/serial_executor.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <vector>

#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/local.hpp"

BOOST_AUTO_TEST_SUITE(serial_executors)

using namespace petstore;
namespace asio = boost::asio;
namespace execution = asio::execution;

namespace {

/// The executor with every combination of properties.
template <class Executor>
std::vector<asio::any_io_executor> variants(Executor const& plain) {
  std::vector<asio::any_io_executor> all;
  auto const add = [&](auto const& one) {
    all.emplace_back(one);
    all.emplace_back(asio::require(one, execution::blocking.never));
  };
  auto const related = [&](auto const& one) {
    add(one);
    add(asio::prefer(one, execution::relationship.continuation));
  };
  related(plain);
  related(asio::prefer(plain, execution::outstanding_work.tracked));
  return all;
}

}  // namespace

static_assert(detail::runs_on_many_threads<asio::thread_pool::executor_type>);
static_assert(detail::runs_on_many_threads<decltype(asio::require(std::declval<asio::thread_pool::executor_type>(),
                                                                  execution::outstanding_work.tracked))>);
static_assert(detail::runs_on_many_threads<asio::system_executor>);
static_assert(!detail::runs_on_many_threads<asio::io_context::executor_type>);
static_assert(!detail::runs_on_many_threads<asio::strand<asio::thread_pool::executor_type>>);

BOOST_AUTO_TEST_CASE(whatever_runs_on_many_threads_is_refused_behind_a_general_executor) {
  asio::thread_pool pool{1};
  for (auto const& e : variants(pool.get_executor())) BOOST_CHECK_THROW(serial_executor<>{e}, std::invalid_argument);
  for (auto const& e : variants(asio::system_executor{}))
    BOOST_CHECK_THROW(serial_executor<>{e}, std::invalid_argument);
  asio::any_io_executor const blocking{asio::require(pool.get_executor(), execution::blocking.always)};
  BOOST_CHECK_THROW(serial_executor<>{blocking}, std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_strand_and_a_context_are_taken) {
  asio::thread_pool pool{1};
  asio::io_context context{1};
  for (auto const& e : variants(pool.get_executor()))
    BOOST_CHECK_NO_THROW(serial_executor<>{asio::any_io_executor{asio::make_strand(e)}});
  for (auto const& e : variants(context.get_executor())) BOOST_CHECK_NO_THROW(serial_executor<>{e});
  BOOST_CHECK_NO_THROW(serial_executor<>{asio::any_io_executor{}});
}

BOOST_AUTO_TEST_CASE(a_quota_refuses_it_too_whatever_its_default_token) {
  asio::thread_pool pool{1};
  asio::any_io_executor const wrong = pool.get_executor();
  std::shared_ptr<quota::local_quota> const local = quota::open_local_quota({});
  using with_token = asio::use_awaitable_t<>::as_default_on_t<ports::async_quota>;
  BOOST_CHECK_THROW((ports::async_quota{wrong, local, {limits::per_minute(1)}}), std::invalid_argument);
  BOOST_CHECK_THROW((with_token{wrong, local, {limits::per_minute(1)}}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
