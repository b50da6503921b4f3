// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_check_cache.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(key_check_caches)

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

/// Knows every token that begins with `customer-`, counts how often it is asked, and may have to wait or fail.
struct counting_check final : key_check {
  int asked = 0;
  bool waits = false;
  bool fails = false;
  limits::wall_time valid_until = limits::wall_time::max();

  ports::eventual<std::optional<principal>> check(std::string_view token, limits::instant) override {
    ++asked;
    if (fails) throw std::runtime_error{"no database"};
    std::optional<principal> found;
    if (token.starts_with("customer-"))
      found = principal{.identity = std::stoull(std::string{token.substr(9)}),
                        .plan = {limits::per_minute(60)},
                        .valid_until = valid_until};
    if (waits) return later(std::move(found));
    return found;
  }

 private:
  static asio::awaitable<std::optional<principal>> later(std::optional<principal> found) {
    co_await asio::post(asio::use_awaitable);
    co_return found;
  }
};

struct cached {
  explicit cached(key_check_cache_options o = {}) : cache{check, o} {}

  std::optional<principal> ask(std::string_view token) { return cache.check(token, now).take(); }
  std::uint64_t identity(std::string_view token) {
    auto const found = ask(token);
    return found ? found->identity : 0;
  }
  void pass(std::chrono::milliseconds time) { now = {now.boot + time, now.wall + time}; }

  counting_check check;
  key_check_cache cache;
  limits::instant now{limits::boot_time{2h}, limits::wall_time{std::chrono::sys_days{std::chrono::days{20'000}}}};
};

BOOST_AUTO_TEST_CASE(a_principal_is_asked_for_once_until_its_time_is_over) {
  cached c{{.valid_for = 30s}};
  for (int i = 0; i < 3; ++i) BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == 1);
  c.pass(29'999ms);
  BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == 1);
  c.pass(1ms);
  BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == 2);
}

BOOST_AUTO_TEST_CASE(a_principal_is_asked_for_again_when_its_token_ends) {
  cached c{{.valid_for = 30s}};
  c.check.valid_until = c.now.wall + 10s;
  BOOST_TEST(c.identity("customer-7") == 7u);
  c.pass(9'999ms);
  BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == 1);
  c.pass(1ms);
  BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == 2);
}

BOOST_AUTO_TEST_CASE(a_token_is_unknown_for_a_time_of_its_own) {
  cached c{{.valid_for = 30s, .unknown_for = 2s}};
  BOOST_TEST(!c.ask("x"));
  c.pass(1'999ms);
  BOOST_TEST(!c.ask("x"));
  BOOST_TEST(c.check.asked == 1);
  c.pass(1ms);
  BOOST_TEST(!c.ask("x"));
  BOOST_TEST(c.check.asked == 2);
}

BOOST_AUTO_TEST_CASE(a_time_of_zero_remembers_nothing) {
  cached c{{.valid_for = 0s, .unknown_for = 0s}};
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(c.identity("customer-7") == 7u);
    BOOST_TEST(!c.ask("x"));
  }
  BOOST_TEST(c.check.asked == 4);
}

BOOST_AUTO_TEST_CASE(unknown_tokens_displace_no_known_one) {
  cached c{{.tokens_max = 16}};
  BOOST_TEST(c.identity("customer-7") == 7u);
  for (int i = 0; i < 1'000; ++i) BOOST_TEST(!c.ask("guess " + std::to_string(i)));
  int const asked = c.check.asked;
  BOOST_TEST(c.identity("customer-7") == 7u);
  BOOST_TEST(c.check.asked == asked);
}

BOOST_AUTO_TEST_CASE(a_full_cache_asks_again_for_what_it_learned_first) {
  cached c{{.tokens_max = 16}};
  auto const name = [](int i) { return "customer-" + std::to_string(i); };
  for (int i = 1; i <= 1'000; ++i) BOOST_TEST(c.identity(name(i)) == static_cast<std::uint64_t>(i));
  BOOST_TEST(c.check.asked == 1'000);
  BOOST_TEST(c.identity(name(1'000)) == 1'000u);
  BOOST_TEST(c.check.asked == 1'000);
  BOOST_TEST(c.identity(name(1)) == 1u);
  BOOST_TEST(c.check.asked == 1'001);
}

BOOST_AUTO_TEST_CASE(a_forgotten_token_is_asked_for_again) {
  cached c;
  c.ask("customer-7");
  c.ask("customer-8");
  c.ask("x");
  c.cache.forget("customer-7");
  c.ask("customer-7");
  c.ask("customer-8");
  BOOST_TEST(c.check.asked == 4);
  c.cache.forget_all();
  c.ask("customer-7");
  c.ask("customer-8");
  c.ask("x");
  BOOST_TEST(c.check.asked == 7);
}

BOOST_AUTO_TEST_CASE(a_failure_is_not_remembered) {
  cached c;
  c.check.fails = true;
  BOOST_CHECK_THROW((void)c.ask("customer-7"), std::runtime_error);
  c.check.fails = false;
  BOOST_TEST(c.identity("customer-7") == 7u);
}

BOOST_AUTO_TEST_CASE(what_a_coroutine_found_is_ready_the_next_time) {
  cached c;
  c.check.waits = true;
  auto first = c.cache.check("customer-7", c.now);
  BOOST_TEST(!first.is_ready());
  asio::io_context context;
  auto found = asio::co_spawn(context, std::move(first).wait(), asio::use_future);
  context.run();
  BOOST_TEST(found.get().value().identity == 7u);

  auto second = c.cache.check("customer-7", c.now);
  BOOST_REQUIRE(second.is_ready());
  BOOST_TEST(second.take().value().identity == 7u);
  BOOST_TEST(c.check.asked == 1);
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  counting_check check;
  BOOST_CHECK_THROW((key_check_cache{check, {.valid_for = -1ms}}), std::invalid_argument);
  BOOST_CHECK_THROW((key_check_cache{check, {.unknown_for = -1ms}}), std::invalid_argument);
  BOOST_CHECK_THROW((key_check_cache{check, {.tokens_max = 0}}), std::invalid_argument);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
