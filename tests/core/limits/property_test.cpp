// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Random lives of an account, step by step beside the plain reference, and laws that must hold after every step.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <deque>
#include <random>

#include "clock.hpp"
#include "petstore/limits/account.hpp"
#include "reference.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(limits_property)

using namespace petstore::limits;
using namespace std::chrono_literals;
namespace data = boost::unit_test::data;

namespace {

bool same(quota_state const& a, quota_state const& b) {
  return a.quota == b.quota && a.remaining == b.remaining && a.reset_unix_s == b.reset_unix_s &&
         a.more_in_s == b.more_in_s;
}
bool same(notice const& a, notice const& b) {
  return a.decision == b.decision && a.shown == b.shown && a.has_long == b.has_long &&
         a.short_exhausted == b.short_exhausted && a.long_exhausted == b.long_exhausted && a.remaining == b.remaining &&
         a.reset_unix_s == b.reset_unix_s && a.retry_after_s == b.retry_after_s &&
         same(a.short_window, b.short_window) && same(a.long_window, b.long_window);
}
std::string show(notice const& v) {
  std::ostringstream out;
  out << v.decision << ' ' << v.shown << " remaining " << v.remaining << " reset " << v.reset_unix_s << " retry "
      << v.retry_after_s << " exhausted " << v.short_exhausted << v.long_exhausted;
  for (quota_state const& q : {v.short_window, v.long_window})
    out << " | " << q.remaining << '/' << q.quota << " reset " << q.reset_unix_s << " t " << q.more_in_s;
  return out.str();
}

enum class costs { single, mixed };

/// One random life.
class life {
 public:
  explicit life(unsigned seed, costs c = costs::single) : random_(seed), costs_(c) {
    policy_.strikes = static_cast<std::uint32_t>(pick(0, 6));
    policy_.base = 2s;
    policy_.max = 60s;
    new_plan();
  }

  void step() {
    move_clock();
    switch (pick(0, 29)) {
      case 0: new_plan(); break;
      case 1: check("observe", tell(real_.observe(plan_, now())), plain_.observe(plan_, now())); break;
      case 2: check("inquire", tell(real_.charge_inquiry(plan_, now())), plain_.charge_inquiry(plan_, now())); break;
      case 3:
      case 4: refund(); break;
      case 5: ban_or_pardon(); break;
      default:
        for (int n = pick(1, 8); n > 0; --n) charge();
    }
  }

