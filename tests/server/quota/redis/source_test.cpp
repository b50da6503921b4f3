// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "source.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "breaker.hpp"
#include "debit_ledger.hpp"
#include "model_runner.hpp"
#include "other_windows.hpp"
#include "petstore/limits/limiter_errc.hpp"
#include "quota_node.hpp"
#include "support/redis_process.hpp"

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;
namespace ports = petstore::ports;

namespace {

using mood = model_server::mood;

/// What both windows admit at once.
std::uint64_t quota_of_both(limits::plan const& p) {
  return p.long_window ? std::min<std::uint64_t>(p.short_window.tokens(), p.long_window.tokens())
                       : p.short_window.tokens();
}

/// Where the server keeps the quota of `node::address`.
std::string address_key(unsigned char last) {
  constexpr std::string_view digits = "0123456789abcdef";
  return "{test:a:" + std::string(30, '0') + digits[last >> 4] + digits[last & 15] + "}2";
}

/// Nodes at one server that does as told. Time stands still until a test moves it.
struct shared_world {
  model_server server;
  std::chrono::milliseconds deadline = 5s;  ///< for a slow machine; shorter where something is to wait for it in vain

  std::atomic<std::chrono::hours> set_back{0h};  ///< by so much is the wall clock that the nodes and the server have
  std::uint32_t nodes_min = 1;

