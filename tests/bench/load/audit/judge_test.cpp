// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "audit/auditor.hpp"
#include "bench/load/audit/simulated_service.hpp"

BOOST_AUTO_TEST_SUITE(audit_judge_test)

namespace {

using namespace petstore::load;
using namespace petstore::load;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

void must_be_clean(audit_figures const& figures) {
  for (auto const& f : figures.findings) BOOST_ERROR(f.rule << ": " << f.text);
}

std::vector<promised_quota> free_plan(bool continuous = false) {
  return {{"minute", 60, 60s, continuous}, {"day", 1'000, 86'400s, false}};
}

// No false alarms.

BOOST_AUTO_TEST_CASE(honest_service_is_never_accused) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    s.bans.strikes = 0;
    s.send_evenly(700, 0s, 300s);  // 140 a minute of 60
    must_be_clean(s.judged({true, false, true}, free_plan()));
    BOOST_TEST(s.admitted >= 300U);
    BOOST_TEST(s.refused > 300U);
  }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_with_hundreds_in_flight) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    s.plan = {limits::per_minute(300), limits::per_day(700)};
    s.bans.strikes = 0;
    s.latency_max = 2s;
    s.send_evenly(20'000, 0s, 180s);  // 100 a second, each up to 4 s under way
    must_be_clean(s.judged({true, false, true}, {{"minute", 300, 60s, false}, {"day", 700, 86'400s, false}}));
    BOOST_TEST(s.admitted == 700U);  // the day ends it
  }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_of_its_bans) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    simulated_service s(seed);
    s.bans = {.strikes = 20, .grace = 250ms, .base = 90s, .max = 1h};
    s.send_evenly(6'000, 0s, 300s);
    must_be_clean(s.judged({true, false, true}, free_plan()));
    BOOST_TEST(s.admitted < 300U);
  }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_of_what_it_gives_back_or_what_is_lost) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    s.failing = 0.1;
    s.unanswered = 0.05;
    s.send_evenly(700, 0s, 300s);
    must_be_clean(s.judged({true, false, true}, free_plan()));
  }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_where_only_three_fields_are_told) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    s.has_draft = false;
    s.send_evenly(700, 0s, 300s);
    must_be_clean(s.judged({true, false, true}, free_plan()));
  }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_when_the_key_was_used_before_the_run) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    for (int i = 0; i < 37; ++i) (void)s.account().charge(s.plan, s.bans, s.at(-13s));
    s.send_evenly(700, 0s, 300s);
    must_be_clean(s.judged({true, false, true}, free_plan()));
  }
}

BOOST_AUTO_TEST_CASE(honest_refill_is_never_accused) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    simulated_service s(seed);
    s.plan.short_refill = limits::refill::continuous;
    s.bans.strikes = 0;
    s.latency_max = seed % 2 == 0 ? 20ms : 1s;
    for (int i = 0; i < 20; ++i) (void)s.account().charge(s.plan, s.bans, s.at(-1s));
    s.send_evenly(900, 0s, 200s);
    s.send_evenly(10, 250s, 300s);
    s.send_evenly(90, 300s, 301s);
    must_be_clean(s.judged({true, false, true}, free_plan(true)));
    BOOST_TEST(s.refused > 500U);
  }
}

