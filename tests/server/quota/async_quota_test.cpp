// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/ports/async_quota.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <iterator>
#include <memory>
#include <system_error>
#include <thread>

#include "petstore/limits/notice.hpp"
#include "petstore/quota/local_quota.hpp"
#include "slow_source.hpp"
#include "support/completion_tokens.hpp"

using namespace petstore;
using tests::slow_source;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

constexpr limits::plan ten{limits::per_minute(10)};

struct counted {
  asio::io_context context{1};
  std::shared_ptr<quota::local_quota> const local = quota::make_local_quota({});
  slow_source slow{context, *local};
  std::uint64_t customer = 100;
  ports::async_quota at_hand{context.get_executor(), local, ten};
  ports::async_quota far{context.get_executor(), {std::shared_ptr<void>{}, &slow}, ten};

  // Once for both, at hand and far: each kind of handler takes a while to compile.
  void check_every_token(ports::async_quota& quota, tests::allocator_use use) {
    tests::every_token<limits::verdict> tokens{context};
    tokens.check([&](auto&& token) { return quota.async_charge(++customer, 1, std::forward<decltype(token)>(token)); },
                 use);
  }

  std::uint64_t left(std::uint64_t identity) {
    return limits::tell(local->account_of(identity, ten).observe(ten, limits::now())).short_window.remaining;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(async_quota, counted)

BOOST_AUTO_TEST_CASE(a_coroutine_awaits_a_verdict) {
  auto const work = [this]() -> asio::awaitable<void> {
    limits::verdict const first = co_await at_hand.async_charge(7, 4);
    BOOST_TEST(first.admitted());
    limits::verdict const second = co_await at_hand.async_charge(7, 7);
    BOOST_TEST(second.refused());
    BOOST_TEST(limits::tell(second).retry_after_s > 0);
    limits::verdict const third = co_await at_hand.async_charge(7, limits::plan{limits::per_minute(20)}, 7);
    BOOST_TEST(third.admitted());
  };
  bool done = false;
  asio::co_spawn(context, work(), [&](std::exception_ptr failure) {
    if (failure) std::rethrow_exception(failure);
    done = true;
  });
  context.run();
  BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(a_callback_is_called_later_and_once) {
  int calls = 0;
  at_hand.async_charge(7, 1, [&](boost::system::error_code failure, limits::verdict const& v) {
    ++calls;
    BOOST_TEST(!failure);
    BOOST_TEST(v.admitted());
  });
  BOOST_TEST(calls == 0);
  context.run();
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_deferred_operation_charges_when_it_is_begun) {
  auto later = at_hand.async_charge(7, 3, asio::deferred);
  BOOST_TEST(left(7) == 10u);
  bool admitted = false;
  std::move(later)([&](boost::system::error_code, limits::verdict const& v) { admitted = v.admitted(); });
  context.run();
  BOOST_TEST(admitted);
  BOOST_TEST(left(7) == 7u);
}

BOOST_AUTO_TEST_CASE(a_list_that_was_moved_from_refers_to_nothing) {
  auto const list = std::make_shared<ports::detail::waiting_list>(context.get_executor(), local, &limits::now, 1);
  ports::detail::borrowed_list borrowed{list};
  ports::detail::borrowed_list const moved{std::move(borrowed)};
  BOOST_TEST((moved.share() == list));
  BOOST_TEST((borrowed.share() == nullptr));
}

BOOST_AUTO_TEST_CASE(a_future_brings_the_verdict_or_the_exception) {
  auto verdict = at_hand.async_charge(7, 2, asio::use_future);
  slow.fail();
  slow.answer();
  auto failure = far.async_charge(7, 1, asio::use_future);
  context.run();
  BOOST_TEST(verdict.get().admitted());
  BOOST_CHECK_EXCEPTION(failure.get(), boost::system::system_error,
                        [](auto const& e) { return e.code() == boost::system::errc::connection_refused; });
}

std::size_t thread_count() {
  std::filesystem::directory_iterator const threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

BOOST_AUTO_TEST_CASE(a_future_is_ready_when_the_executor_has_run_and_starts_no_thread) {
  auto const threads = thread_count();
  slow.answer();
  std::array<std::future<limits::verdict>, 4> coming{
      at_hand.async_charge(7, 1, asio::use_future), far.async_charge(7, 1, asio::use_future),
      at_hand.async_wait_charge(7, 1, asio::use_future),
      at_hand.async_charge(7, 1, asio::bind_allocator(std::allocator<int>(), asio::use_future))};
  auto const is_ready = [](auto const& verdict) { return verdict.wait_for(0s) == std::future_status::ready; };
  BOOST_TEST(std::ranges::none_of(coming, is_ready));
  context.run();
  BOOST_TEST(std::ranges::all_of(coming, is_ready));
  BOOST_TEST(thread_count() <= threads);  // one of an earlier case may only end now
}

BOOST_AUTO_TEST_CASE(every_token_completes_a_charge_at_hand) {
  check_every_token(at_hand, tests::allocator_use::to_call);
}

BOOST_AUTO_TEST_CASE(every_token_completes_a_charge_elsewhere) {
  slow.answer();
  check_every_token(far, tests::allocator_use::none);
}

BOOST_AUTO_TEST_CASE(an_allocator_is_not_used_after_its_handler_was_called) {
  std::ptrdiff_t in_use = 0;
  std::size_t taken = 0;
  asio::cancellation_signal stop;
  boost::system::error_code ended;
  auto const handler = [&](boost::system::error_code failed, limits::verdict const&) { ended = failed; };
  using allocator = tests::counting_allocator<void*>;
  far.async_charge(
      7, 1,
      asio::bind_executor(
          context, asio::bind_allocator(allocator{in_use, taken}, asio::bind_cancellation_slot(stop.slot(), handler))));
  stop.emit(asio::cancellation_type::terminal);
  context.poll();
  BOOST_TEST(ended == asio::error::operation_aborted);
  BOOST_TEST(in_use == 0);
  auto const taken_before = std::exchange(taken, 0u);
  BOOST_TEST(taken_before != 0u);
  slow.answer();
  context.run();
  BOOST_TEST(left(7) == 10u);
  BOOST_TEST(taken == 0u);
}

BOOST_AUTO_TEST_CASE(an_executor_may_have_a_default_token) {
  using with_deferred = asio::deferred_t::as_default_on_t<ports::async_quota>;
  with_deferred quota{context.get_executor(), local, ten};
  auto later = quota.async_charge(7, 3);
  BOOST_TEST(left(7) == 10u);
  std::move(later)([](boost::system::error_code failed, limits::verdict const&) { BOOST_TEST(!failed); });
  BOOST_TEST(left(7) == 7u);
  context.run();
  BOOST_TEST((at_hand.get_executor() == context.get_executor()));
}

BOOST_AUTO_TEST_CASE(several_tokens_of_a_source_elsewhere_are_taken_in_one_step_or_not_at_all) {
  slow.answer();
  auto first = far.async_charge(7, 8, asio::use_future);
  context.run();
  BOOST_TEST(first.get().admitted());
  BOOST_TEST(slow.asked() == 1);
  BOOST_TEST(left(7) == 2u);

  context.restart();
  auto second = far.async_charge(7, 3, asio::use_future);
  context.run();
  BOOST_TEST(second.get().refused());
  BOOST_TEST(left(7) == 2u);
}

BOOST_AUTO_TEST_CASE(what_can_never_pass_takes_nothing_from_a_source_elsewhere) {
  slow.answer();
  auto verdict = far.async_charge(7, 11, asio::use_future);
  context.run();
  auto const told = verdict.get();
  BOOST_TEST(told.refused());
  BOOST_TEST(!told.can_ever_pass());
  BOOST_TEST(!limits::tell(told).retry_after_s);
  BOOST_TEST(left(7) == 10u);
}

BOOST_AUTO_TEST_CASE(zero_is_no_identity) {
  for (auto const& quota : {&at_hand, &far}) {
    context.restart();
    auto charged = quota->async_charge(0, 1, asio::use_future);
    auto waited = quota->async_wait_charge(0, 1, asio::use_future);
    context.run();
    for (auto* const one : {&charged, &waited})
      BOOST_CHECK_EXCEPTION(one->get(), boost::system::system_error,
                            [](auto const& e) { return e.code() == make_error_code(errc::invalid_request); });
  }
  BOOST_TEST(slow.asked() == 0);
}

BOOST_AUTO_TEST_CASE(what_was_begun_keeps_its_source) {
  auto verdict =
      ports::async_quota{context.get_executor(), std::shared_ptr{quota::make_local_quota({})}, ten}.async_charge(
          7, 1, asio::use_future);
  context.run();
  BOOST_TEST(verdict.get().admitted());
}

BOOST_AUTO_TEST_CASE(a_quota_without_a_source_is_a_mistake) {
  BOOST_CHECK_THROW((ports::async_quota{context.get_executor(), nullptr, ten}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_cancelled_charge_completes_at_once_and_costs_nothing) {
  asio::cancellation_signal signal;
  boost::system::error_code told;
  int calls = 0;
  far.async_charge(
      7, 3, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code failure, limits::verdict const&) {
        told = failure;
        ++calls;
      }));
  context.poll();
  BOOST_TEST(calls == 0);
  signal.emit(asio::cancellation_type::partial);
  context.poll();
  BOOST_TEST(calls == 1);
  BOOST_TEST(told == asio::error::operation_aborted);

  slow.answer();  // what the source was asked already, and no more
  context.run();
  BOOST_TEST(calls == 1);
  BOOST_TEST(slow.asked() == 1);
  BOOST_TEST(left(7) == 10u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_charge_leaves_its_slot_to_the_next_one) {
  asio::cancellation_signal signal;
  int cancelled = 0;
  auto const note = [&](boost::system::error_code failure, limits::verdict const&) {
    cancelled += failure == asio::error::operation_aborted;
  };
  far.async_charge(7, 3, asio::bind_cancellation_slot(signal.slot(), note));
  context.poll();
  signal.emit(asio::cancellation_type::terminal);
  far.async_charge(8, 3, asio::bind_cancellation_slot(signal.slot(), note));
  context.poll();
  BOOST_TEST(cancelled == 1);
  signal.emit(asio::cancellation_type::terminal);
  context.poll();
  BOOST_TEST(cancelled == 2);
  slow.answer();
  context.run();
}

BOOST_AUTO_TEST_CASE(a_cancellation_that_comes_too_late_changes_nothing) {
  asio::cancellation_signal signal;
  int calls = 0;
  at_hand.async_charge(
      7, 3, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code failure, limits::verdict const&) {
        BOOST_TEST(!failure);
        ++calls;
      }));
  signal.emit(asio::cancellation_type::all);  // the charge is decided, and its handler not yet called
  context.run();
  signal.emit(asio::cancellation_type::all);
  context.restart();
  context.run();
  BOOST_TEST(calls == 1);
  BOOST_TEST(left(7) == 7u);
}

BOOST_AUTO_TEST_CASE(a_coroutine_that_is_cancelled_while_it_waits_gets_the_exception) {
  asio::cancellation_signal signal;
  auto const work = [this]() -> asio::awaitable<void> { co_await far.async_charge(7, 1); };
  std::exception_ptr told;
  asio::co_spawn(context, work(),
                 asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr failure) { told = failure; }));
  context.poll();
  signal.emit(asio::cancellation_type::terminal);
  context.poll();
  BOOST_CHECK_THROW(std::rethrow_exception(told), boost::system::system_error);
  slow.answer();
  context.run();
  BOOST_TEST(left(7) == 10u);
}

BOOST_AUTO_TEST_CASE(charges_from_many_threads_take_exactly_the_quota) {
  asio::thread_pool pool{4};
  ports::async_quota shared{asio::make_strand(pool), local, {limits::per_minute(500)}};
  std::atomic<int> admitted{0};
  for (int i = 0; i < 1'000; ++i)
    asio::post(pool, [&] {
      shared.async_charge(9, 1, asio::bind_executor(pool, [&](boost::system::error_code, limits::verdict const& v) {
                            if (v.admitted()) ++admitted;
                          }));
    });
  pool.join();
  BOOST_TEST(admitted == 500);
}

BOOST_AUTO_TEST_SUITE_END()