  limits::instant now() const {
    std::chrono::microseconds const wall{server.clock_us.load()};
    return {.boot = limits::boot_time{wall + set_back.load() - 1'780'315'000s}, .wall = limits::wall_time{wall}};
  }
  void pass(std::chrono::microseconds time) { server.clock_us += time.count(); }
  /// Time goes on meanwhile, four times as fast as outside and for less than a minute: what was under way when a test
  /// moved it may have begun a period of its own afterwards.
  void wait_while_time_passes(auto&& is_so) {
    auto const begin = std::chrono::steady_clock::now();
    std::chrono::microseconds passed{0};
    wait_until([&] {
      auto const elapsed =
          std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
      auto const due = std::min<std::chrono::microseconds>(4 * elapsed, 40s);
      pass(due - std::exchange(passed, due));
      return is_so();
    });
  }

  /// Asks once; false when that was refused because the server is given up. Another one may be the probe.
  bool may_charge(node& n) {
    try {
      n.charge(n.identity(), now());
      return true;
    } catch (boost::system::system_error const&) {
      return false;
    }
  }
  /// Asks until the server is given up; how often it was admitted all the same.
  std::uint64_t admitted_until_given_up(node& n, ports::payer const& who) {
    std::uint64_t admitted = 0;
    for (auto const before = n.counters().breaker_openings;;) {
      try {
        admitted += n.charge(who, now()).admitted() ? 1u : 0u;
      } catch (boost::system::system_error const& refused) {
      }
      auto const is = n.counters();
      if (is.breaker_open || is.breaker_openings != before) return admitted;
      pass(std::chrono::microseconds{breaker::silence_min / 1us});
    }
  }

  /// Charges so often in a short time that the node fetches more tokens than it needs, and holds the others.
  void make_hold_tokens(node& n, ports::payer const& who) {
    for (int i = 0; i < 12; ++i) {
      n.charge(who, now());
      pass(20ms);
    }
  }
  /// Each of so many addresses gets a token by a refund, which the node may give back to the server.
  void give_tokens_to_strangers(node& n, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      auto const who = node::address(static_cast<unsigned char>(i % 256), static_cast<unsigned char>(i / 256));
      auto const charged = n.wait_for(n.source().charge(who, now()));
      n.wait_for(n.source().refund(who, charged, now()));
    }
  }

  /// Of an identity's minute. For this the other nodes give back what they hold.
  std::uint64_t used_as_told_by(node& n, std::uint64_t identity = 1) {
    auto const who = n.identity(free_plan, identity);
    return limits::tell(n.wait_for(n.source().charge_inquiry(who, now()))).short_window.used;
  }

  std::unique_ptr<node> make_node(failure_policy policy = failure_policy::closed, limits::ban_policy bans = {},
                                  quota_mode mode = quota_mode::leased) {
    redis_options options;
    options.on_failure = policy;
    options.bans = bans;
    options.mode = mode;
    options.nodes_min = nodes_min;
    return make_node_with(std::move(options));
  }
  std::unique_ptr<node> make_node_with(redis_options options) {
    options.deadline = deadline;
    options.clock = [this] { return now(); };
    return std::make_unique<node>(std::move(options), [this](redis_options o) {
      auto runner = std::make_unique<model_runner>(server, o.executor.get());
      return open_shared_quota(std::move(o), std::move(runner));
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_source, shared_world)

BOOST_AUTO_TEST_CASE(nodes_share_one_quota) {
  auto const a = make_node(), b = make_node(), c = make_node();
  std::uint64_t admitted = 0;
  for (int i = 0; i < 40; ++i) {
    for (auto* n : {a.get(), b.get(), c.get()}) admitted += n->charge(n->identity(), now()).admitted() ? 1u : 0u;
    pass(100ms);
  }
  BOOST_TEST(admitted == 60u);
}

BOOST_AUTO_TEST_CASE(a_reset_gives_one_whole_quota_for_all_nodes) {
  auto const a = make_node(), b = make_node();
  BOOST_TEST(a->admitted_of(40, a->identity(), now()) + b->admitted_of(40, b->identity(), now()) == 60u);
  pass(20s);
  // One node learns of it before the other, which has no token of the new quota meanwhile.
  BOOST_TEST(a->admitted_of(25, a->identity(free_plan, 1, 1), now()) == 25u);
  BOOST_TEST(b->admitted_of(10, b->identity(), now()) == 0u);
  auto const at_b = b->identity(free_plan, 1, 1);
  BOOST_TEST(b->admitted_of(40, at_b, now()) == 35u);
  BOOST_TEST(!a->charge(a->identity(free_plan, 1, 1), now()).admitted());
  BOOST_TEST((a->identity(free_plan, 1, 0).account == a->identity(free_plan, 1, 1).account));
  BOOST_TEST(b->admitted_of(70, b->identity(free_plan, 1, 2), now()) == 60u);
}

BOOST_AUTO_TEST_CASE(a_node_that_starts_after_a_reset_goes_on_with_the_new_quota) {
  {
    auto const a = make_node();
    a->admitted_of(60, a->identity(), now());
    BOOST_TEST(a->admitted_of(20, a->identity(free_plan, 1, 1), now()) == 20u);
    a->source().close();
  }
  auto const b = make_node();
  BOOST_TEST(b->admitted_of(60, b->identity(free_plan, 1, 1), now()) == 40u);
}

BOOST_AUTO_TEST_CASE(a_reset_forgets_strikes_and_a_ban_for_them_on_every_node) {
  auto const a = make_node(failure_policy::closed, {.strikes = 3}),
             b = make_node(failure_policy::closed, {.strikes = 3});
  a->admitted_of(61, a->identity(), now());
  pass(1s);
  wait_until([&] { return a->judge(a->identity(), now()).decision == limits::decision::banned; });
  wait_until([&] { return b->judge(b->identity(), now()).decision == limits::decision::banned; });
  for (auto* const n : {a.get(), b.get()}) BOOST_TEST(n->charge(n->identity(free_plan, 1, 1), now()).admitted());
}

BOOST_AUTO_TEST_CASE(what_is_told_counts_down_on_one_node) {
  auto const a = make_node();
  for (std::uint64_t left = 60; left-- > 0;) {
    auto const n = a->charge(a->identity(), now());
    BOOST_REQUIRE(n.admitted());
    BOOST_TEST(n.remaining == left);
    BOOST_TEST(n.reset_unix_s == 1'780'315'260);
  }
  auto const refused = a->charge(a->identity(), now());
  BOOST_TEST(!refused.admitted());
  BOOST_TEST(refused.retry_after_s == 60);
  BOOST_TEST(a->counters().calls < 40u);
}

BOOST_AUTO_TEST_CASE(what_a_node_holds_and_what_its_calls_take_is_counted) {
  auto const a = make_node();
  for (int i = 0; i < 10; ++i) {
    a->charge(a->identity(), now());
    pass(50ms);
  }
  wait_until([&] { return a->counters().leases == 1 && a->counters().tokens_held > 0; });
  BOOST_TEST(a->counters().settlements == 0u);
  wait_until([&] {
    pass(1s);
    return a->counters().leases == 0 && a->counters().tokens_held == 0;
  });
  auto const c = a->counters();
  BOOST_TEST(c.settlements == 0u);  // what is idle goes home with the next call, and not with one of its own
  BOOST_TEST(std::accumulate(c.call_times.begin(), c.call_times.end(), std::uint64_t{0}) == c.calls);
  BOOST_TEST(c.call_times_sum_ns > 0u);
  BOOST_TEST(c.heartbeats_answered > 0u);
  BOOST_TEST(c.heartbeats_missed == 0u);
}

BOOST_AUTO_TEST_CASE(a_kept_refusal_asks_nobody) {
  auto const a = make_node(failure_policy::closed, {.strikes = 0});
  BOOST_TEST(a->admitted_of(61, a->identity(), now()) == 60u);
  pass(2s);
  a->charge(a->identity(), now());  // the leases of the last second and a half are over
  auto const before = server.acquisitions.load();
  for (int i = 0; i < 1'000; ++i) BOOST_TEST(!a->charge(a->identity(), now()).admitted());
  BOOST_TEST(server.acquisitions.load() - before <= 1u);
  BOOST_TEST(a->counters().kept_refusals >= 999u);
}

BOOST_AUTO_TEST_CASE(a_burst_is_decided_by_few_calls_whatever_the_number_of_nodes) {
  std::vector<std::unique_ptr<node>> others;
  for (int i = 0; i < 9; ++i) others.push_back(make_node());
  auto const a = make_node();
  wait_until([&] { return a->counters().nodes == 10; });
  BOOST_TEST(a->admitted_of_burst(200, a->identity(), now()) == 60u);
  BOOST_TEST(a->counters().calls <= 3u);
  BOOST_TEST(a->counters().policy_decisions == 0u);
}

BOOST_AUTO_TEST_CASE(another_plan_ends_a_kept_refusal) {
  auto const a = make_node();
  BOOST_TEST(a->admitted_of(61, a->identity(), now()) == 60u);
  limits::plan const pro{limits::per_minute(300), limits::per_day(10'000)};
  auto const n = a->charge(a->identity(pro), now());
  BOOST_TEST(n.admitted());
  BOOST_TEST(n.short_window.used == 61u);
}

BOOST_AUTO_TEST_CASE(strict_asks_for_each_request) {
  auto const a = make_node(failure_policy::closed, {}, quota_mode::strict);
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST(a->charge(a->identity(), now()).admitted());
    pass(60ms);
  }
  BOOST_TEST(a->counters().calls >= 20u);
}

BOOST_AUTO_TEST_CASE(a_refund_is_charged_again) {
  auto const a = make_node();
  auto const who = a->identity();
  auto const first = a->wait_for(a->source().charge(who, now()));
  auto const back = limits::tell(a->wait_for(a->source().refund(who, first, now())));
  BOOST_TEST(back.short_window.remaining == 60u);
  BOOST_TEST(a->admitted_of(70, who, now()) == 60u);
}

BOOST_AUTO_TEST_CASE(a_request_that_costs_several_tokens_takes_all_of_them_or_none) {
  auto const a = make_node(), b = make_node();
  BOOST_TEST(a->charge(a->identity(), 25, now()).short_window.remaining == 35u);
  BOOST_TEST(b->charge(b->identity(), 25, now()).admitted());
  auto const refused = a->charge(a->identity(), 11, now());
  BOOST_TEST((refused.decision == limits::decision::rate_limited));
  BOOST_TEST(refused.remaining == 10u);
  BOOST_TEST(refused.retry_after_s == 60);
  BOOST_TEST(b->charge(b->identity(), 10, now()).admitted());
  BOOST_TEST(used_as_told_by(*b) == 60u);
}

/// Each node holds some of the tokens, and none holds enough.
BOOST_AUTO_TEST_CASE(tokens_that_several_nodes_hold_are_enough_for_one_request) {
  std::vector<std::unique_ptr<node>> nodes;
  for (int i = 0; i < 4; ++i) nodes.push_back(make_node());
  for (auto const& n : nodes) BOOST_TEST(n->charge(n->identity(), now()).admitted());
  BOOST_TEST(nodes[0]->charge(nodes[0]->identity(), 56, now()).admitted());
  BOOST_TEST(nodes[1]->counters().policy_decisions == 0u);
  BOOST_TEST(!nodes[1]->charge(nodes[1]->identity(), now()).admitted());
}

BOOST_AUTO_TEST_CASE(requests_of_many_costs_that_wait_together_get_what_there_is) {
  auto const a = make_node(), b = make_node();
  std::vector<std::future<limits::verdict>> coming;
  std::vector<std::uint32_t> costs;
  std::array<ports::payer, 2> const payers{a->identity(), b->identity()};
  for (std::uint32_t i = 0; i < 60; ++i) {
    auto& n = i % 2 == 0 ? a : b;
    auto const tokens = limits::cost::of(1 + i % 5).value();
    costs.push_back(tokens.tokens());
    auto charging = n->source().charge(payers[i % 2], tokens, now()).wait();
    coming.push_back(boost::asio::co_spawn(n->executor(), std::move(charging), boost::asio::use_future));
  }
  std::uint64_t admitted = 0;
  for (std::size_t i = 0; i < coming.size(); ++i) admitted += coming[i].get().admitted() ? costs[i] : 0;
  BOOST_TEST(admitted == 60u);  // the cheapest ones use up what is left
}

BOOST_AUTO_TEST_CASE(a_refund_of_several_tokens_is_charged_again) {
  auto const a = make_node();
  auto const who = a->identity();
  auto const charged = a->wait_for(a->source().charge(who, 50, now()));
  auto const back = limits::tell(a->wait_for(a->source().refund(who, charged, now())));
  BOOST_TEST(back.short_window.remaining == 60u);
  BOOST_TEST(a->charge(who, 60, now()).admitted());
}

BOOST_AUTO_TEST_CASE(a_cost_above_a_quota_is_refused_without_a_call) {
  auto const a = make_node();
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
  auto const before = server.acquisitions.load();
  auto const refused = a->charge(a->identity(), 61, now());
  BOOST_TEST(refused.refused());
  BOOST_TEST(refused.remaining == 59u);
  BOOST_TEST(refused.retry_after_s == 0);
  BOOST_TEST(server.acquisitions.load() == before);
}

BOOST_AUTO_TEST_CASE(who_is_refused_for_too_few_tokens_gets_no_strike) {
  auto const a = make_node(failure_policy::closed, {.strikes = 3});
  BOOST_TEST(a->charge(a->identity(), 58, now()).admitted());
  for (int i = 0; i < 20; ++i) {
    BOOST_TEST((a->charge(a->identity(), 3, now()).decision == limits::decision::rate_limited));
    pass(300ms);
  }
  BOOST_TEST(a->charge(a->identity(), 2, now()).admitted());
}

BOOST_AUTO_TEST_CASE(addresses_pay_several_tokens_too) {
  auto const a = make_node();
  BOOST_TEST(a->charge(node::address(7), 59, now()).admitted());
  BOOST_TEST(!a->charge(node::address(7), 2, now()).admitted());
  BOOST_TEST(a->charge(node::address(7), now()).admitted());
}

BOOST_AUTO_TEST_CASE(without_the_server_a_nodes_share_pays_what_a_request_costs) {
  deadline = 200ms;
  nodes_min = 3;
  server.now_it = mood::refuses;
  auto const a = make_node(failure_policy::degraded);
  BOOST_CHECK_THROW(a->charge(a->identity(), 21, now()), boost::system::system_error);  // more than a third of 60
  BOOST_TEST(a->charge(a->identity(), 15, now()).admitted());
  BOOST_TEST(!a->charge(a->identity(), 6, now()).admitted());
  BOOST_TEST(a->charge(a->identity(), 5, now()).admitted());
  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return server.long_used() >= 20; });  // and what the node takes in advance
}

BOOST_AUTO_TEST_CASE(a_plan_with_a_burst_is_refused_by_its_own_error) {
  auto const a = make_node();
  constexpr limits::plan bursting{
      .short_window = limits::per_minute(60), .short_refill = limits::refill::continuous, .burst = 10};
  auto const is_told = [](boost::system::system_error const& e) {
    return e.code() == limits::limiter_errc::burst_not_shared;
  };
  BOOST_CHECK_EXCEPTION(a->source().check(bursting), boost::system::system_error, is_told);
  a->source().check({limits::per_minute(60)});
  BOOST_CHECK_EXCEPTION(a->source().account_of(7, bursting), boost::system::system_error, is_told);
  ports::payer who;
  who.plan = bursting;
  BOOST_CHECK_EXCEPTION((void)a->source().charge(who, now()), boost::system::system_error, is_told);
}

BOOST_AUTO_TEST_CASE(nodes_share_windows_of_any_length) {
  auto const a = make_node(), b = make_node();
  std::uint64_t identity = 0;
  for (auto const& p : other_plans) {
    a->source().check(p);
    ++identity;
    std::uint64_t const quota = p.short_window.tokens();
    // Of one period: an aligned one does not end meanwhile, since the clock stands at noon.
    BOOST_TEST(a->admitted_of(2, a->identity(p, identity), now()) == 2u);
    BOOST_TEST(b->admitted_of(quota, b->identity(p, identity), now()) == std::min(quota, quota_of_both(p)) - 2);
    auto const refused = a->charge(a->identity(p, identity), now());
    BOOST_TEST(!refused.admitted());
    BOOST_TEST(refused.remaining == 0u);
    BOOST_TEST((refused.short_window.period == p.short_window.period()));
    BOOST_TEST(refused.retry_after_s == p.short_window.period().longest().count());
  }
}

BOOST_AUTO_TEST_CASE(a_plan_whose_long_period_is_not_longer_is_refused) {
  auto const a = make_node();
  auto const is_told = [](boost::system::system_error const& e) {
    return e.code() == limits::limiter_errc::invalid_plan;
  };
  for (limits::plan const& p : {limits::plan{limits::per_hour(10), limits::window{100, 1h}},
                                limits::plan{limits::per_month(10), limits::per_day(100)}}) {
    BOOST_CHECK_EXCEPTION(a->source().check(p), boost::system::system_error, is_told);
    BOOST_CHECK_EXCEPTION(a->source().account_of(7, p), boost::system::system_error, is_told);
  }
}

BOOST_AUTO_TEST_CASE(ten_a_second_are_ten_in_each_second_until_the_hour_is_used_up) {
  auto const a = make_node(failure_policy::closed, limits::no_bans),
             b = make_node(failure_policy::closed, limits::no_bans);
  limits::plan const p{limits::per_second(10), limits::per_hour(35)};
  auto const admitted = [&] {
    std::uint64_t count = 0;
    for (int i = 0; i < 15; ++i)
      for (auto* n : {a.get(), b.get()}) count += n->charge(n->identity(p), now()).admitted() ? 1u : 0u;
    return count;
  };
  for (std::uint64_t const expected : {10u, 10u, 10u, 5u}) {
    BOOST_TEST(admitted() == expected);
    pass(1'001ms);
  }
  auto const told = a->charge(a->identity(p), now());
  BOOST_TEST(!told.admitted());
  BOOST_TEST((told.shown == limits::resource::long_window));
  BOOST_TEST(told.long_window.remaining == 0u);
  BOOST_TEST(told.retry_after_s == 3'600 - 4);
  BOOST_TEST(told.reset_unix_s == 1'780'315'200 + 3'600);
  pass(3'600s);
  BOOST_TEST(admitted() == 10u);
}

BOOST_AUTO_TEST_CASE(a_refund_goes_into_the_hour_that_it_was_charged_to) {
  auto const a = make_node();
  limits::plan const p{limits::per_hour(60), limits::per_month(1'000)};
  auto const who = a->identity(p);
  auto const charged = a->wait_for(a->source().charge(who, now()));
  auto const back = limits::tell(a->wait_for(a->source().refund(who, charged, now())));
  BOOST_TEST(back.short_window.remaining == 60u);
  BOOST_TEST(back.long_window.remaining == 1'000u);
  BOOST_TEST(a->admitted_of(70, who, now()) == 60u);
}

BOOST_AUTO_TEST_CASE(a_node_without_the_server_reports_what_it_admitted_of_an_hour) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::degraded), b = make_node(failure_policy::degraded);
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });
  limits::plan const p{limits::per_second(100), limits::per_hour(100)};
  std::uint64_t admitted = a->admitted_of(20, a->identity(p), now());
  BOOST_TEST(admitted == 20u);
  server.now_it = mood::refuses;
  admitted += admitted_until_given_up(*a, a->identity(p));
  pass(10min);  // so that the node begins another generation
  admitted += a->admitted_of(100, a->identity(p), now());
  // A half of what the server had left, and what the node held, unless its second was over.
  BOOST_TEST(admitted >= 20u + (80u - debit_ledger::lease_min) / 2);
  BOOST_TEST(admitted <= 20u + 40u + debit_ledger::lease_min);
  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return server.long_used() == static_cast<std::int64_t>(admitted); });
  pass(1s);
  BOOST_TEST(b->admitted_of(200, b->identity(p), now()) == 100u - admitted);
}

/// A request that costs more than what is held comes first.
BOOST_AUTO_TEST_CASE(tokens_that_a_node_holds_are_not_shared_out_once_more) {
  deadline = 1s;
  auto const a = make_node(failure_policy::degraded);
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
  auto const held = a->counters().grants - 1;
  BOOST_TEST_REQUIRE(held > 0u);
  server.now_it = mood::refuses;
  wait_while_time_passes([&] { return a->counters().breaker_open; });
  BOOST_TEST(a->charge(a->identity(), limits::cost::of(held + 1).value(), now()).admitted());
  auto admitted = 1 + held + 1;
  wait_until([&] {
    admitted += a->charge(a->identity(), now()).admitted() ? 1u : 0u;
    return admitted == 60u;
  });
  BOOST_TEST(!a->charge(a->identity(), now()).admitted());
}

#ifdef NDEBUG  // a debug build ends with an assertion
BOOST_AUTO_TEST_CASE(mistaken_refunds_give_nothing_back_and_are_counted) {
  auto const a = make_node();
  auto const who = a->identity();
  auto const charged = a->wait_for(a->source().charge(who, now()));
  auto const back = a->wait_for(a->source().refund(who, charged, now()));
  BOOST_TEST((a->wait_for(a->source().refund(who, back, now())).occasion == limits::occasion::mistaken_refund));
  a->wait_for(a->source().refund(who, limits::verdict{}, now()));
  BOOST_TEST(a->source().mistaken_refunds() == 2u);
}
#endif

BOOST_AUTO_TEST_CASE(a_refund_into_a_used_up_quota_goes_to_another_node) {
  auto const a = make_node(failure_policy::closed, {.strikes = 0}),
             b = make_node(failure_policy::closed, {.strikes = 0});
  auto const who = a->identity();
  BOOST_TEST(a->admitted_of(59, who, now()) == 59u);
  auto const last = a->wait_for(a->source().charge(who, now()));
  BOOST_TEST(last.admitted());
  BOOST_TEST(!a->charge(who, now()).admitted());  // with that the server knows that the node holds nothing
  pass(2s);
  wait_until([&] { return server.short_used("{test:i:1}2") == 60; });
  auto const back = limits::tell(a->wait_for(a->source().refund(who, last, now())));
  BOOST_TEST(back.short_window.remaining == 1u);
  wait_while_time_passes([&] { return server.short_used("{test:i:1}2") == 59; });
  BOOST_TEST(b->admitted_of(3, b->identity(), now()) == 1u);
}

/// Such a refusal asks nobody for up to a minute, unless the node hears that a token came back.
BOOST_AUTO_TEST_CASE(and_to_one_that_keeps_a_refusal) {
  auto const a = make_node(failure_policy::closed, {.strikes = 0}),
             b = make_node(failure_policy::closed, {.strikes = 0});
  auto const who = a->identity();
  BOOST_TEST(a->admitted_of(59, who, now()) == 59u);
  auto const last = a->wait_for(a->source().charge(who, now()));
  BOOST_TEST(!b->charge(b->identity(), now()).admitted());
  pass(2s);
  wait_until([&] { return server.short_used("{test:i:1}2") == 60; });
  BOOST_TEST(!b->charge(b->identity(), now()).admitted());
  auto const calls = server.acquisitions.load();
  BOOST_TEST(!b->charge(b->identity(), now()).admitted());
  BOOST_TEST(server.acquisitions.load() == calls);
  a->wait_for(a->source().refund(who, last, now()));
  wait_while_time_passes([&] { return b->charge(b->identity(), now()).admitted(); });  // 40 s at most
  BOOST_TEST(!b->charge(b->identity(), now()).admitted());
}

BOOST_AUTO_TEST_CASE(a_refund_under_continuous_refill_is_charged_again) {
  auto const a = make_node();
  constexpr limits::plan smooth{.short_window = limits::per_minute(60), .short_refill = limits::refill::continuous};
  auto const who = a->identity(smooth);
  auto const charged = a->wait_for(a->source().charge(who, now()));
  BOOST_TEST(limits::tell(charged).short_window.remaining == 59u);
  BOOST_TEST(limits::tell(a->wait_for(a->source().refund(who, charged, now()))).short_window.remaining == 60u);
  BOOST_TEST(a->admitted_of(60, who, now()) == 60u);
}

BOOST_AUTO_TEST_CASE(a_refund_of_what_a_continuous_share_admitted_puts_nothing_back) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::degraded);
  constexpr limits::plan smooth{.short_window = limits::per_minute(60), .short_refill = limits::refill::continuous};
  auto const who = a->identity(smooth);
  BOOST_TEST(a->charge(who, now()).admitted());
  server.now_it = mood::refuses;
  auto const alone = a->wait_for(a->source().charge(who, now()));
  BOOST_TEST(alone.admitted());
  BOOST_TEST(limits::tell(a->wait_for(a->source().refund(who, alone, now()))).short_window.remaining == 58u);
  BOOST_TEST(a->source().mistaken_refunds() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refund_after_its_minute_puts_nothing_back) {
  auto const a = make_node();
  auto const who = a->identity();
  auto const charged = a->wait_for(a->source().charge(who, now()));
  pass(61s);
  BOOST_TEST(a->charge(who, now()).admitted());
  auto const back = limits::tell(a->wait_for(a->source().refund(who, charged, now())));
  BOOST_TEST(back.short_window.used == 1u);
  BOOST_TEST(back.admitted());
}

BOOST_AUTO_TEST_CASE(a_refund_of_what_was_admitted_without_the_server_tells_its_reset) {
  deadline = 200ms;
  server.now_it = mood::refuses;
  auto const a = make_node(failure_policy::degraded);
  auto const who = a->identity();
  auto const charged = a->wait_for(a->source().charge(who, now()));
  BOOST_TEST(charged.admitted());
  auto const back = limits::tell(a->wait_for(a->source().refund(who, charged, now())));
  BOOST_TEST(back.reset_unix_s == limits::tell(charged).reset_unix_s);
}

BOOST_AUTO_TEST_CASE(without_the_server_a_refund_and_a_look_tell_what_this_node_admits) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::degraded), b = make_node(failure_policy::degraded);
  wait_until([&] { return a->counters().nodes == 2; });
  auto const who = a->identity(limits::plan{limits::per_minute(10)});
  BOOST_TEST(a->charge(who, now()).admitted());
  server.now_it = mood::refuses;
  limits::verdict last;
  for (auto v = a->wait_for(a->source().charge(who, now())); v.admitted();
       v = a->wait_for(a->source().charge(who, now())))
    last = v;
  BOOST_TEST(limits::tell(last).short_window.remaining == 0u);
  auto const back = limits::tell(a->wait_for(a->source().refund(who, last, now())));
  BOOST_TEST(back.admitted());
  BOOST_TEST(limits::tell(a->source().observe(who, now())).short_window.remaining == back.short_window.remaining);
  std::uint64_t admitted = 0;
  while (a->charge(who, now()).admitted()) ++admitted;
  BOOST_TEST(back.short_window.remaining == admitted);
  BOOST_TEST(limits::tell(a->source().observe(who, now())).short_window.remaining == 0u);
  BOOST_TEST(a->source().mistaken_refunds() == 0u);
}

BOOST_AUTO_TEST_CASE(unused_tokens_go_back_when_a_node_closes) {
  auto a = make_node();
  auto const b = make_node();
  make_hold_tokens(*a, a->identity());
  a->source().close();
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == 48u);
}

BOOST_AUTO_TEST_CASE(unused_tokens_of_keys_go_back_first_when_a_node_closes) {
  auto const a = make_node(), b = make_node();
  give_tokens_to_strangers(*a, 1'500);  // more than may be under way at a time
  make_hold_tokens(*a, a->identity());
  server.holds_strangers = true;
  a->source().close();
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == 48u);
  server.holds_strangers = false;
  wait_until([&] { return server.held == 0; });
}

BOOST_AUTO_TEST_CASE(after_the_end_of_a_source_the_failure_policy_decides) {
  auto const is_refused = [](boost::system::system_error const& e) {
    return e.code() == boost::asio::error::timed_out;
  };
  for (auto const policy : {failure_policy::closed, failure_policy::degraded, failure_policy::open}) {
    auto const a = make_node(policy);
    BOOST_TEST(a->charge(a->identity(), now()).admitted());
    auto const one = a->identity(), another = a->identity(free_plan, 2);
    auto begun = a->source().charge(another, now());
    BOOST_TEST(!begun.is_ready());
    a->source().close();
    auto const calls = a->counters().calls;
    if (policy == failure_policy::closed) {
      BOOST_CHECK_EXCEPTION((void)a->source().charge(one, now()), boost::system::system_error, is_refused);
      BOOST_CHECK_EXCEPTION((void)a->wait_for(std::move(begun)), boost::system::system_error, is_refused);
    } else {
      auto decided = a->source().charge(one, now());
      BOOST_TEST_REQUIRE(decided.is_ready());
      BOOST_TEST(decided.take().admitted());
      BOOST_TEST(a->wait_for(std::move(begun)).admitted());
    }
    BOOST_TEST(a->counters().calls == calls);
  }
}

BOOST_AUTO_TEST_CASE(unused_tokens_go_back_when_another_node_needs_them) {
  auto const a = make_node(), b = make_node();
  make_hold_tokens(*a, a->identity());
  BOOST_TEST(a->counters().grants > 12u);
  BOOST_TEST(a->counters().returns == 0u);
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == 48u);
  BOOST_TEST(b->counters().policy_decisions == 0u);
  BOOST_TEST(a->counters().returns == a->counters().grants - 12);
}

/// As when its node died: a refusal is kept for a second, and then tells what there is.
BOOST_AUTO_TEST_CASE(tokens_of_a_node_that_does_not_hear_recalls_are_waited_for_and_then_not) {
  deadline = 4s;  // a quarter of it is for the last call, which tells the state
  auto const a = make_node(), b = make_node();
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
  auto const held = a->counters().grants - 1;
  BOOST_TEST(held > 0u);
  server.publishes = false;
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == 59u - held);
  BOOST_TEST(b->counters().policy_decisions == 0u);
  BOOST_TEST(!b->counters().breaker_open);
  server.publishes = true;
  a->source().close();
  pass(1'100ms);
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == held);
}

