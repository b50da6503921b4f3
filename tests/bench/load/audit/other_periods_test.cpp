// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Services that announce X-RateLimit-Limit, -Remaining and -Reset alone, with periods of any length: how long they are,
// only the announced ends show.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "audit/auditor.hpp"
#include "bench/load/audit/simulated_service.hpp"

BOOST_AUTO_TEST_SUITE(audit_other_periods_test)

namespace {

using namespace petstore::load;
using namespace std::chrono_literals;
using std::chrono::seconds;

/// A service in virtual time with `limit` requests in each period. Periods follow each other by the clock, or each
/// begins with the first request after the one before.
class counting_service {
 public:
  nanoseconds window = 5s;
  std::int64_t limit = 10;
  std::int64_t admits = 10;  ///< honest if it is the limit
  bool by_the_clock = true;
  bool end_moves = false;  ///< every answer announces that the quota is full a window from now
  nanoseconds latency_max = 20ms;

  audit_figures judged(std::uint64_t seed, std::size_t requests, nanoseconds from, nanoseconds to) {
    chance random(seed);
    nanoseconds const wall = 1'795'262'400s + nanoseconds(random.between(0, 4'000'000'000));
    std::vector<std::array<nanoseconds, 3>> times;  // decided, sent, received
    for (std::size_t i = 0; i < requests; ++i) {
      auto const sent = from + (to - from) * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(requests);
      auto const decided = sent + nanoseconds(random.between(0, latency_max.count()));
      times.push_back({decided, sent, decided + nanoseconds(random.between(1, latency_max.count()))});
    }
    std::ranges::sort(times);
    auditor by(1);
    for (auto const& [decided, sent, received] : times) observe(by, wall + decided, sent, received);
    std::array<auditor const*, 1> const all{&by};
    return judge(all, {}, {true, false, true}, run_begin());
  }

 private:
  void observe(auditor& by, nanoseconds wall, nanoseconds sent, nanoseconds received) {
    if (wall >= end_) {
      end_ = by_the_clock ? wall - wall % window + window : wall + window;
      used_ = 0;
    }
    bool const is_admitted = used_ < admits;
    used_ += is_admitted;
    auto const end = std::chrono::ceil<seconds>(end_moves ? wall + window : end_);
    auto const date = http_date(wall);
    auto const limit_text = std::to_string(limit), remaining = std::to_string(std::max<std::int64_t>(0, limit - used_)),
               reset = std::to_string(end.count()),
               wait = std::to_string((end - std::chrono::floor<seconds>(wall)).count());
    answer_view a;
    a.status = is_admitted ? 200 : 429;
    a.noted.limit = limit_text;
    a.noted.remaining = remaining;
    a.noted.reset = reset;
    a.noted.date = date;
    if (!is_admitted) a.noted.retry_after = wait;
    by.observe({no_key, 0, run_begin() + sent, run_begin() + received, &a});
  }

  nanoseconds end_{};
  std::int64_t used_ = 0;
};

bool says_not_checked(audit_figures const& figures, std::string_view why) {
  return std::ranges::any_of(figures.unchecked, [&](std::string const& text) { return text.find(why) != text.npos; });
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_whatever_its_period) {
  for (auto const window : {4s, 5s, 7s, 10s, 15s, 60s, 90s, 900s})
    for (bool const by_the_clock : {true, false})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        counting_service s;
        s.window = window;
        s.by_the_clock = by_the_clock;
        auto const figures = s.judged(seed, 1'200, 0s, 6 * window);
        BOOST_TEST_CONTEXT(window.count() << " s, seed " << seed) {
          for (auto const& f : figures.findings) BOOST_ERROR(f.rule << ": " << f.text);
          BOOST_TEST(!figures.checked.empty());
        }
      }
}

BOOST_AUTO_TEST_CASE(honest_service_is_not_accused_of_a_run_that_is_shorter_than_its_period) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    counting_service s;
    s.window = 3'600s;
    s.limit = s.admits = 50;
    for (auto const& f : s.judged(seed, 200, 0s, 20s).findings) BOOST_ERROR(f.rule << ": " << f.text);
  }
}

BOOST_AUTO_TEST_CASE(one_admission_too_many_is_found_whatever_the_period) {
  for (auto const window : {5s, 15s, 900s})
    for (bool const by_the_clock : {true, false}) {
      counting_service s;
      s.window = window;
      s.by_the_clock = by_the_clock;
      s.admits = 11;
      BOOST_TEST(rules_of(s.judged(1, 600, 0s, 3 * window)).starts_with("over-admission"), window.count());
    }
}

BOOST_AUTO_TEST_CASE(refusals_while_tokens_are_left_are_found_in_short_periods) {
  counting_service s;
  s.admits = 9;
  BOOST_TEST(rules_of(s.judged(1, 1'200, 0s, 30s)).find("refused") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(end_that_moves_with_each_answer_shows_no_period_and_is_not_checked) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    counting_service s;
    s.window = 60s;
    s.end_moves = true;
    auto const figures = s.judged(seed, 300, 0s, 30s);
    BOOST_TEST(rules_of(figures) == "");
    BOOST_TEST(says_not_checked(figures, "the announced ends do not show it"));
  }
}

BOOST_AUTO_TEST_CASE(periods_of_a_second_or_two_are_not_checked) {
  for (auto const window : {1s, 2s, 3s}) {
    counting_service s;
    s.window = window;
    auto const figures = s.judged(1, 1'200, 0s, 30s);
    BOOST_TEST(rules_of(figures) == "", window.count());
    BOOST_TEST(!figures.unchecked.empty(), window.count());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
