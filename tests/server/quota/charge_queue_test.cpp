// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/ports/charge_queue.hpp"

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "petstore/limits/notice.hpp"
#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/local.hpp"
#include "server/forwarding_quotas.hpp"
#include "slow_source.hpp"
#include "support/completion_tokens.hpp"
#include "support/on_threads.hpp"
#include "support/virtual_clock.hpp"

using namespace petstore;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;

BOOST_AUTO_TEST_SUITE(charge_queue)

namespace {

constexpr limits::plan ten{limits::per_minute(10)};
constexpr std::size_t four = 4;

/// The quota of identity 7 is used up at first.
struct waiting : tests::virtual_clock {
  asio::io_context context{1};
  std::shared_ptr<quota::local_quota> const local = quota::open_local_quota({});
  ports::async_quota quota{context.get_executor(), local, ten, [this] { return now; }, four};
  limits::account& account = local->account_of(7, ten);
  limits::verdict const all = account.charge(ten, limits::no_bans, 10, now);
  std::vector<int> served{};
  std::vector<error_code> failures{};

  auto note(int number) {
    return [this, number](error_code failed, limits::verdict const& v) {
      if (failed)
        failures.push_back(failed);
      else if (v.admitted())
        served.push_back(number);
    };
  }
  std::uint64_t left() { return limits::tell(account.observe(ten, now)).short_window.remaining; }
  void run() {
    context.restart();
    context.poll();
  }
  void pass_a_minute() {
    pass(60s);
    quota.retry_waiting();
    run();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_is_admitted_does_not_wait, waiting) {
  quota.async_wait_charge(8, 3, note(1));
  BOOST_TEST(served.empty());  // never within the initiating function
  run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(a_charge_completes_when_there_are_tokens_again, waiting) {
  quota.async_wait_charge(7, 3, note(1));
  run();
  BOOST_TEST(served.empty());
  pass_a_minute();
  BOOST_TEST((served == std::vector{1}));
  BOOST_TEST(left() == 7u);
}

/// A wait is measured by a clock that goes on while the machine is suspended, unlike that of the timer.
BOOST_AUTO_TEST_CASE(the_timer_of_a_queue_looks_at_the_clock_at_least_twice_a_minute) {
  using ports::detail::charge_queues;
  static_assert(charge_queues::sleep_of(24h) == 30s);
  static_assert(charge_queues::sleep_of(5s) == 5s);
}

BOOST_FIXTURE_TEST_CASE(the_timer_of_a_queue_ends_a_wait, waiting) {
  constexpr limits::plan fast{.short_window = limits::per_minute(limits::short_tokens_max),
                              .short_refill = limits::refill::continuous};
  ports::async_quota real{context.get_executor(), local, fast};
  auto emptied = real.async_charge(9, limits::short_tokens_max, asio::use_future);
  auto waited = real.async_wait_charge(9, 1'000, asio::use_future);
  context.run();
  BOOST_TEST(emptied.get().admitted());
  BOOST_TEST(waited.get().admitted());
}

namespace {

/// Refuses the first charge although there are tokens, as a node does that keeps a refusal of a server.
class doubtful_source final : public tests::forwarding_quotas {
 public:
  doubtful_source(asio::io_context& context, ports::quota_source& inner)
      : forwarding_quotas(inner), context_{context} {}

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant at) override {
    if (std::exchange(was_asked_, true)) {
      BOOST_TEST(has_run_others_);
      return inner_.charge(who, tokens, at);
    }
    asio::post(context_, [this] { has_run_others_ = true; });
    limits::verdict refused = inner_.observe(who, at);
    refused.decision = limits::decision::rate_limited;
    refused.occasion = limits::occasion::charge;
    return refused;
  }

 private:
  asio::io_context& context_;
  bool was_asked_ = false;
  bool has_run_others_ = false;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(whoever_is_refused_while_there_are_tokens_lets_others_run_before_it_asks_again, waiting) {
  doubtful_source doubtful{context, *local};
  ports::async_quota far{
      context.get_executor(), {std::shared_ptr<void>{}, &doubtful}, ten, [this] { return pass(400us); }};
  far.async_wait_charge(8, 3, note(1));
  context.run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(waiters_are_served_by_arrival_and_a_small_one_does_not_overtake, waiting) {
  quota.async_wait_charge(7, 4, note(1));
  quota.async_wait_charge(7, 4, note(2));
  quota.async_wait_charge(7, 4, note(3));
  quota.async_wait_charge(7, 1, note(4));
  run();
  pass_a_minute();
  BOOST_TEST((served == std::vector{1, 2}));
  BOOST_TEST(left() == 2u);
  pass_a_minute();
  BOOST_TEST((served == std::vector{1, 2, 3, 4}));
  BOOST_TEST(left() == 5u);
}

BOOST_FIXTURE_TEST_CASE(the_queue_of_one_identity_does_not_hold_another, waiting) {
  quota.async_wait_charge(7, 1, note(1));
  quota.async_wait_charge(8, 1, note(2));
  run();
  BOOST_TEST((served == std::vector{2}));
  pass_a_minute();
  BOOST_TEST((served == std::vector{2, 1}));
}

BOOST_FIXTURE_TEST_CASE(an_identity_may_wait_under_a_plan_of_its_own, waiting) {
  quota.async_wait_charge(7, {limits::per_minute(20)}, 10, note(1));
  run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(more_than_the_queue_holds_fails_at_once_and_takes_nothing, waiting) {
  for (int i = 0; i < static_cast<int>(four) + 1; ++i) quota.async_wait_charge(7, 1, note(i));
  run();
  BOOST_TEST_REQUIRE(failures.size() == 1u);
  BOOST_TEST((failures[0] == errc::unavailable));
  pass_a_minute();
  BOOST_TEST(served.size() == four);
  BOOST_TEST(left() == 10u - four);
  quota.async_wait_charge(7, 1, note(5));  // there is space again
  run();
  BOOST_TEST(served.back() == 5);
}

BOOST_FIXTURE_TEST_CASE(what_can_never_be_admitted_fails_at_once_and_passes_those_that_wait, waiting) {
  quota.async_wait_charge(7, 1, note(1));
  std::optional<limits::verdict> told;
  quota.async_wait_charge(7, 11, [&](error_code failed, limits::verdict const& v) {
    BOOST_TEST((failed == errc::rate_limited));
    told = v;
  });
  run();
  BOOST_TEST_REQUIRE(told.has_value());
  BOOST_TEST(told->refused());
  BOOST_TEST(!told->can_ever_pass());
  pass_a_minute();
  BOOST_TEST(left() == 9u);
}

BOOST_FIXTURE_TEST_CASE(the_end_of_a_ban_is_awaited_too, waiting) {
  account.impose_ban(now.wall + 1h, now);
  quota.async_wait_charge(7, 1, note(1));
  run();
  pass_a_minute();
  BOOST_TEST(served.empty());
  account.lift_ban();
  quota.retry_waiting();
  run();
  BOOST_TEST((served == std::vector{1}));
}

namespace {

/// The first strike is a ban, and the quota of identity 5 is used up.
struct waiting_under_bans : waiting {
  limits::ban_policy const strict{.strikes = 1, .grace = 0ms};
  std::shared_ptr<quota::local_quota> const banning = quota::open_local_quota({.bans = strict});
  limits::account& own = banning->account_of(5, ten);
  limits::verdict const used_up = own.charge(ten, strict, 10, now);
};

/// A source whose first answer takes its time, and is by the time after that.
struct late_source : tests::forwarding_quotas {
  late_source(tests::virtual_clock& its_clock, ports::quota_source& inner)
      : forwarding_quotas(inner), clock(its_clock) {}

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant) override {
    clock.pass(std::exchange(delay, 0ms));
    return inner_.charge(who, tokens, clock.now);
  }

  tests::virtual_clock& clock;
  std::chrono::milliseconds delay = 100ms;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(whoever_waits_makes_no_strikes, waiting_under_bans) {
  ports::async_quota banned{context.get_executor(), banning, ten, [this] { return now; }};
  for (int i = 0; i < 3; ++i) banned.async_wait_charge(5, 1, note(i));
  run();
  BOOST_TEST(!own.banned(now));
  pass(60s);
  banned.retry_waiting();
  run();
  BOOST_TEST((served == std::vector{0, 1, 2}));
}

BOOST_FIXTURE_TEST_CASE(whoever_waits_for_a_source_that_answers_late_makes_no_strikes, waiting_under_bans) {
  late_source late{*this, *banning};
  ports::async_quota banned{context.get_executor(), {std::shared_ptr<void>{}, &late}, ten, [this] { return now; }};
  banned.async_wait_charge(5, 1, note(1));
  run();
  pass(59'850ms);
  banned.retry_waiting();
  run();
  BOOST_TEST(!own.banned(now));
  pass(50ms);
  banned.retry_waiting();
  run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(waiters_that_give_up_one_after_the_other_make_no_strikes, waiting_under_bans) {
  ports::async_quota banned{context.get_executor(), banning, ten, [this] { return now; }};
  std::deque<asio::cancellation_signal> signals(4);
  for (auto& s : signals) banned.async_wait_charge(5, 1, asio::bind_cancellation_slot(s.slot(), note(0)));
  run();
  for (auto& s : signals) {
    pass(1s);
    banned.retry_waiting();  // a needless one is no strike either
    run();
    s.emit(asio::cancellation_type::total);
    run();
  }
  banned.async_wait_charge(5, 1, note(1));  // the queue was empty before
  run();
  BOOST_TEST(!own.banned(now));
  pass(56s);
  banned.retry_waiting();
  run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(whoever_waits_is_charged_to_the_account_that_a_reset_has_begun, waiting) {
  quota.async_wait_charge(7, 3, note(1));
  run();
  limits::account& fresh = local->account_of(7, ten, 1);
  quota.retry_waiting();
  run();
  BOOST_TEST((served == std::vector{1}));
  BOOST_TEST(limits::tell(fresh.observe(ten, now)).short_window.remaining == 7u);
}

BOOST_FIXTURE_TEST_CASE(tokens_that_a_cancelled_waiter_gives_back_are_for_the_next, waiting) {
  asio::io_context elsewhere{1};
  asio::cancellation_signal signal;
  quota.async_wait_charge(8, 8, asio::bind_executor(elsewhere, asio::bind_cancellation_slot(signal.slot(), note(1))));
  quota.async_wait_charge(8, 3, note(2));
  run();  // the first is admitted, and the handler's executor has not heard of it; the second waits
  BOOST_TEST(served.empty());
  signal.emit(asio::cancellation_type::terminal);
  elsewhere.run();
  run();
  BOOST_TEST((served == std::vector{2}));
  BOOST_TEST(limits::tell(local->account_of(8, ten).observe(ten, now)).short_window.remaining == 7u);
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_waiter_leaves_the_queue_and_takes_nothing, waiting) {
  for (auto const type :
       {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
    served.clear();
    failures.clear();
    asio::cancellation_signal signal;
    quota.async_wait_charge(7, 4, note(1));
    quota.async_wait_charge(7, 4, asio::bind_cancellation_slot(signal.slot(), note(2)));
    quota.async_wait_charge(7, 4, note(3));
    run();
    signal.emit(type);
    run();
    BOOST_TEST_REQUIRE(failures.size() == 1u);
    BOOST_TEST(failures[0] == asio::error::operation_aborted);
    pass_a_minute();
    BOOST_TEST((served == std::vector{1, 3}));
    BOOST_TEST(left() == 2u);
    BOOST_TEST(account.charge(ten, limits::no_bans, 2, now).admitted());
  }
}

BOOST_FIXTURE_TEST_CASE(those_behind_a_first_that_leaves_move_up_at_once, waiting) {
  account.refund(all, ten, now);
  BOOST_TEST(account.charge(ten, limits::no_bans, 8, now).admitted());
  asio::cancellation_signal signal;
  quota.async_wait_charge(7, 5, asio::bind_cancellation_slot(signal.slot(), note(1)));
  quota.async_wait_charge(7, 2, note(2));
  run();
  BOOST_TEST(served.empty());
  signal.emit(asio::cancellation_type::total);
  run();
  BOOST_TEST((served == std::vector{2}));
}

BOOST_FIXTURE_TEST_CASE(a_cancellation_after_the_charge_was_admitted_gives_the_tokens_back, waiting) {
  asio::io_context elsewhere{1};
  asio::cancellation_signal signal;
  quota.async_wait_charge(8, 4, asio::bind_executor(elsewhere, asio::bind_cancellation_slot(signal.slot(), note(1))));
  run();  // admitted, and the handler's executor has not heard of it
  signal.emit(asio::cancellation_type::terminal);
  elsewhere.run();
  run();
  BOOST_TEST_REQUIRE(failures.size() == 1u);
  BOOST_TEST(failures[0] == asio::error::operation_aborted);
  BOOST_TEST(limits::tell(local->account_of(8, ten).observe(ten, now)).short_window.remaining == 10u);
}

BOOST_FIXTURE_TEST_CASE(a_source_elsewhere_gets_back_what_it_took_for_a_cancelled_waiter, waiting) {
  tests::slow_source slow{context, *local};
  ports::async_quota far{context.get_executor(), {std::shared_ptr<void>{}, &slow}, ten, [this] { return now; }};
  asio::cancellation_signal signal;
  far.async_wait_charge(8, 4, asio::bind_cancellation_slot(signal.slot(), note(1)));
  far.async_wait_charge(8, 3, note(2));
  run();
  signal.emit(asio::cancellation_type::terminal);
  run();
  BOOST_TEST(failures.size() == 1u);
  slow.answer();
  run();
  BOOST_TEST((served == std::vector{2}));
  BOOST_TEST(limits::tell(local->account_of(8, ten).observe(ten, now)).short_window.remaining == 7u);
}

BOOST_FIXTURE_TEST_CASE(the_failure_of_a_source_is_that_of_each_waiter, waiting) {
  tests::slow_source slow{context, *local};
  ports::async_quota far{context.get_executor(), {std::shared_ptr<void>{}, &slow}, ten, [this] { return now; }};
  slow.fail();
  slow.answer();
  far.async_wait_charge(8, 1, note(1));
  far.async_wait_charge(8, 1, note(2));
  run();
  BOOST_TEST_REQUIRE(failures.size() == 2u);
  for (auto const& failure : failures) BOOST_TEST((failure == boost::system::errc::connection_refused));
}

BOOST_FIXTURE_TEST_CASE(every_token_completes_a_charge_that_waits, waiting) {
  constexpr limits::plan fast{.short_window = limits::per_minute(limits::short_tokens_max),
                              .short_refill = limits::refill::continuous};
  ports::async_quota real{context.get_executor(), local, fast};
  std::uint64_t customer = 100;
  tests::every_token<limits::verdict> tokens{context};
  tokens.check(
      [&](auto&& token) {
        ++customer;
        (void)local->account_of(customer, fast).charge(fast, limits::no_bans, limits::short_tokens_max, limits::now());
        return real.async_wait_charge(customer, 1'000, std::forward<decltype(token)>(token));
      },
      tests::allocator_use::none);
}

BOOST_FIXTURE_TEST_CASE(an_executor_may_have_a_default_token_for_waiting, waiting) {
  using with_deferred = asio::deferred_t::as_default_on_t<ports::async_quota>;
  with_deferred deferring{context.get_executor(), local, ten, [this] { return now; }};
  auto later = deferring.async_wait_charge(8, 3);
  run();
  BOOST_TEST(limits::tell(local->account_of(8, ten).observe(ten, now)).short_window.remaining == 10u);
  std::move(later)(note(1));
  run();
  BOOST_TEST((served == std::vector{1}));
}

BOOST_FIXTURE_TEST_CASE(a_context_that_goes_takes_the_waiters_with_it, waiting) {
  auto const owned = std::make_shared<int>(1);
  {
    asio::io_context gone{1};
    ports::async_quota short_lived{gone.get_executor(), local, ten, [this] { return now; }};
    asio::cancellation_signal signal;
    auto const handler = [owned](error_code, limits::verdict const&) {};
    short_lived.async_wait_charge(7, 1, asio::bind_cancellation_slot(signal.slot(), handler));
    short_lived.async_wait_charge(7, 1, handler);
    gone.poll();
  }
  BOOST_TEST(owned.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_signal_may_come_after_the_context_has_gone, waiting) {
  auto const owned = std::make_shared<int>(1);
  asio::cancellation_signal signal;
  {
    asio::io_context gone{1};
    ports::async_quota short_lived{gone.get_executor(), local, ten, [this] { return now; }};
    auto const handler = [owned](error_code, limits::verdict const&) {};
    short_lived.async_wait_charge(7, 1, asio::bind_cancellation_slot(signal.slot(), handler));
    gone.poll();
  }
  BOOST_TEST(owned.use_count() == 1);
  signal.emit(asio::cancellation_type::total);
}

BOOST_FIXTURE_TEST_CASE(a_quota_may_stay_after_the_context_has_gone, waiting) {
  auto const owned = std::make_shared<int>(1);
  std::optional<asio::io_context> gone{std::in_place, 1};
  ports::async_quota lasting{gone->get_executor(), local, ten, [this] { return now; }};
  lasting.async_wait_charge(7, 1, [owned](error_code, limits::verdict const&) {});
  gone->poll();
  gone.reset();
  BOOST_TEST(owned.use_count() == 1);
  lasting.retry_waiting();
}

BOOST_FIXTURE_TEST_CASE(a_context_that_goes_takes_a_coroutine_that_waits_for_the_first_of_two, waiting) {
  using namespace asio::experimental::awaitable_operators;
  auto const owned = std::make_shared<int>(1);
  {
    asio::io_context gone{1};
    asio::steady_timer timer{gone, 1h};
    ports::async_quota short_lived{gone.get_executor(), local, ten, [this] { return now; }};
    auto const work = [&](std::shared_ptr<int>) -> asio::awaitable<void> {
      auto first = short_lived.async_wait_charge(7, 1, asio::use_awaitable);
      auto second = timer.async_wait(asio::use_awaitable);
      auto either = std::move(first) || std::move(second);
      co_await std::move(either);
    };
    asio::co_spawn(gone, work(owned), asio::detached);
    gone.poll();
  }
  BOOST_TEST(owned.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(a_context_that_goes_takes_a_coroutine_that_owns_the_quota, waiting) {
  auto const owned = std::make_shared<int>(1);
  {
    asio::io_context gone{1};
    auto quota_of_its_own = std::make_shared<ports::async_quota>(gone.get_executor(), local, ten);
    (void)local->account_of(9, ten).charge(ten, limits::no_bans, 10, limits::now());
    auto const work = [](std::shared_ptr<ports::async_quota> own, std::shared_ptr<int>) -> asio::awaitable<void> {
      co_await own->async_wait_charge(9, 1);
    };
    asio::co_spawn(gone, work(std::move(quota_of_its_own), owned), asio::detached);
    gone.poll();
  }
  BOOST_TEST(owned.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(waiters_of_many_threads_take_exactly_the_quota_and_the_others_leave, waiting) {
  constexpr int half = 50;
  asio::io_context many;
  ports::async_quota shared{many.get_executor(), local, {limits::per_minute(half)}, [this] { return now; }, 2 * half};
  struct waiter {
    explicit waiter(asio::io_context& context) : own{asio::make_strand(context)} {}
    asio::strand<asio::io_context::executor_type> own;
    asio::cancellation_signal signal;
  };
  std::deque<waiter> waiters;
  for (int i = 0; i < 2 * half; ++i) waiters.emplace_back(many);
  std::atomic<int> admitted{0};
  std::atomic<int> aborted{0};
  auto const handler = [&](error_code failed, limits::verdict const&) {
    if (failed) ++aborted;
    if (failed || ++admitted != half) return;
    for (auto& w : waiters) asio::post(w.own, [&w] { w.signal.emit(asio::cancellation_type::total); });
  };
  for (auto& w : waiters)
    asio::post(w.own, [&] {
      shared.async_wait_charge(9, 1,
                               asio::bind_executor(w.own, asio::bind_cancellation_slot(w.signal.slot(), handler)));
    });
  tests::on_threads(4, [&](int) { many.run(); });
  BOOST_TEST(admitted == half);
  BOOST_TEST(aborted == half);
}

BOOST_AUTO_TEST_SUITE_END()