BOOST_AUTO_TEST_CASE(getQuota_of_a_used_up_quota_announces_nothing) {
  auto const a = make_node(failure_policy::closed, {.strikes = 20});
  BOOST_TEST(a->admitted_of(60, a->identity(), now()) == 60u);
  pass(1'600ms);
  auto const n = limits::tell(a->wait_for(a->source().charge_inquiry(a->identity(), now())));
  BOOST_TEST(n.short_window.remaining == 0u);
  // The next refusal is the announcement; who goes on after it is struck until it is banned.
  BOOST_TEST((a->charge(a->identity(), now()).decision == limits::decision::rate_limited));
  pass(300ms);
  for (int i = 0; i < 20; ++i) a->charge(a->identity(), now());
  wait_until([&] { return a->charge(a->identity(), now()).decision == limits::decision::banned; });
}

BOOST_AUTO_TEST_CASE(getQuota_sees_what_others_used_and_costs_nothing) {
  auto const a = make_node(), b = make_node();
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
  auto const n = limits::tell(b->wait_for(b->source().charge_inquiry(b->identity(), now())));
  BOOST_TEST(n.short_window.used == 1u);
  BOOST_TEST(n.long_window.used == 1u);
  BOOST_TEST(b->admitted_of(70, b->identity(), now()) == 59u);
}

BOOST_AUTO_TEST_CASE(addresses_are_shared_too) {
  auto const a = make_node(), b = make_node();
  std::uint64_t admitted = 0;
  for (int i = 0; i < 40; ++i) {
    admitted += a->charge(node::address(7), now()).admitted() ? 1u : 0u;
    admitted += b->charge(node::address(7), now()).admitted() ? 1u : 0u;
    pass(50ms);
  }
  BOOST_TEST(admitted == 60u);
  BOOST_TEST(a->charge(node::address(8), now()).admitted());
  auto keyless = node::address(7);
  keyless.kind = ports::payer::kind::keyless;
  BOOST_TEST(a->charge(keyless, now()).admitted());
}

BOOST_AUTO_TEST_CASE(a_ban_on_one_node_holds_on_the_other_and_is_pardoned_on_both) {
  limits::ban_policy const bans{.strikes = 10};
  auto const a = make_node(failure_policy::closed, bans), b = make_node(failure_policy::closed, bans);
  BOOST_TEST(a->admitted_of(61, a->identity(), now()) == 60u);
  pass(300ms);
  int begun = 0;
  wait_until([&] {
    auto const v = a->judge(a->identity(), now());
    begun += v.begins_ban;
    return v.decision == limits::decision::banned;
  });
  begun += a->judge(a->identity(), now()).begins_ban;
  BOOST_TEST(begun == 1);
  auto const on_the_other = b->judge(b->identity(), now());
  BOOST_TEST((on_the_other.decision == limits::decision::banned));
  BOOST_TEST(on_the_other.begins_ban);
  BOOST_TEST(!b->judge(b->identity(), now()).begins_ban);
  BOOST_TEST(a->counters().bans_begun == 1u);
  BOOST_TEST(b->counters().bans_begun == 1u);
  pass(61s);
  BOOST_TEST(a->charge(a->identity(), now()).admitted());

  pass(61s);
  BOOST_TEST(a->admitted_of(61, a->identity(), now()) <= 60u);
  pass(300ms);
  wait_until([&] { return a->charge(a->identity(), now()).decision == limits::decision::banned; });
  for (auto* n : {a.get(), b.get()}) n->source().lift_ban(1, now().wall, now());
  wait_until([&] { return b->charge(b->identity(), now()).decision != limits::decision::banned; });
  BOOST_TEST((a->charge(a->identity(), now()).decision == limits::decision::rate_limited));
}

BOOST_AUTO_TEST_CASE(a_pardon_by_a_clock_that_is_ahead_does_not_hide_the_next_ban) {
  auto const a = make_node(failure_policy::closed, {.strikes = 10});
  auto const earn_ban = [&] {
    BOOST_TEST(a->admitted_of(61, a->identity(), now()) == 60u);
    pass(300ms);
    wait_until([&] { return a->charge(a->identity(), now()).decision == limits::decision::banned; });
  };
  earn_ban();
  a->source().lift_ban(1, now().wall + 10min, now());
  wait_until([&] { return a->charge(a->identity(), now()).decision == limits::decision::rate_limited; });
  pass(61s);
  earn_ban();
}

BOOST_AUTO_TEST_CASE(getQuota_is_refused_by_a_ban_that_another_node_knows_of) {
  auto const a = make_node(failure_policy::closed, {.strikes = 10}), b = make_node();
  BOOST_TEST(a->admitted_of(61, a->identity(), now()) == 60u);
  pass(300ms);
  wait_until([&] { return a->charge(a->identity(), now()).decision == limits::decision::banned; });
  auto const inquire = [&] { return b->wait_for(b->source().charge_inquiry(b->identity(), now())); };
  auto const first = inquire();
  BOOST_TEST((first.decision == limits::decision::banned));
  BOOST_TEST((first.occasion == limits::occasion::inquiry));
  BOOST_TEST((first.blocked_for > 0s));
  BOOST_TEST((inquire().decision == limits::decision::banned));
}

BOOST_AUTO_TEST_CASE(who_is_never_banned_is_only_refused) {
  auto const a = make_node(failure_policy::closed, {.strikes = 5});
  auto proxy = node::address(1);
  proxy.never_banned = true;
  BOOST_TEST(a->admitted_of(61, proxy, now()) == 60u);
  pass(2s);
  for (int i = 0; i < 100; ++i) BOOST_TEST((a->charge(proxy, now()).decision == limits::decision::rate_limited));
}

BOOST_AUTO_TEST_CASE(who_is_never_banned_is_served_while_the_server_knows_of_a_ban) {
  auto const a = make_node(failure_policy::closed, {.strikes = 5}),
             b = make_node(failure_policy::closed, {.strikes = 5});
  auto const stranger = node::address(1);
  BOOST_TEST(a->admitted_of(61, stranger, now()) == 60u);
  pass(300ms);
  wait_until([&] { return a->charge(stranger, now()).decision == limits::decision::banned; });
  auto proxy = stranger;
  proxy.never_banned = true;
  auto const calls = b->counters().calls;
  BOOST_TEST((b->charge(proxy, now()).decision == limits::decision::rate_limited));
  BOOST_TEST(b->counters().calls - calls <= 2u);
  pass(59'800ms);  // the minute is over, the ban is not
  BOOST_TEST((a->charge(stranger, now()).decision == limits::decision::banned));
  BOOST_TEST(b->charge(proxy, now()).admitted());
  BOOST_TEST(b->counters().policy_decisions == 0u);
}

BOOST_AUTO_TEST_CASE(a_charge_that_has_not_begun_keeps_its_address) {
  redis_options options;
  options.addresses_max = 64;
  auto const node_of_few = make_node_with(std::move(options));
  auto& a = *node_of_few;
  auto const who = node::address(1);
  auto coming = a.source().charge(who, now());
  for (int i = 2; i < 250; ++i) a.charge(node::address(static_cast<unsigned char>(i)), now());
  BOOST_TEST(limits::tell(a.wait_for(std::move(coming))).short_window.used == 1u);
}

BOOST_AUTO_TEST_CASE(closed_refuses_what_cannot_be_asked) {
  deadline = 1s;
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  BOOST_TEST(admitted_until_given_up(*a, a->identity()) == 0u);
  BOOST_TEST(a->counters().breaker_open);
  BOOST_TEST(a->counters().breaker_openings == 1u);
  auto const calls = a->counters().calls;
  for (int i = 0; i < 100; ++i) BOOST_CHECK_THROW(a->charge(a->identity(), now()), boost::system::system_error);
  BOOST_TEST(a->counters().calls == calls);

  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return !a->counters().breaker_open || may_charge(*a); });
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
  BOOST_TEST(!a->counters().breaker_open);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_back_is_noticed_without_a_request) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  BOOST_TEST(admitted_until_given_up(*a, a->identity()) == 0u);
  BOOST_TEST(a->counters().breaker_open);
  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return !a->counters().breaker_open; });
}

