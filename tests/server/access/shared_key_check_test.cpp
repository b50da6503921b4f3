// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Requests for one token that come before its answer share one call of the check.
#include <array>
#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "petstore/asio/as_result.hpp"
#include "petstore/server/key_check_cache.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(shared_key_checks)

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

limits::instant noon() {
  return {limits::boot_time{2h}, limits::wall_time{std::chrono::sys_days{std::chrono::days{20'000}}}};
}

/// Each call waits until the case ends it. Its answer is its number, from 1 on.
class gated_check final : public key_check {
 public:
  ports::eventual<std::optional<principal>> check(std::string_view, limits::instant) override {
    gates_.push_back(std::make_unique<gate>());
    return call(*gates_.back(), gates_.size());
  }

  std::size_t asked() const { return gates_.size(); }
  void answer(std::size_t number) { open(number, false); }
  void fail(std::size_t number) { open(number, true); }

 private:
  struct gate {
    bool is_open = false;
    bool fails = false;
    asio::steady_timer* waiting = nullptr;
  };

  void open(std::size_t number, bool fails) {
    gate& g = *gates_.at(number - 1);
    g.is_open = true;
    g.fails = fails;
    BOOST_REQUIRE(g.waiting);
    g.waiting->cancel();
  }

  static asio::awaitable<std::optional<principal>> call(gate& g, std::uint64_t number) {
    asio::steady_timer timer{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    g.waiting = &timer;
    auto const [aborted] = co_await timer.async_wait(as_result);
    if (!g.is_open) throw boost::system::system_error{aborted};
    if (g.fails) throw std::runtime_error{"no database"};
    co_return principal{.identity = number, .plan = {limits::per_minute(60)}};
  }

  std::vector<std::unique_ptr<gate>> gates_;
};

/// A request that asks, on a context of the case.
class asking {
 public:
  asking(asio::io_context& context, key_check& check, std::string token = "t") {
    // The token lives as long as the coroutine, like that of a request.
    auto work = [](key_check& c, std::string t) -> asio::awaitable<std::optional<principal>> {
      auto found = c.check(t, noon());
      auto waiting = std::move(found).wait();
      co_return co_await std::move(waiting);
    };
    asio::co_spawn(context, work(check, std::move(token)),
                   asio::bind_cancellation_slot(cancel_.slot(), [this](std::exception_ptr why, auto answer) {
                     BOOST_REQUIRE(!has_ended);
                     has_ended = true;
                     failed = why;
                     if (answer) identity = answer->identity;
                   }));
  }
  void leave() { cancel_.emit(asio::cancellation_type::terminal); }
  bool was_aborted() const {
    try {
      if (failed) std::rethrow_exception(failed);
    } catch (boost::system::system_error const& e) {
      return e.code() == asio::error::operation_aborted;
    }
    return false;
  }

  bool has_ended = false;
  std::exception_ptr failed;
  std::uint64_t identity = 0;

 private:
  asio::cancellation_signal cancel_;
};

struct shared_fixture {
  void poll() {
    context.restart();
    context.poll();
  }

  gated_check check;
  key_check_cache cache{check, {.valid_for = 1min}};
  asio::io_context context{1};
};

BOOST_FIXTURE_TEST_CASE(requests_for_one_token_share_one_call, shared_fixture) {
  asking first{context, cache}, second{context, cache}, third{context, cache}, other{context, cache, "other"};
  poll();
  BOOST_TEST(check.asked() == 2u);
  BOOST_TEST(!second.has_ended);
  check.answer(1);
  poll();
  for (auto const* one : {&first, &second, &third}) BOOST_TEST(one->identity == 1u);
  BOOST_TEST(!other.has_ended);
  asking later{context, cache};
  check.answer(2);
  poll();
  BOOST_TEST(later.identity == 1u);
  BOOST_TEST(other.identity == 2u);
  BOOST_TEST(check.asked() == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_failure_fails_all_that_wait_and_is_not_remembered, shared_fixture) {
  asking first{context, cache}, second{context, cache};
  poll();
  check.fail(1);
  poll();
  for (auto const* one : {&first, &second}) {
    BOOST_REQUIRE(one->failed);
    BOOST_CHECK_THROW(std::rethrow_exception(one->failed), std::runtime_error);
  }
  asking third{context, cache};
  poll();
  BOOST_TEST(check.asked() == 2u);
  check.answer(2);
  poll();
  BOOST_TEST(third.identity == 2u);
}

BOOST_FIXTURE_TEST_CASE(one_that_waits_may_leave, shared_fixture) {
  asking first{context, cache}, second{context, cache}, third{context, cache};
  poll();
  second.leave();
  poll();
  BOOST_TEST(second.was_aborted());
  BOOST_TEST(!first.has_ended);
  BOOST_TEST(!third.has_ended);
  check.answer(1);
  poll();
  BOOST_TEST(first.identity == 1u);
  BOOST_TEST(third.identity == 1u);
  BOOST_TEST(check.asked() == 1u);
}

BOOST_FIXTURE_TEST_CASE(when_the_one_that_made_the_call_leaves_another_makes_one, shared_fixture) {
  asking first{context, cache}, second{context, cache}, third{context, cache};
  poll();
  first.leave();
  poll();
  BOOST_TEST(first.was_aborted());
  BOOST_TEST(check.asked() == 2u);
  BOOST_TEST(!second.has_ended);
  second.leave();
  poll();
  BOOST_TEST(second.was_aborted());
  BOOST_TEST(check.asked() == 3u);
  check.answer(3);
  poll();
  BOOST_TEST(third.identity == 3u);
}

BOOST_FIXTURE_TEST_CASE(work_that_is_never_awaited_leaves_its_turn_to_others, shared_fixture) {
  std::optional unused{cache.check("t", noon())};
  asking second{context, cache};
  poll();
  BOOST_TEST(check.asked() == 1u);
  unused.reset();
  poll();
  BOOST_TEST(check.asked() == 2u);
  check.answer(2);
  poll();
  BOOST_TEST(second.identity == 2u);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_was_forgotten_on_its_way_is_for_those_that_wait, shared_fixture) {
  for (bool const all : {false, true}) {
    std::size_t const number = check.asked() + 1;
    asking first{context, cache}, second{context, cache};
    poll();
    all ? cache.forget_all() : cache.forget("t");
    asking third{context, cache}, fourth{context, cache};
    poll();
    BOOST_TEST(check.asked() == number + 1);
    check.answer(number + 1);
    poll();
    BOOST_TEST(third.identity == number + 1);
    BOOST_TEST(fourth.identity == number + 1);
    check.answer(number);  // late: the newer answer stays
    poll();
    BOOST_TEST(first.identity == number);
    BOOST_TEST(second.identity == number);
    asking last{context, cache};
    poll();
    BOOST_TEST(last.identity == number + 1);
    cache.forget_all();
  }
}

BOOST_FIXTURE_TEST_CASE(a_context_may_go_while_its_requests_ask_or_wait, shared_fixture) {
  auto first_context = std::make_unique<asio::io_context>(1);
  auto second_context = std::make_unique<asio::io_context>(1);
  asking first{*first_context, cache};
  first_context->poll();
  asking second{*second_context, cache}, third{context, cache};
  second_context->poll();
  poll();
  second_context.reset();
  first_context.reset();
  poll();
  BOOST_TEST(!third.has_ended);
  check.answer(2);
  poll();
  BOOST_TEST(third.identity == 2u);
  BOOST_TEST(check.asked() == 2u);
}

BOOST_AUTO_TEST_CASE(the_cache_may_go_before_a_context_that_is_not_run_any_more) {
  gated_check check;
  asio::io_context context{1};
  auto cache = std::make_unique<key_check_cache>(check);
  asking first{context, *cache}, second{context, *cache};
  context.poll();
  cache.reset();
  BOOST_TEST(!first.has_ended);
}

/// Lets others run before each answer, and notes whether two calls for one token ran at the same time.
class crowded_check final : public key_check {
 public:
  static constexpr std::size_t tokens = 3;

  ports::eventual<std::optional<principal>> check(std::string_view token, limits::instant) override {
    return call(*this, static_cast<std::size_t>(token[0] - '0'));
  }
  bool has_overlapped() const { return has_overlapped_; }

 private:
  /// Is made and destroyed with the coroutine, also when that is cancelled.
  struct call_of_token {
    explicit call_of_token(crowded_check& check, std::size_t token) : calls{check.calls_[token]} {
      if (calls.fetch_add(1) != 0) check.has_overlapped_ = true;
    }
    ~call_of_token() { calls.fetch_sub(1); }
    std::atomic<int>& calls;
  };

  static asio::awaitable<std::optional<principal>> call(crowded_check& self, std::size_t token) {
    call_of_token const here{self, token};
    for (int i = 0; i < 3; ++i) co_await asio::post(asio::use_awaitable);
    co_return principal{.identity = token + 1, .plan = {limits::per_minute(60)}};
  }

  std::array<std::atomic<int>, tokens> calls_{};
  std::atomic<bool> has_overlapped_{false};
};

/// The requests of one thread. Every seventh leaves before its answer, if that takes a while.
class crowd {
 public:
  explicit crowd(key_check& check) : check_{check} {}

  void run() {
    thread_ = std::this_thread::get_id();
    for (int i = 0; i < at_a_time; ++i) begin();
    context_.run();
  }
  int answered() const { return answered_; }
  int strange() const { return strange_; }
  static constexpr int requests = 2'000;

 private:
  static constexpr int at_a_time = 8;

  void begin() {
    if (begun_ == requests) return;
    int const number = begun_++;
    auto const token = static_cast<std::size_t>(number) % crowded_check::tokens;
    auto cancel = std::make_shared<asio::cancellation_signal>();
    asio::co_spawn(context_, ask(token), asio::bind_cancellation_slot(cancel->slot(), [this, cancel](auto...) {
                     ++answered_;
                     begin();
                   }));
    if (number % 7 == 0)
      asio::post(context_, [this, cancel] {
        asio::post(context_, [cancel] { cancel->emit(asio::cancellation_type::terminal); });
      });
  }

  asio::awaitable<void> ask(std::size_t number) {
    std::string const token(1, static_cast<char>('0' + number));
    auto found = check_.check(token, noon());
    auto waiting = std::move(found).wait();
    auto const who = co_await std::move(waiting);
    if (!who || who->identity != number + 1 || std::this_thread::get_id() != thread_) ++strange_;
  }

  key_check& check_;
  asio::io_context context_{1};
  std::thread::id thread_;
  int begun_ = 0;
  int answered_ = 0;
  int strange_ = 0;
};

BOOST_AUTO_TEST_CASE(requests_of_several_threads_share_calls_and_go_on_on_their_own_thread) {
  crowded_check check;
  key_check_cache cache{check, {.valid_for = 0ms}};
  std::array<std::unique_ptr<crowd>, 3> crowds;
  for (auto& one : crowds) one = std::make_unique<crowd>(cache);
  {
    std::vector<std::jthread> threads;
    for (auto& one : crowds) threads.emplace_back([&one] { one->run(); });
  }
  for (auto const& one : crowds) {
    BOOST_TEST(one->answered() == crowd::requests);
    BOOST_TEST(one->strange() == 0);
  }
  BOOST_TEST(!check.has_overlapped());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