BOOST_AUTO_TEST_CASE(midnight_is_the_end_of_a_day_and_no_mistake) {
  simulated_service s;
  s.plan = {limits::per_minute(60), limits::per_day(100)};
  s.bans.strikes = 0;
  s.send_evenly(200, 12h - 200s, 12h + 200s);  // runs begin at noon
  must_be_clean(s.judged({true, false, true}, {{"minute", 60, 60s, false}, {"day", 100, 86'400s, false}}));
}

BOOST_AUTO_TEST_CASE(other_users_of_the_key_are_no_mistake_when_they_were_announced) {
  auto const run = [](bool exclusive) {
    simulated_service s;
    s.spoil = [taken = 0, &s](told_answer&, nanoseconds since) mutable {
      if (++taken % 3 == 0) (void)s.account().charge(s.plan, s.bans, s.at(since));
    };
    s.send_evenly(700, 0s, 300s);
    return s.judged({true, false, exclusive}, free_plan());
  };
  must_be_clean(run(false));
  BOOST_TEST(!run(true).findings.empty());
  BOOST_TEST(!run(false).unchecked.empty());
}

// Each mistake of a service is found, and called by its name.

/// A run at 2 requests a second over four minutes, whose answers are spoilt.
std::string rules_when(std::function<void(told_answer&, nanoseconds)> spoil, nanoseconds latency = 5ms,
                       bool has_draft = true) {
  simulated_service s;
  s.bans.strikes = 0;
  s.latency_max = latency;
  s.has_draft = has_draft;
  s.spoil = std::move(spoil);
  s.send_evenly(480, 0s, 240s);
  auto const figures = s.judged({true, false, true}, free_plan());
  for (auto const& f : figures.findings) BOOST_TEST_MESSAGE(f.rule << ": " << f.text);
  return rules_of(figures);
}

/// The first refusal of each minute is an admission.
auto one_too_many() {
  return [last = nanoseconds(-1h)](told_answer& a, nanoseconds since) mutable {
    if (a.status != 429 || since - last < 40s) return;
    last = since;
    a.status = 200;
    a.of.decision = limits::decision::admitted;
    a.of.short_exhausted = false;
  };
}

BOOST_AUTO_TEST_CASE(one_admission_too_many_is_found) {
  BOOST_TEST(rules_when(one_too_many()) == "over-admission remaining");  // the day counted one less, too
  BOOST_TEST(rules_when(one_too_many(), 2s).starts_with("over-admission"));
  BOOST_TEST(rules_when(one_too_many(), 5ms, false).starts_with("over-admission"));
}

BOOST_AUTO_TEST_CASE(one_refusal_too_early_is_found) {
  auto const one_too_few = [](bool has_draft) {
    simulated_service s;
    s.plan.short_window = limits::per_minute(59);  // and it says 60
    s.bans.strikes = 0;
    s.has_draft = has_draft;
    s.spoil = [](told_answer& a, nanoseconds) {
      a.of.short_window.quota = 60;
      if (a.status == 429) return;
      ++a.of.short_window.remaining;
      if (a.of.shown == limits::resource::short_window) ++a.of.remaining;
    };
    s.send_evenly(480, 0s, 240s);
    return rules_of(s.judged({true, false, true}, free_plan()));
  };
  BOOST_TEST(one_too_few(true) == "refused-early");
  BOOST_TEST(one_too_few(false) == "refused-early");
}

/// Spoils the one answer that comes about `when`.
auto once(nanoseconds when, std::function<void(told_answer&)> spoil) {
  return [when, spoil = std::move(spoil), done = false](told_answer& a, nanoseconds since) mutable {
    if (done || since < when) return;
    done = true;
    spoil(a);
  };
}

BOOST_AUTO_TEST_CASE(one_lie_in_one_field_is_found) {
  auto const rules = [](std::function<void(told_answer&)> spoil) { return rules_when(once(70s, std::move(spoil))); };
  BOOST_TEST(rules([](told_answer& a) { a.of.remaining -= 1; }) == "headers-disagree");
  BOOST_TEST(rules([](told_answer& a) { a.of.reset_unix_s += 5; }) == "headers-disagree");
  BOOST_TEST(rules([](told_answer& a) { a.of.short_window.remaining += 1; }) == "headers-disagree remaining");
  BOOST_TEST(rules([](told_answer& a) { a.of.short_window.quota = 61; }).starts_with("headers-disagree limit") ==
             false);
  BOOST_TEST(rules([](told_answer& a) { a.of.short_window.quota = 61; }).find("limit") != std::string::npos);
  BOOST_TEST(rules([](told_answer& a) { a.of.long_window.remaining -= 1; }) == "remaining");
  BOOST_TEST(rules([](told_answer& a) { a.of.long_window.remaining += 1; }) == "remaining");
  BOOST_TEST(rules([](told_answer& a) { a.of.long_window.more_in_s += 5; }) == "reset-moved");
  BOOST_TEST(rules([](told_answer& a) { a.of.long_window.more_in_s += 90'000; }).find("reset") != std::string::npos);
  // both ways of telling it lie together
  BOOST_TEST(rules([](told_answer& a) { a.of.short_window.remaining = a.of.remaining += 1; }) == "remaining");
  BOOST_TEST(rules([](told_answer& a) { a.of.short_window.remaining = a.of.remaining -= 1; }) == "remaining");
  BOOST_TEST(rules([](told_answer& a) {
               a.of.short_window.more_in_s += 5;
               a.of.reset_unix_s += 5;
             }) == "reset-moved");
}

BOOST_AUTO_TEST_CASE(one_lie_of_a_refusal_is_found) {
  auto const rules = [](std::function<void(told_answer&)> spoil) {
    return rules_when([spoil](told_answer& a, nanoseconds since) {
      if (a.status == 429 && since > 100s) spoil(a);
    });
  };
  BOOST_TEST(rules([](told_answer& a) {
               a.of.retry_after_s = std::max<std::int64_t>(1, a.of.retry_after_s - 3);
             }).starts_with("retry-after"));
  BOOST_TEST(rules([](told_answer& a) {
               a.of.remaining = 3;
               a.of.short_window.remaining = 3;
             }).find("refused-with-tokens") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(period_that_ends_early_is_found) {
  // Every 60 s after 20 s the service forgets the open period.
  simulated_service s;
  s.plan.long_window = {};
  s.bans.strikes = 0;
  auto early = std::make_unique<limits::account>();
  s.spoil = [&, is_early = false](told_answer& a, nanoseconds since) mutable {
    if (since > 80s) is_early = true;
    if (!is_early) return;
    a.of = limits::tell(early->charge(s.plan, s.bans, s.at(since)));
    a.status = a.of.refused() ? 429 : 200;
  };
  s.send_evenly(480, 0s, 240s);
  BOOST_TEST(rules_of(s.judged({true, false, true}, {{"minute", 60, 60s, false}})).find("reset-early") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(period_that_ends_early_and_says_nothing_of_it_is_found) {
  simulated_service s;
  s.plan.long_window = {};
  s.bans.strikes = 0;
  auto early = std::make_unique<limits::account>();
  s.spoil = [&](told_answer& a, nanoseconds since) {
    if (since < 80s || since > 118s) return;
    auto const shown = a.of;
    a.of = limits::tell(early->charge(s.plan, s.bans, s.at(since)));
    a.status = a.of.refused() ? 429 : 200;
    a.of.reset_unix_s = shown.reset_unix_s;
    a.of.short_window.more_in_s = shown.short_window.more_in_s;
  };
  s.send_evenly(480, 0s, 240s);
  auto const rules = rules_of(s.judged({true, false, true}, {{"minute", 60, 60s, false}}));
  BOOST_TEST((rules.find("over-admission") != std::string::npos || rules.find("remaining") != std::string::npos),
             rules);
}

BOOST_AUTO_TEST_CASE(refusal_in_spite_of_an_obeyed_wait_is_found) {
  // A service that names no quota at all: 429 with Retry-After, and again 429 when the client comes back.
  auditor by(1);
  auto const refuse = [&](nanoseconds sent, char const* retry_after) {
    answer_view a;
    a.status = 429;
    a.noted.retry_after = retry_after;
    by.observe({0, 0, run_begin() + sent, run_begin() + sent + 5ms, &a});
  };
  auto const findings = [&] {
    std::array<auditor const*, 1> const one{&by};
    std::vector<api_key> const keys{{"k", "s", {}}};
    return rules_of(judge(one, keys, {true, false, true}, run_begin()));
  };
  refuse(1s, "7");
  refuse(2s, "6");  // too early: this is what it deserves
  BOOST_TEST(findings() == "");
  refuse(8s + 200ms, "7");
  BOOST_TEST(findings() == "retry-after");
}

BOOST_AUTO_TEST_CASE(refusal_without_a_wait_is_found) {
  auditor by(1);
  answer_view a;
  a.status = 429;
  by.observe({0, 0, run_begin(), run_begin() + 1ms, &a});
  std::array<auditor const*, 1> const one{&by};
  std::vector<api_key> const keys{{"k", "s", {}}};
  BOOST_TEST(rules_of(judge(one, keys, {}, run_begin())) == "retry-after");
}

BOOST_AUTO_TEST_CASE(refusal_that_keeps_clients_away_for_longer_than_the_quota_needs_is_found) {
  auto const rules = [](std::int64_t longer_s) {
    return rules_when([=](told_answer& a, nanoseconds) {
      if (a.status == 429) a.of.retry_after_s += longer_s;
    });
  };
  BOOST_TEST(rules(0) == "");
  BOOST_TEST(rules(1) == "");
  BOOST_TEST(rules(30) == "retry-after-too-long");
}

BOOST_AUTO_TEST_CASE(refill_that_admits_or_refuses_one_too_many_is_found) {
  auto const rules = [](std::uint32_t really) {
    simulated_service s;
    s.plan = limits::plan::of(limits::per_minute(really), {}, limits::refill::continuous).value();
    s.bans.strikes = 0;
    s.latency_max = 1ms;
    s.spoil = [](told_answer& a, nanoseconds) { a.of.short_window.quota = 60; };
    s.send_evenly(200, 0s, 1s);
    s.send_evenly(400, 2s, 100s);
    auto const figures = s.judged({true, false, true}, {{"minute", 60, 60s, true}});
    for (auto const& f : figures.findings) BOOST_TEST_MESSAGE(f.rule << ": " << f.text);
    return rules_of(figures);
  };
  BOOST_TEST(rules(60) == "");
  BOOST_TEST(rules(62).find("over-admission") != std::string::npos);
  BOOST_TEST(rules(58).find("refused-early") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(whatever_a_service_says_is_judged) {
  chance random(1);
  auto const number = [&] {
    constexpr std::array<char const*, 9> odd{"0", "1", "60", "61", "9223372036854775807", "1000000000", "", "-1", "x"};
    return std::string(odd[random.below(odd.size())]);
  };
  for (int run = 0; run < 300; ++run) {
    auditor by(1);
    nanoseconds when{};
    for (int i = 0; i < 30; ++i) {
      answer_view a;
      constexpr std::array<unsigned, 6> statuses{200, 404, 429, 429, 503, 401};
      a.status = statuses[random.below(statuses.size())];
      auto const limit = number(), remaining = number(), reset = number(), retry_after = number();
      auto const state = "\"minute\";r=" + number() + ";t=" + number() + ", \"day\";r=" + number() + ";t=" + number();
      auto const policy = "\"minute\";q=" + number() + ";w=" + number();
      a.noted = {limit, remaining, reset,       random.below(2) == 0 ? "minute" : "",
                 state, policy,    retry_after, "Sun, 22 Nov 2026 12:00:12 GMT"};
      auto const sent = when + nanoseconds(random.between(0, 1'000'000'000));
      when += nanoseconds(random.between(0, 10'000'000'000));
      by.observe({0, 0, run_begin() + sent, run_begin() + when + 1s, random.below(10) == 0 ? nullptr : &a});
    }
    std::array<auditor const*, 1> const one{&by};
    bool const continuous = run % 2 == 0;
    std::vector<api_key> const keys{{"k", "s", {{"minute", run % 3 == 0 ? 1'000'000'000'000 : 60, 60s, continuous}}}};
    auto const figures = judge(one, keys, {true, run % 5 == 0, run % 7 != 0}, run_begin());
    BOOST_TEST(figures.keys == 1U);
  }
}

BOOST_AUTO_TEST_CASE(limit_that_is_not_the_plans_is_found) {
  simulated_service s;
  s.plan.short_window = limits::per_minute(61);
  s.send_evenly(100, 0s, 50s);
  auto const figures = s.judged({true, false, true}, free_plan());
  BOOST_TEST(rules_of(figures) == "limit");
  BOOST_REQUIRE(figures.findings.size() == 1U);  // told once, with how often
  BOOST_TEST(figures.findings[0].text.find("99 more such answers") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(answers_without_limits_among_those_with_some_are_found) {
  auditor by(1);
  simulated_service s;
  told_answer told;
  told.of = limits::tell(s.account().charge(s.plan, s.bans, s.at(0s)));
  observe(by, told, 0s, 1ms);
  answer_view silent;
  silent.status = 404;
  by.observe({0, 0, run_begin() + 2ms, run_begin() + 3ms, &silent});
  std::array<auditor const*, 1> const one{&by};
  std::vector<api_key> const keys{{"k", "s", {}}};
  BOOST_TEST(rules_of(judge(one, keys, {true, false, true}, run_begin())) == "no-limits");
}

BOOST_AUTO_TEST_CASE(what_could_not_be_judged_is_told) {
  auditor by(1);
  answer_view silent;
  silent.status = 200;
  by.observe({0, 0, run_begin(), run_begin() + 1ms, &silent});
  std::array<auditor const*, 1> const one{&by};
  std::vector<api_key> const keys{{"k", "s", {}}};
  auto const figures = judge(one, keys, {true, false, true}, run_begin());
  BOOST_TEST(figures.findings.empty());
  BOOST_TEST(figures.checked.empty());
  BOOST_REQUIRE(figures.unchecked.size() == 1U);
  BOOST_TEST(figures.unchecked[0] == "k: no answer said anything of quotas");
}

BOOST_AUTO_TEST_CASE(answers_beyond_the_limit_are_counted_and_told) {
  auditor by(audited_answers_max / 10);  // room for ten in each of so many workers
  answer_view a;
  a.status = 200;
  for (int i = 0; i < 15; ++i) by.observe({0, 0, run_begin() + i * 10ms, run_begin() + i * 10ms + 1ms, &a});
  BOOST_TEST(by.left_out() == 5U);
  std::array<auditor const*, 1> const one{&by};
  std::vector<api_key> const keys{{"k", "s", {}}};
  auto const figures = judge(one, keys, {}, run_begin());
  BOOST_TEST(figures.admissions == 10U);
  BOOST_TEST(figures.unchecked.back().starts_with("5 answers after the first"));
}

BOOST_AUTO_TEST_CASE(findings_have_a_limit) {
  auditor by(1);
  answer_view a;
  a.status = 429;
  std::vector<api_key> keys;
  for (std::uint16_t i = 0; i < 250; ++i) {
    keys.push_back({"k" + std::to_string(i), "s", {}});
    by.observe({i, 0, run_begin(), run_begin() + 1ms, &a});
  }
  std::array<auditor const*, 1> const one{&by};
  auto const figures = judge(one, keys, {}, run_begin());
  BOOST_TEST(figures.findings.size() == 201U);
  BOOST_TEST(figures.findings.back().text == "50 more findings are not listed");
}

/// Of a quota "minute" with one payer.
void hear(auditor& to, std::string const& rate_limit, std::string const& policy, nanoseconds sent,
          unsigned status = 200) {
  answer_view a;
  a.status = status;
  a.noted.rate_limit = rate_limit;
  a.noted.rate_limit_policy = policy;
  if (status == 429) a.noted.retry_after = "1";
  to.observe({0, 0, run_begin() + sent, run_begin() + sent + 1ms, &a, {}});
}

audit_figures judged_of_one_key(std::vector<auditor const*> const& all, promised_quota const& promise) {
  return judge(all, {{"k", "s", {promise}}}, {true, false, true}, run_begin());
}

BOOST_AUTO_TEST_CASE(answers_that_one_worker_left_out_accuse_nobody_by_those_of_another) {
  auditor first(audited_answers_max / 2);
  auditor second(audited_answers_max / 2);
  auto const policy = "\"minute\";q=10;w=60";
  hear(first, "\"minute\";r=9;t=60", policy, 0s);
  hear(first, "\"minute\";r=8;t=60", policy, 10ms);
  hear(second, "\"minute\";r=7;t=60", policy, 500ms);
  hear(first, "\"minute\";r=6;t=59", policy, 1'010ms);  // left out
  hear(second, "\"minute\";r=5;t=58", policy, 2'010ms);
  BOOST_TEST(first.left_out() == 1U);
  auto const found = judged_of_one_key({&first, &second}, {"minute", 10, 60s, false});
  must_be_clean(found);
  BOOST_TEST(found.admissions == 3U);
  BOOST_TEST(std::ranges::count_if(found.unchecked, [](auto const& u) { return u.starts_with("2 answers"); }) == 1);
}

BOOST_AUTO_TEST_CASE(honest_refill_that_stood_still_is_not_accused_of_what_it_decided_late) {
  auditor a(1);
  auto const policy = "\"minute\";q=60;w=60";
  hear(a, "\"minute\";r=59;t=1", policy, 0s);
  // Given up after 30 s, and decided when the service goes on at 32 s.
  for (int i = 0; i < 60; ++i) a.observe({0, 0, run_begin() + 1s, run_begin() + 31s, nullptr, {}});
  hear(a, "\"minute\";r=0;t=1", policy, 33s, 429);
  must_be_clean(judged_of_one_key({&a}, {"minute", 60, 60s, true}));
}

BOOST_AUTO_TEST_CASE(quota_of_the_plan_that_no_answer_names_is_checked_and_told) {
  for (bool const continuous : {false, true}) {
    auditor a(1);
    for (int i = 0; i < 60; ++i) hear(a, "", "", i * 10ms);
    promised_quota const promise{"minute", 60, 60s, continuous};
    auto const within = judged_of_one_key({&a}, promise);
    must_be_clean(within);
    auto const is_told = [](auto const& u) { return u.find("the minute, which no answer names") != u.npos; };
    BOOST_TEST(std::ranges::any_of(within.unchecked, is_told));
    for (int i = 60; i < 200; ++i) hear(a, "", "", i * 10ms);
    BOOST_TEST(rules_of(judged_of_one_key({&a}, promise)) == "over-admission");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