BOOST_AUTO_TEST_CASE(a_server_that_pauses_is_waited_for) {
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::pauses;
  std::vector<ports::payer> keys;
  for (std::uint64_t number = 1; number <= 1'000; ++number) keys.push_back(a->identity(free_plan, number));
  std::vector<std::future<limits::verdict>> coming;
  for (auto const& who : keys) coming.push_back(a->begin(who, now()));
  wait_until([&] { return server.acquisitions == keys.size(); });
  pass(40ms);
  server.now_it = mood::answers;
  for (auto& verdict : coming) {
    BOOST_REQUIRE((verdict.wait_for(time_limit) == std::future_status::ready));
    BOOST_TEST(verdict.get().admitted());
  }
  BOOST_TEST(a->counters().policy_decisions == 0u);
  BOOST_TEST(a->counters().breaker_openings == 0u);
}

/// No request has to find out.
BOOST_AUTO_TEST_CASE(a_server_that_is_gone_is_noticed_without_a_request) {
  deadline = 50ms;
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  wait_while_time_passes([&] { return a->counters().breaker_open; });
  BOOST_TEST(a->counters().breaker_openings > 0u);
  BOOST_TEST(a->counters().calls == 0u);
}

/// As of `async_quota`, which asks twice: for the answer at hand, and then for a payer that lasts.
BOOST_AUTO_TEST_CASE(a_charge_that_is_never_awaited_is_no_probe) {
  deadline = 50ms;
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  wait_while_time_passes([&] { return a->counters().breaker_open; });  // by heartbeats: no round has a call to make
  pass(2s);
  auto const who = a->identity();
  for (int i = 0; i < 2; ++i) BOOST_TEST(!a->source().charge(who, now()).is_ready());
  BOOST_TEST(!a->source().charge_inquiry(who, now()).is_ready());
  BOOST_CHECK_THROW(a->charge(who, now()), boost::system::system_error);
  BOOST_TEST(a->counters().calls > 0u);  // that one was it
}

BOOST_AUTO_TEST_CASE(calls_that_fail_together_do_not_end_asking) {
  deadline = 50ms;
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  std::vector<ports::payer> keys;
  for (std::uint64_t number = 1; number <= 100; ++number) keys.push_back(a->identity(free_plan, number));
  std::vector<std::future<limits::verdict>> coming;
  for (auto const& who : keys) coming.push_back(a->begin(who, now()));
  for (auto& verdict : coming) BOOST_CHECK_THROW(verdict.get(), boost::system::system_error);
  server.now_it = mood::answers;
  pass(40ms);
  BOOST_TEST(a->counters().breaker_openings == 0u);
  for (auto const& who : keys) BOOST_TEST(a->charge(who, now()).admitted());
}

/// Under continuous refill nobody could put back what a lost answer has granted.
BOOST_AUTO_TEST_CASE(an_answer_that_comes_when_nobody_waits_any_more_is_used) {
  deadline = 50ms;
  for (auto const refill : {limits::refill::periodic, limits::refill::continuous}) {
    auto const a = make_node(failure_policy::closed);
    limits::plan const plan{
        .short_window = limits::per_minute(60), .long_window = limits::per_day(1'000), .short_refill = refill};
    auto const who = a->identity(plan, refill == limits::refill::periodic ? 1 : 2);
    server.now_it = mood::pauses;
    BOOST_CHECK_THROW(a->charge(who, now()), boost::system::system_error);
    server.now_it = mood::answers;
    wait_until([&] { return a->counters().grants > 0; });
    auto const n = a->charge(who, now());
    BOOST_TEST(n.admitted());
    BOOST_TEST(n.short_window.used == 1u);
    BOOST_TEST(a->counters().calls == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_connection_that_comes_within_the_deadline_is_waited_for) {
  auto const a = make_node(failure_policy::closed);
  server.now_it = mood::refuses;
  auto const before = a->counters().calls;
  std::jthread const connects([&] {
    // Of the framework nothing may be used on two threads at once.
    eventually([&] { return a->counters().calls > before + 1; });
    server.now_it = mood::answers;
  });
  BOOST_TEST(a->charge(a->identity(), now()).admitted());
}

BOOST_AUTO_TEST_CASE(without_memory_nothing_stops_for_good) {
  auto const a = make_node(failure_policy::closed);
  wait_until([&] { return a->counters().nodes == 1; });
  server.now_it = mood::throws;
  BOOST_CHECK_THROW(a->charge(a->identity(), now()), boost::system::system_error);
  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return may_charge(*a); });
  // Its heart beats on, and its rounds go on: under continuous refill they give back what is idle.
  auto const b = make_node(failure_policy::closed);
  wait_until([&] { return a->counters().nodes == 2; });
  limits::plan const smooth{.short_window = limits::per_minute(60'000), .short_refill = limits::refill::continuous};
  make_hold_tokens(*a, a->identity(smooth, 2));
  wait_while_time_passes([&] { return a->counters().returns > 0; });
}

/// So the server has done what all nodes' anonymous callers want before somebody with a key is out of patience.
BOOST_AUTO_TEST_CASE(of_strangers_few_calls_are_under_way_and_nobody_with_a_key_waits_for_them) {
  constexpr std::uint32_t calls_max = 256;
  auto const a = make_node(), b = make_node();
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });
  server.holds_strangers = true;
  std::vector<std::future<limits::verdict>> coming;
  std::vector<ports::payer> strangers;
  for (unsigned i = 0; i < 2 * calls_max; ++i)
    strangers.push_back(node::address(static_cast<unsigned char>(i % 256), static_cast<unsigned char>(i / 256)));
  for (auto const& who : strangers) coming.push_back(a->begin(who, now()));
  wait_until([&] { return server.held == calls_max / 2; });
  for (int i = 0; i < 30; ++i) BOOST_TEST(a->charge(a->identity(), now()).admitted());
  wait_until([&] { return a->counters().waits >= 2 * calls_max; });
  BOOST_TEST(server.held == calls_max / 2);
  BOOST_TEST(a->counters().policy_decisions == 0u);

  server.holds_strangers = false;
  for (auto& verdict : coming) {
    BOOST_REQUIRE((verdict.wait_for(time_limit) == std::future_status::ready));
    BOOST_TEST(verdict.get().admitted());
  }
  wait_until([&] { return server.held == 0; });
}

BOOST_AUTO_TEST_CASE(who_lost_patience_in_line_is_asked_for_no_more) {
  deadline = 300ms;
  auto const a = make_node();
  wait_until([&] { return a->counters().nodes == 1; });
  server.holds_strangers = true;
  std::vector<std::future<limits::verdict>> coming;
  std::vector<ports::payer> strangers;
  for (unsigned i = 0; i < 400; ++i)
    strangers.push_back(node::address(static_cast<unsigned char>(i % 256), static_cast<unsigned char>(i / 256)));
  for (auto const& who : strangers) coming.push_back(a->begin(who, now()));
  for (auto& verdict : coming) BOOST_CHECK_THROW(verdict.get(), boost::system::system_error);
  auto const calls = a->counters().calls;
  BOOST_TEST(calls == 256u);
  server.holds_strangers = false;
  wait_until([&] { return server.held == 0; });
  a->source().close();
  BOOST_TEST(a->counters().calls <= calls + 256);  // for what those that ran have got
}

BOOST_AUTO_TEST_CASE(strangers_open_no_breaker_but_their_own) {
  deadline = 50ms;
  server.fails_strangers = true;
  auto const a = make_node();
  wait_until([&] { return a->counters().nodes == 1; });
  BOOST_TEST(admitted_until_given_up(*a, node::address(0)) == 0u);
  BOOST_TEST(!a->counters().breaker_open);
  deadline = 5s;
  auto const calls = a->counters().calls;
  BOOST_CHECK_THROW(a->charge(node::address(100), now()), boost::system::system_error);
  BOOST_TEST(a->counters().calls == calls);  // theirs is open
}

/// A round begins so many calls at most: those of anonymous callers are counted apart.
BOOST_AUTO_TEST_CASE(tokens_of_keys_go_back_beside_any_number_of_strangers) {
  auto const a = make_node(), b = make_node();
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });
  // Each has a token to give back that a refund brought, and tries in vain.
  give_tokens_to_strangers(*a, 2'500);
  make_hold_tokens(*a, a->identity());
  server.fails_strangers = true;
  std::uint64_t admitted = 0;
  wait_while_time_passes([&] {
    admitted += b->charge(b->identity(), now()).admitted() ? 1u : 0u;
    return admitted == 48u;
  });
}

BOOST_AUTO_TEST_CASE(an_operators_ban_follows_a_clock_that_is_set) {
  auto const a = make_node();
  auto const who = a->identity();
  server.clock_us -= 24h / 1us;  // the node's clock is a day behind, and its boot clock goes on
  set_back = 24h;
  a->source().impose_ban(1, now().wall + 24h + 10min, now());
  BOOST_TEST(who.account->banned({.boot = now().boot + 24h, .wall = {}}));
  server.clock_us += 24h / 1us;
  set_back = 0h;
  wait_until([&] { return !who.account->banned({.boot = now().boot + 10min, .wall = {}}); });
  BOOST_TEST(who.account->banned({.boot = now().boot + 10min - 1s, .wall = {}}));
  a->source().lift_ban(1, now().wall, now());
  BOOST_TEST(!who.account->banned(now()));
}

BOOST_AUTO_TEST_CASE(nodes_that_have_never_heard_the_server_share_by_the_number_that_is_expected) {
  deadline = 20ms;
  nodes_min = 4;
  server.now_it = mood::refuses;
  auto const a = make_node(failure_policy::degraded), b = make_node(failure_policy::degraded);
  for (auto* n : {a.get(), b.get()}) {
    auto const admitted = admitted_until_given_up(*n, n->identity());
    BOOST_TEST(admitted + n->admitted_of(100, n->identity(), now()) == 15u);
  }
}

BOOST_AUTO_TEST_CASE(open_admits_what_cannot_be_asked) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::open);
  server.now_it = mood::refuses;
  auto const admitted = admitted_until_given_up(*a, a->identity());
  BOOST_TEST(admitted > 0u);
  BOOST_TEST(a->admitted_of(200, a->identity(), now()) == 200u);
}