 private:
  int pick(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  instant now() const { return clock_.now; }

  void new_plan() {
    static constexpr int shorter[] = {1, 2, 7, 60, 59, 300};
    static constexpr int longer[] = {0, 1, 3, 20, 60, 100};
    static constexpr burst_tokens bursts[] = {0, 0, 1, 3, 60, 400};
    static constexpr period short_periods[] = {1s, 1min, period{1min}.aligned(), 1h, period{1h}.aligned(), 24h};
    static constexpr period long_periods[] = {1h, period{2h}.aligned(), period{24h}.aligned(), std::chrono::months{1}};
    // Mostly the usual pair, so that a period sees many charges.
    period const of_short = pick(0, 1) == 0 ? period{1min} : short_periods[pick(0, 5)];
    period const of_long = pick(0, 1) == 0 ? period{24h}.aligned() : long_periods[pick(0, 3)];
    plan_ = {.short_window = *short_window::of({shorter[pick(0, 5)], of_short}),
             .long_window = long_window::of({longer[pick(0, 5)], of_long}).value_or(long_window{}),
             .short_refill = pick(0, 2) == 0 ? refill::continuous : refill::periodic};
    if (plan_.short_refill == refill::continuous) plan_.burst = bursts[pick(0, 5)];
  }

  void move_clock() {
    switch (pick(0, 19)) {
      case 0: clock_.pass(std::chrono::nanoseconds{pick(1, 1'000'000'000)}); break;
      case 1: clock_.pass(std::chrono::milliseconds{pick(1, 2'000)}); break;
      case 2: clock_.pass(std::chrono::seconds{pick(1, 90)}); break;
      case 3:
        if (pick(0, 9) == 0) clock_.pass(std::chrono::hours{pick(1, 30)});
        break;
      case 4:  // the wall clock is set
        if (pick(0, 9) == 0) clock_.now.wall += std::chrono::seconds{pick(-200'000, 100'000)};
        break;
      case 5:  // a thread that read its clock earlier than another
        if (pick(0, 3) == 0) clock_.now.boot -= std::chrono::nanoseconds{pick(1, 5'000'000)};
        break;
      case 6:
        if (last_.refused() && last_.retry_after_s < 100'000 && last_.retry_after_s > 0)
          clock_.pass(std::chrono::seconds{last_.retry_after_s});
        break;
      default: break;
    }
  }

  std::uint32_t pick_cost() {
    static constexpr std::uint32_t heavy[] = {1, 1, 2, 3, 7, 20, 60, 61, 400};
    return costs_ == costs::single ? 1 : heavy[pick(0, 8)];
  }

  void charge() {
    std::uint32_t const tokens = pick_cost();
    notice const told = tell(real_.observe(plan_, now()));
    verdict const foreseen = real_.peek(plan_, *cost::of(tokens), now());
    check("peek", tell(foreseen), plain_.peek(plan_, now(), tokens));
    verdict const charged = costs_ == costs::single ? real_.charge(plan_, policy_, now())
                                                    : real_.charge(plan_, policy_, *cost::of(tokens), now());
    notice const v = tell(charged);
    check("charge", v, plain_.charge(plan_, policy_, now(), tokens));
    // The header triple says what the next decision will be.
    BOOST_TEST_REQUIRE(v.admitted() == (told.decision == decision::observed && told.remaining >= tokens));
    BOOST_TEST_REQUIRE(v.admitted() == foreseen.admitted());
    if (v.admitted()) {
      BOOST_TEST_REQUIRE(v.remaining == told.remaining - tokens);
      tokens_.push_back({charged, plain_.last_token(plan_, tokens)});
      if (tokens_.size() > 20) tokens_.pop_front();
    } else {
      BOOST_TEST_REQUIRE(v.short_window.remaining == told.short_window.remaining);
      BOOST_TEST_REQUIRE(v.long_window.remaining == told.long_window.remaining);
      if (charged.can_ever_pass()) retry_is_admitted(v, tokens);
      BOOST_TEST_REQUIRE(charged.can_ever_pass() == (v.retry_after_s > 0));
    }
    last_ = v;
    full_when_announced(v);
  }

  /// A retry at the told second passes, and none a second earlier would have.
  void retry_is_admitted(notice const& v, std::uint32_t tokens) {
    reference_account copy = plain_;
    instant const retry = clock_.later(std::chrono::seconds{v.retry_after_s});
    BOOST_TEST_REQUIRE(copy.charge(plan_, policy_, retry, tokens).admitted());
    notice const then = tell(real_.observe(plan_, retry));
    BOOST_TEST_REQUIRE(then.decision == decision::observed);
    BOOST_TEST_REQUIRE(then.remaining >= tokens);
    if (v.retry_after_s == 1) return;
    notice const before = tell(real_.observe(plan_, clock_.later(std::chrono::seconds{v.retry_after_s - 1} - 1ns)));
    BOOST_TEST_REQUIRE((before.decision == decision::banned || before.remaining < tokens));
  }

  void full_when_announced(notice const& v) {
    auto const wait = wall_time{std::chrono::seconds{v.reset_unix_s}} - now().wall;
    notice const then = tell(real_.observe(plan_, clock_.later(std::max(wait, 0ns))));
    quota_state const& shown = v.shown == resource::short_window ? then.short_window : then.long_window;
    BOOST_TEST_REQUIRE(then.decision == decision::observed);
    BOOST_TEST_REQUIRE(shown.remaining == shown.quota);
  }

  void refund() {
    if (tokens_.empty()) return;
    auto const& [charged, token] = tokens_[static_cast<std::size_t>(pick(0, static_cast<int>(tokens_.size()) - 1))];
    // The same token may come back twice here, and the kind of refill changes in between.
    auto const back = real_.refund(charged, plan_, now(), charged_account::likely);
    check("refund", tell(back), plain_.refund(token, plan_, now()));
  }

  void ban_or_pardon() {
    if (pick(0, 3) == 0) {
      auto const until = now().wall + std::chrono::milliseconds{pick(-5'000, 100'000)};
      real_.impose_ban(until, now());
      plain_.impose_ban(until, now());
    } else if (pick(0, 9) == 0) {
      real_.lift_ban();
      plain_.lift_ban();
    }
  }

  void check(char const* what, notice const& real, notice const& plain) {
    BOOST_TEST_REQUIRE(same(real, plain), what << ": " << show(real) << " is not " << show(plain));
  }

  std::mt19937 random_;
  costs const costs_;
  virtual_clock clock_;
  plan plan_{per_minute(60)};
  ban_policy policy_;
  account real_;
  reference_account plain_;
  notice last_;
  std::deque<std::pair<verdict, reference_account::token>> tokens_;
};

}  // namespace

BOOST_DATA_TEST_CASE(account_agrees_with_the_reference_and_its_own_headers, data::xrange(1u, 9u), block) {
  for (unsigned seed = block * 1'000; seed < block * 1'000 + petstore::tests::repetitions(20); ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      life l(seed);
      for (int i = 0; i < 1'000; ++i) l.step();
    }
  }
}

BOOST_DATA_TEST_CASE(so_does_one_that_is_charged_mixed_costs, data::xrange(1u, 5u), block) {
  for (unsigned seed = block * 1'000; seed < block * 1'000 + petstore::tests::repetitions(20); ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      life l(seed, costs::mixed);
      for (int i = 0; i < 1'000; ++i) l.step();
    }
  }
}

/// In every announced period, and in every day, exactly the quota passes however requests fall.
BOOST_AUTO_TEST_CASE(no_period_admits_more_than_its_quota) {
  std::mt19937 random(7);
  plan const p{per_minute(10), per_day(200)};
  ban_policy const bans{.strikes = 0};
  account a;
  virtual_clock clock;
  std::map<std::int64_t, std::uint64_t> by_minute;
  std::map<std::int64_t, std::uint64_t> by_day;
  for (int i = 0; i < 100'000; ++i) {
    clock.pass(std::chrono::milliseconds{std::uniform_int_distribution(0, 5'000)(random)});
    notice const v = tell(a.charge(p, bans, clock.now));
    if (!v.admitted()) continue;
    ++by_minute[v.short_window.reset_unix_s];
    ++by_day[clock.now.wall.time_since_epoch() / 24h];
  }
  BOOST_TEST(by_day.size() > 2u);
  for (auto const& [reset, count] : by_minute) BOOST_TEST_REQUIRE(count <= p.short_window.tokens());
  for (auto const& [day, count] : by_day) BOOST_TEST_REQUIRE(count <= p.long_window.tokens());
}

/// Continuous: in no stretch of time does more pass than the burst and what drained meanwhile.
BOOST_AUTO_TEST_CASE(continuous_refill_admits_burst_plus_rate_in_any_stretch) {
  std::mt19937 random(11);
  plan const p{.short_window = per_minute(7), .short_refill = refill::continuous};
  ban_policy const bans{.strikes = 0};
  account a;
  virtual_clock clock;
  std::vector<boot_time> admitted;
  for (int i = 0; i < 5'000; ++i) {
    clock.pass(std::chrono::milliseconds{std::uniform_int_distribution(0, 12'000)(random)});
    if (a.charge(p, bans, clock.now).admitted()) admitted.push_back(clock.now.boot);
  }
  for (std::size_t from = 0; from < admitted.size(); ++from)
    for (std::size_t to = from; to < std::min(admitted.size(), from + 50); ++to)
      BOOST_TEST_REQUIRE(static_cast<std::int64_t>(to - from + 1) <=
                         static_cast<std::int64_t>(p.short_window.tokens()) +
                             (admitted[to] - admitted[from]) * 7 / 60s);
}

BOOST_AUTO_TEST_SUITE_END()