BOOST_AUTO_TEST_CASE(degraded_admits_a_share_and_reports_it) {
  deadline = 1s;
  auto const a = make_node(failure_policy::degraded), b = make_node(failure_policy::degraded);
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });
  BOOST_TEST(a->admitted_of(20, a->identity(), now()) == 20u);
  BOOST_TEST(used_as_told_by(*b) == 20u);  // what a held has gone back for that
  server.now_it = mood::refuses;
  auto const admitted = admitted_until_given_up(*a, a->identity());
  BOOST_TEST(admitted + a->admitted_of(100, a->identity(), now()) == 20u);  // half of the 40 that were left
  auto const n = a->charge(a->identity(), now());
  BOOST_TEST(!n.admitted());
  BOOST_TEST(n.limit() == 60u);

  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return server.long_used() == 40; });
  BOOST_TEST(b->admitted_of(100, b->identity(), now()) == 20u);
}

BOOST_AUTO_TEST_CASE(held_tokens_outlast_the_server) {
  deadline = 1s;
  auto const a = make_node(failure_policy::closed);
  make_hold_tokens(*a, a->identity());
  wait_until([&] { return a->counters().grants > 12; });
  server.now_it = mood::refuses;
  pass(2s);
  auto const held = a->counters().grants - 12;
  auto admitted = admitted_until_given_up(*a, a->identity());
  try {
    for (;;) admitted += a->charge(a->identity(), now()).admitted() ? 1u : 0u;
  } catch (boost::system::system_error const&) {
  }
  BOOST_TEST(admitted == held);
}

BOOST_AUTO_TEST_CASE(late_answers_and_lost_ones_grant_nothing_twice) {
  deadline = 1s;
  for (mood const how : {mood::loses, mood::dawdles}) {
    auto const a = make_node(failure_policy::closed);
    std::uint64_t const number = how == mood::loses ? 1 : 2;
    server.now_it = how;
    BOOST_CHECK_THROW(a->charge(a->identity(free_plan, number), now()), boost::system::system_error);
    server.now_it = mood::answers;
    pass(10s);
    std::uint64_t admitted = 0;
    for (int answered = 0; answered < 100;) {
      try {
        admitted += a->charge(a->identity(free_plan, number), now()).admitted() ? 1u : 0u;
        ++answered;
      } catch (boost::system::system_error const&) {  // on a slow machine the deadline may pass again
        pass(1ms);                                    // until a server that was given up is asked again
      }
    }
    BOOST_TEST(admitted == 60u);
  }
}

/// It need not ask, and no request makes it.
BOOST_AUTO_TEST_CASE(a_node_that_refuses_by_itself_tells_a_server_that_forgot) {
  auto const a = make_node(failure_policy::closed, limits::no_bans),
             b = make_node(failure_policy::closed, limits::no_bans);
  wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });
  for (auto const& who : {a->identity(), node::address(1)}) {
    BOOST_TEST(a->admitted_of(100, who, now()) == 60u);
    pass(2s);
    BOOST_TEST(!a->charge(who, now()).admitted());
  }
  auto const refused = a->counters().calls;
  BOOST_TEST(!a->charge(a->identity(), now()).admitted());
  BOOST_TEST(a->counters().calls == refused);
  server.forget();
  wait_until([&] { return server.short_used("{test:i:1}2") == 60 && server.short_used(address_key(1)) == 60; });
  BOOST_TEST(b->admitted_of(10, b->identity(), now()) == 0u);
  BOOST_TEST(b->admitted_of(10, node::address(1), now()) == 0u);
}

BOOST_AUTO_TEST_CASE(a_server_that_forgot_is_told_of_the_whole_day) {
  auto const a = make_node(), b = make_node();
  wait_until([&] { return a->counters().nodes == 2; });
  for (unsigned i = 0; i < 3; ++i) {
    BOOST_TEST(a->admitted_of(20, a->identity(), now()) == 20u);
    BOOST_TEST(used_as_told_by(*b) == 20u);
    pass(5min);  // so that it begins another generation
  }
  server.forget();
  wait_until([&] { return server.long_used("{test:i:1}2") == 60; });
  // Said twice it counts once.
  server.restart();
  BOOST_TEST(a->admitted_of(1, a->identity(), now()) == 1u);
  BOOST_TEST(used_as_told_by(*b) == 1u);
  BOOST_TEST(server.long_used("{test:i:1}2") == 61);
}

BOOST_AUTO_TEST_CASE(another_run_of_the_server_is_told_of_what_was_taken_lately) {
  auto const a = make_node(), b = make_node();
  wait_until([&] { return a->counters().nodes == 2; });
  for (std::uint64_t key = 1; key <= 2; ++key) {
    pass(5min);
    BOOST_TEST(a->admitted_of(20, a->identity(free_plan, key), now()) == 20u);
    BOOST_TEST(used_as_told_by(*b, key) == 20u);
  }
  auto const calls = a->counters().calls;
  server.restart();
  wait_until([&] { return a->counters().calls == calls + 1; });
  a->source().close();
  BOOST_TEST(a->counters().calls == calls + 1);
  BOOST_TEST(server.long_used("{test:i:2}2") == 20);
}

BOOST_AUTO_TEST_CASE(the_table_of_addresses_is_bounded) {
  redis_options options;
  options.addresses_max = 64;
  auto const node_of_few = make_node_with(std::move(options));
  auto& a = *node_of_few;
  auto const charge = [&](int address) { return a.charge(node::address(static_cast<unsigned char>(address)), now()); };
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 250; ++i) BOOST_TEST(charge(i).admitted());
  // What was used is not forgotten with the entry. While others hold every entry that an address may take, it shares an
  // overflow quota, which counts apart: such a charge does not show what it used before.
  BOOST_TEST(eventually([&] {
    for (int i = 0; i < 250; ++i) charge(i);
    return charge(3).short_window.used >= 4;
  }));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// Nodes that remember one in each of the 64 parts of the table of identities that come and go.
struct world_of_guests : shared_world {
  std::unique_ptr<node> make_node(failure_policy policy = failure_policy::closed, limits::ban_policy bans = {},
                                  quota_mode mode = quota_mode::leased) {
    redis_options options;
    options.on_failure = policy;
    options.bans = bans;
    options.mode = mode;
    options.identities_max = 64;
    return make_node_with(std::move(options));
  }

  std::uint64_t next_other = 10'000;

  /// So many come that each of those before is forgotten, unless it may not be: then those that need its place are
  /// refused. Returns how many were.
  std::uint64_t come_others(node& n) {
    std::uint64_t refused = 0;
    for (int i = 0; i < 1'000; ++i) refused += charge_if_there_is_a_place(n, next_other++) ? 0u : 1u;
    return refused;
  }
  std::optional<limits::notice> charge_if_there_is_a_place(node& n, std::uint64_t number) {
    try {
      return n.charge(n.guest(number), now());
    } catch (boost::system::system_error const& told) {
      BOOST_TEST((told.code() == boost::asio::error::no_buffer_space));
      return std::nullopt;
    }
  }
  /// Each request waits for a place.
  std::uint64_t admitted_of(std::uint64_t requests, node& n) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < requests; ++i)
      wait_until([&] {
        auto const told = charge_if_there_is_a_place(n, 1);
        count += told && told->admitted() ? 1u : 0u;
        return told.has_value();
      });
    return count;
  }
  /// Whether the node has forgotten what it told of an identity.
  bool is_forgotten(node& n) { return limits::tell(n.source().observe(n.guest(), now())).short_window.used == 0; }
  /// A round may have to look at it first.
  void make_forget(node& n) {
    BOOST_TEST(!is_forgotten(n));
    wait_until([&] {
      come_others(n);
      return is_forgotten(n);
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_guests, world_of_guests)

BOOST_AUTO_TEST_CASE(an_identity_that_comes_and_goes_shares_one_quota) {
  auto const a = make_node(), b = make_node();
  BOOST_TEST((a->guest().account == nullptr));
  std::uint64_t admitted = 0;
  for (int i = 0; i < 40; ++i) {
    for (auto* n : {a.get(), b.get()}) admitted += n->charge(n->guest(), now()).admitted() ? 1u : 0u;
    pass(100ms);
  }
  BOOST_TEST(admitted == 60u);
}

BOOST_AUTO_TEST_CASE(a_used_up_quota_is_not_granted_again_when_it_was_forgotten) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  BOOST_TEST(a->admitted_of(61, a->guest(), now()) == 60u);
  make_forget(*a);
  BOOST_TEST(admitted_of(10, *a) == 0u);
}

BOOST_AUTO_TEST_CASE(the_whole_quota_is_granted_over_several_times_of_being_forgotten) {
  auto const a = make_node(failure_policy::closed, limits::no_bans, quota_mode::strict);  // which holds no tokens
  std::uint64_t admitted = 0;
  for (int i = 0; i < 4; ++i) {
    admitted += admitted_of(20, *a);
    make_forget(*a);
  }
  BOOST_TEST(admitted == 60u);
}

BOOST_AUTO_TEST_CASE(a_forgotten_identity_loses_the_tokens_that_its_lease_held_and_no_more) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  BOOST_TEST(a->admitted_of(10, a->guest(), now()) == 10u);
  auto const held = a->counters().grants - 10;
  make_forget(*a);
  BOOST_TEST(admitted_of(70, *a) == 50u - held);
  pass(61s);
  BOOST_TEST(a->admitted_of(70, a->guest(), now()) == 60u);
}

BOOST_AUTO_TEST_CASE(an_account_that_keeps_its_address_continues_what_was_counted_before) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  BOOST_TEST(a->admitted_of(20, a->guest(), now()) == 20u);
  auto const kept = a->identity();
  come_others(*a);
  BOOST_TEST(!is_forgotten(*a));
  BOOST_TEST(a->admitted_of(20, kept, now()) == 20u);
  BOOST_TEST(a->admitted_of(70, a->guest(), now()) == 20u);
  BOOST_TEST(!a->charge(kept, now()).admitted());
}

BOOST_AUTO_TEST_CASE(an_account_is_kept_whoever_comes_for_it_later) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  auto const kept = a->identity();
  BOOST_TEST(a->admitted_of(20, a->guest(), now()) == 20u);
  come_others(*a);
  BOOST_TEST(!is_forgotten(*a));
  BOOST_TEST(a->admitted_of(70, kept, now()) == 40u);
  BOOST_TEST(a->admitted_of(70, a->identity(free_plan, 1, 1), now()) == 60u);
  BOOST_TEST(!a->charge(a->guest(), now()).admitted());  // after the reset, too
}

BOOST_AUTO_TEST_CASE(a_recall_reaches_identities_that_come_and_go) {
  auto const a = make_node(), b = make_node();
  make_hold_tokens(*a, a->guest());
  BOOST_TEST(a->counters().grants > 12u);
  BOOST_TEST(b->admitted_of(70, b->guest(), now()) == 48u);
  BOOST_TEST(b->counters().policy_decisions == 0u);
  BOOST_TEST(a->counters().returns == a->counters().grants - 12);
}

BOOST_AUTO_TEST_CASE(their_unused_tokens_go_back_when_a_node_closes) {
  auto const a = make_node(), b = make_node();
  make_hold_tokens(*a, a->guest());
  a->source().close();
  BOOST_TEST(b->admitted_of(70, b->guest(), now()) == 48u);
}

BOOST_AUTO_TEST_CASE(their_refund_is_charged_again) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  auto const charged = a->wait_for(a->source().charge(a->guest(), now()));
  auto const back = limits::tell(a->wait_for(a->source().refund(a->guest(), charged, now())));
  BOOST_TEST(back.short_window.remaining == 60u);
  BOOST_TEST(a->admitted_of(70, a->guest(), now()) == 60u);
}

BOOST_AUTO_TEST_CASE(a_refund_to_an_identity_that_was_forgotten_is_no_mistake_and_grants_nothing_twice) {
  auto const a = make_node(failure_policy::closed, limits::no_bans, quota_mode::strict);
  auto const charged = a->wait_for(a->source().charge(a->guest(), now()));
  BOOST_TEST(a->admitted_of(49, a->guest(), now()) == 49u);
  make_forget(*a);
  auto const back = a->wait_for(a->source().refund(a->guest(), charged, now()));
  BOOST_TEST((back.occasion == limits::occasion::refund));
  BOOST_TEST(a->source().mistaken_refunds() == 0u);
  BOOST_TEST(admitted_of(5, *a) == 5u);
  // Now that the node knows the period again, the token comes back.
  a->wait_for(a->source().refund(a->guest(), charged, now()));
  BOOST_TEST(a->admitted_of(70, a->guest(), now()) == 6u);
}

/// Nothing of what waits for the server can be forgotten: the table takes no more.
BOOST_AUTO_TEST_CASE(an_identity_with_a_call_under_way_is_not_forgotten) {
  auto const a = make_node(failure_policy::closed, limits::no_bans);
  server.now_it = mood::pauses;
  std::vector<ports::payer> payers;
  for (std::uint64_t number = 1; number <= 2'000; ++number) payers.push_back(a->guest(number));
  std::vector<std::future<limits::verdict>> coming;
  std::uint64_t refused = 0;
  for (auto const& who : payers) {
    try {
      coming.push_back(a->begin(who, now()));
    } catch (boost::system::system_error const& told) {
      BOOST_TEST((told.code() == boost::asio::error::no_buffer_space));
      ++refused;
    }
  }
  BOOST_TEST(coming.size() == 64u);
  BOOST_TEST(refused == payers.size() - 64u);
  server.now_it = mood::answers;
  for (auto& verdict : coming) BOOST_TEST(verdict.get().admitted());
  wait_until([&] { return charge_if_there_is_a_place(*a, 3'000).has_value(); });
}

BOOST_AUTO_TEST_CASE(a_charge_that_has_not_begun_keeps_its_identity) {
  auto const a = make_node();
  auto const who = a->guest();
  auto coming = a->source().charge(who, now());
  BOOST_TEST(come_others(*a) > 0u);
  BOOST_TEST(limits::tell(a->wait_for(std::move(coming))).short_window.used == 1u);
}

BOOST_AUTO_TEST_CASE(a_ban_for_strikes_is_the_servers_and_holds_when_its_identity_was_forgotten) {
  auto const a = make_node(failure_policy::closed, {.strikes = 10});
  BOOST_TEST(a->admitted_of(61, a->guest(), now()) == 60u);
  pass(300ms);
  wait_until([&] { return a->charge(a->guest(), now()).decision == limits::decision::banned; });
  pass(2s);  // so that the last strikes are reported
  wait_until([&] {
    come_others(*a);
    return a->source().observe(a->guest(), now()).decision != limits::decision::banned;
  });
  wait_until([&] {
    auto const told = charge_if_there_is_a_place(*a, 1);
    return told && told->decision == limits::decision::banned;
  });
}

BOOST_AUTO_TEST_CASE(an_operators_ban_keeps_the_account) {
  auto const a = make_node();
  a->charge(a->guest(), now());
  a->source().impose_ban(1, now().wall + 10min, now());
  come_others(*a);
  BOOST_TEST((a->charge(a->guest(), now()).decision == limits::decision::banned));
  a->source().lift_ban(1, now().wall, now());
  BOOST_TEST(a->charge(a->guest(), now()).admitted());
}

BOOST_AUTO_TEST_CASE(getQuota_of_an_identity_that_comes_and_goes_sees_what_others_used) {
  auto const a = make_node(), b = make_node();
  BOOST_TEST(a->charge(a->guest(), now()).admitted());
  auto const inquire = [&] { return b->wait_for(b->source().charge_inquiry(b->guest(), now())); };
  BOOST_TEST(limits::tell(inquire()).short_window.used == 1u);
  BOOST_TEST(limits::tell(b->wait_for(b->source().look(b->guest(), now()))).short_window.used == 1u);
  for (int i = 1; i < 60; ++i) BOOST_TEST(!inquire().refused());
  BOOST_TEST(inquire().refused());
}

BOOST_AUTO_TEST_CASE(a_look_at_one_that_never_came_needs_no_account) {
  auto const a = make_node();
  BOOST_TEST(limits::tell(a->source().observe(a->guest(), now())).short_window.remaining == 60u);
  BOOST_TEST(a->counters().calls == 0u);
}

/// What a node admits by itself it has to report. So it remembers the identity until then.
BOOST_AUTO_TEST_CASE(what_was_admitted_without_the_server_is_not_forgotten_before_it_is_reported) {
  deadline = 200ms;
  auto const a = make_node(failure_policy::degraded, limits::no_bans);
  wait_until([&] { return a->counters().nodes == 1; });
  server.now_it = mood::refuses;
  auto const admitted = admitted_until_given_up(*a, a->guest());
  BOOST_TEST(admitted + a->admitted_of(100, a->guest(), now()) == 60u);
  BOOST_TEST(come_others(*a) >= 1'000u - 64u);
  BOOST_TEST(!a->charge(a->guest(), now()).admitted());
  server.now_it = mood::answers;
  pass(1'100ms);
  wait_while_time_passes([&] { return server.long_used("{test:i:1}2") == 60; });
  wait_while_time_passes([&] { return charge_if_there_is_a_place(*a, 3'000).has_value(); });
}

/// Whatever comes in whatever order: charges, refunds, operators, on three nodes that forget all the time.
BOOST_AUTO_TEST_CASE(no_identity_gets_more_than_its_quota_however_often_nodes_forget_it) {
  deadline = 200ms;  // tokens that a node has forgotten are waited for in vain
  constexpr std::uint64_t identities = 300;
  constexpr limits::plan a_few{limits::per_minute(20)};
  std::array const nodes{make_node(failure_policy::closed, limits::no_bans),
                         make_node(failure_policy::closed, limits::no_bans),
                         make_node(failure_policy::closed, limits::no_bans, quota_mode::strict)};
  std::minstd_rand random{1};
  auto const below = [&random](std::uint64_t n) {
    return std::uniform_int_distribution<std::uint64_t>{0, n - 1}(random);
  };
  std::array<std::uint64_t, identities> used{};
  std::uint64_t most = 0;
  for (int i = 0; i < 12'000; ++i) {
    node& n = *nodes[below(nodes.size())];
    // Some come often.
    std::uint64_t const number = below(2) == 0 ? below(identities) : below(20);
    bool const keeps = number % 10 == 0 && below(20) == 0;
    auto const who = keeps ? n.identity(a_few, number) : n.guest(number, a_few);
    try {
      auto const told = n.judge(who, now());
      if (!told.admitted()) continue;
      most = std::max(most, ++used[number]);
      BOOST_TEST(used[number] <= 20u);
      if (below(10) != 0) continue;
      n.wait_for(n.source().refund(who, told, now()));
      --used[number];
    } catch (boost::system::system_error const&) {  // no place, or no answer within the deadline
    }
  }
  BOOST_TEST(most == 20u);
}

BOOST_AUTO_TEST_CASE(a_plan_that_cannot_be_shared_has_no_payer) {
  auto const a = make_node();
  constexpr limits::plan bursting{
      .short_window = limits::per_minute(60), .short_refill = limits::refill::continuous, .burst = 10};
  BOOST_CHECK_EXCEPTION((void)a->guest(1, bursting), boost::system::system_error,
                        [](auto const& e) { return e.code() == limits::limiter_errc::burst_not_shared; });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(quota_redis_real)

namespace {

std::unique_ptr<node> node_at(petstore::tests::redis_process const& process, failure_policy policy,
                              ports::report_function report = {}) {
  redis_options options;
  options.report = std::move(report);
  options.address = process.address();
  options.on_failure = policy;
  options.deadline = 2s;
  options.bans.strikes = 0;
  auto made = std::make_unique<node>(std::move(options), open_redis_quota);
  wait_until([&] { return made->counters().nodes >= 1; });
  return made;
}

/// Until the client is connected, calls fail at once.
limits::notice charge_when_connected(node& n, ports::payer const& who) {
  limits::notice charged;
  wait_until([&] {
    try {
      charged = n.charge(who, limits::now());
      return true;
    } catch (boost::system::system_error const&) {
      return false;
    }
  });
  return charged;
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_nodes_share_a_quota_on_a_real_server) {
  petstore::tests::redis_process process;
  auto const a = node_at(process, failure_policy::closed), b = node_at(process, failure_policy::closed);
  limits::plan const daily{limits::per_minute(100'000), limits::per_day(500)};
  std::uint64_t admitted = 0;
  for (int i = 0; i < 400; ++i) {
    for (auto* n : {a.get(), b.get()}) admitted += charge_when_connected(*n, n->identity(daily)).admitted() ? 1u : 0u;
    if (i == 100) process.ask({"SCRIPT", "FLUSH"});
  }
  BOOST_TEST(admitted <= 500u);
  BOOST_TEST(admitted >= 475u);
}

BOOST_AUTO_TEST_CASE(two_nodes_share_other_windows_on_a_real_server) {
  petstore::tests::redis_process process;
  auto const a = node_at(process, failure_policy::closed), b = node_at(process, failure_policy::closed);
  std::uint64_t identity = 0;
  for (limits::plan const& p : {limits::plan{limits::per_second(100'000), limits::per_hour(500)},
                                limits::plan{limits::per_hour(500), limits::per_month(100'000)},
                                limits::plan{limits::per_hour(100'000), limits::window{500, std::chrono::days{7}}}}) {
    std::uint64_t admitted = 0;
    ++identity;
    for (int i = 0; i < 300; ++i)
      for (auto* n : {a.get(), b.get()})
        admitted += charge_when_connected(*n, n->identity(p, identity)).admitted() ? 1u : 0u;
    BOOST_TEST(admitted == 500u);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_comes_back_has_not_forgotten) {
  petstore::tests::redis_process process({"--appendonly", "yes", "--appendfsync", "always"});
  limits::plan const daily{limits::per_minute(100'000), limits::per_day(100)};
  auto const a = node_at(process, failure_policy::closed);
  for (int i = 0; i < 60; ++i) BOOST_TEST(charge_when_connected(*a, a->identity(daily)).admitted());
  process.kill();
  process.start();
  std::uint64_t admitted = 60;
  for (int i = 0; i < 60; ++i) admitted += charge_when_connected(*a, a->identity(daily)).admitted() ? 1u : 0u;
  BOOST_TEST(admitted == 100u);
}

/// Both nodes have what they need to refuse, so none of them asks.
BOOST_AUTO_TEST_CASE(a_server_that_has_forgotten_everything_is_told_within_a_second) {
  for (bool const restarts : {false, true}) {
    petstore::tests::redis_process process;
    limits::plan const daily{limits::per_minute(100'000), limits::per_day(300)};
    auto const a = node_at(process, failure_policy::closed), b = node_at(process, failure_policy::closed);
    wait_until([&] { return a->counters().nodes == 2 && b->counters().nodes == 2; });  // by heartbeats
    for (auto* n : {a.get(), b.get()})
      for (int i = 0; i < 150; ++i) charge_when_connected(*n, n->identity(daily));
    for (auto* n : {a.get(), b.get()}) {
      wait_until([&] { return !charge_when_connected(*n, n->identity(daily)).admitted(); });
    }
    auto const used = [&] {
      auto const counts = parse_stored(process.ask({"GET", "{test:i:1}2"}));
      return counts ? std::to_string(counts->long_used) : std::string{};
    };
    BOOST_TEST(used() == "300");
    if (restarts) {
      process.kill();
      process.start();
    } else {
      process.ask({"FLUSHALL"});
    }
    wait_until([&] { return used() == "300"; });
    auto const c = node_at(process, failure_policy::closed);
    for (auto* n : {a.get(), b.get(), c.get()}) BOOST_TEST(!charge_when_connected(*n, n->identity(daily)).admitted());
    BOOST_TEST(used() == "300");
  }
}

namespace {

/// A node that notes what it reports.
struct reporting_node {
  std::mutex mutex;
  std::vector<std::string> said;
  std::unique_ptr<node> of;

  reporting_node(petstore::tests::redis_process const& process, failure_policy policy,
                 std::function<limits::instant()> clock = {}) {
    redis_options options;
    options.address = process.address();
    options.on_failure = policy;
    options.deadline = 2s;
    options.bans.strikes = 0;
    options.clock = std::move(clock);
    options.report = [this](std::string_view event, std::string_view detail) {
      std::lock_guard const lock(mutex);
      said.push_back(std::string(event) + ' ' + std::string(detail));
    };
    of = std::make_unique<node>(std::move(options), open_redis_quota);
    charge_when_connected(*of, of->identity(free_plan, 1'000));
  }
  std::size_t times_said(std::string_view what) {
    std::lock_guard const lock(mutex);
    return static_cast<std::size_t>(
        std::ranges::count_if(said, [&](std::string const& line) { return line.find(what) != std::string::npos; }));
  }
};

}  // namespace

/// Of another program, or of a later version of this one: nothing is changed, and other keys are decided as always.
BOOST_AUTO_TEST_CASE(a_key_that_holds_something_else_is_decided_by_the_failure_policy) {
  petstore::tests::redis_process process;
  process.ask({"RPUSH", "{test:i:1}2", "a list"});
  process.ask({"SET", "{test:i:2}2", "\x04 of a later version"});
  reporting_node n(process, failure_policy::degraded, [stopped = limits::now()] { return stopped; });
  for (std::uint64_t const key : {1u, 2u}) {
    std::uint64_t admitted = 0;
    for (int i = 0; i < 100; ++i) {
      admitted += n.of->charge(n.of->identity(free_plan, key), limits::now()).admitted() ? 1u : 0u;
      BOOST_TEST(n.of->charge(n.of->identity(free_plan, 3 + static_cast<std::uint64_t>(i)), limits::now()).admitted());
    }
    BOOST_TEST(admitted == 60u);
  }
  BOOST_TEST(!n.of->counters().breaker_open);
  BOOST_TEST(n.times_said("quota_redis_error {test:i:1}2: ") == 1u);
  BOOST_TEST(n.times_said("WRONGTYPE") == 1u);
  BOOST_TEST(n.times_said("PETSTORE the value of {test:i:2}2 has version 4") == 1u);
  BOOST_TEST(process.ask({"LLEN", "{test:i:1}2"}) == "1");
  BOOST_TEST(process.ask({"GET", "{test:i:2}2"}) == "\x04 of a later version");
}

/// Not even when nobody asks for another key.
BOOST_AUTO_TEST_CASE(a_key_that_holds_something_else_is_no_silence_of_the_server) {
  petstore::tests::redis_process process;
  process.ask({"SET", "{test:i:1}2", "\x02 of another program"});
  std::atomic<std::chrono::nanoseconds> passed{0ns};
  reporting_node n(process, failure_policy::closed, [&passed] {
    auto now = limits::now();
    now.boot += passed.load();
    return now;
  });
  for (int i = 0; i < 10; ++i) {
    BOOST_CHECK_THROW(n.of->charge(n.of->identity(), limits::now()), boost::system::system_error);
    passed = passed.load() + breaker::silence_min;
  }
  BOOST_TEST(n.of->counters().breaker_openings == 0u);
  BOOST_TEST(n.of->counters().policy_decisions == 10u);
  BOOST_TEST(n.times_said("quota_redis_error {test:i:1}2: ") == 1u);
  BOOST_TEST(n.times_said("database of their own") == 1u);
}

BOOST_AUTO_TEST_CASE(each_kind_of_error_has_a_line_of_its_own) {
  petstore::tests::redis_process process;
  process.ask({"RPUSH", "{test:i:1}2", "a list"});
  reporting_node n(process, failure_policy::closed);
  BOOST_CHECK_THROW(n.of->charge(n.of->identity(), limits::now()), boost::system::system_error);
  process.ask({"CONFIG", "SET", "maxmemory", "1"});
  BOOST_CHECK_THROW(n.of->charge(n.of->identity(free_plan, 2), limits::now()), boost::system::system_error);
  BOOST_TEST(n.times_said("quota_redis_error {test:i:1}2: Redis answered with an error. WRONGTYPE ") > 0u);
  BOOST_TEST(n.times_said("quota_redis_error Redis refused the call. OOM ") == 1u);
  BOOST_TEST(n.times_said("keep maxmemory-policy noeviction") > 0u);
}

BOOST_AUTO_TEST_CASE(a_server_that_evicts_or_keeps_nothing_is_told_when_a_connection_is_made) {
  petstore::tests::redis_process process({"--maxmemory-policy", "volatile-ttl"});
  reporting_node n(process, failure_policy::closed);
  wait_until([&] { return n.times_said("quota_redis_evicts") == 1u; });
  BOOST_TEST(n.times_said("volatile-ttl") == 1u);
  wait_until([&] { return n.times_said("quota_redis_not_kept") == 1u; });
  process.ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
  process.ask({"CLIENT", "KILL", "TYPE", "normal"});
  wait_until([&] { return n.times_said("allkeys-lru") == 1u; });
  BOOST_TEST(n.times_said("quota_redis_evicts") == 2u);
  BOOST_TEST(n.times_said("quota_redis_not_kept") == 1u);
}

/// As for each user that ACL SETUSER makes, unless it is given channels.
BOOST_AUTO_TEST_CASE(a_user_without_the_channel_of_recalls_is_told) {
  petstore::tests::redis_process process;
  process.ask({"ACL", "SETUSER", "default", "resetchannels"});
  reporting_node n(process, failure_policy::closed);
  wait_until([&] { return n.times_said("quota_redis_recalls_refused") == 1u; });
  BOOST_TEST(n.times_said("{test}:recalls") == 1u);
  BOOST_TEST(n.of->charge(n.of->identity(), limits::now()).admitted());
}

BOOST_AUTO_TEST_CASE(a_user_who_may_not_run_scripts_is_told_which_right_it_lacks) {
  petstore::tests::redis_process process;
  reporting_node n(process, failure_policy::closed);
  process.ask({"ACL", "SETUSER", "default", "-set"});  // a command of the script
  BOOST_CHECK_THROW(n.of->charge(n.of->identity(), limits::now()), boost::system::system_error);
  wait_until([&] { return n.times_said("quota_redis_error") == 1u; });
  BOOST_TEST(n.times_said("lacks a right") == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_full_is_an_error_that_is_told) {
  petstore::tests::redis_process process;
  reporting_node n(process, failure_policy::closed);
  process.ask({"CONFIG", "SET", "maxmemory", "1"});
  BOOST_CHECK_THROW(n.of->charge(n.of->identity(), limits::now()), boost::system::system_error);
  wait_until([&] { return n.times_said("quota_redis_error") == 1u; });
  BOOST_TEST(n.times_said("OOM") > 0u);
  process.ask({"CONFIG", "SET", "maxmemory", "0"});
  BOOST_TEST(charge_when_connected(*n.of, n.of->identity()).admitted());
}

BOOST_AUTO_TEST_CASE(a_log_that_throws_keeps_no_node_from_the_server) {
  petstore::tests::redis_process process;
  std::atomic<int> lines{0};
  auto const n = node_at(process, failure_policy::closed, [&](std::string_view, std::string_view) {
    ++lines;
    throw std::runtime_error("the log is full");
  });
  BOOST_TEST(charge_when_connected(*n, n->identity()).admitted());
  BOOST_TEST(lines > 0);
}

BOOST_AUTO_TEST_CASE(an_address_that_is_none_is_refused_with_a_sentence) {
  boost::asio::io_context context;
  redis_options options;
  options.address = "redis://";
  options.executor = context.get_executor();
  BOOST_CHECK_THROW((void)open_redis_quota(std::move(options)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_executor_that_is_not_named_is_refused) {
  redis_options options;
  options.address = "redis://127.0.0.1";
  BOOST_CHECK_THROW((void)open_redis_quota(std::move(options)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
