// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "schedule/schedule.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_schedule)

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

std::vector<nanoseconds> all_of(schedule s) {
  std::vector<nanoseconds> dues;
  while (auto const due = s.next()) dues.push_back(*due);
  return dues;
}

load_shape shape_of(std::string_view rate) {
  return parse_rate(rate).value.value();
}

load_shape stages_of(std::string_view text) {
  load_shape shape;
  shape.stages = parse_stages(text).value.value();
  return shape;
}

std::size_t between(std::vector<nanoseconds> const& dues, nanoseconds from, nanoseconds to) {
  return static_cast<std::size_t>(std::count_if(dues.begin(), dues.end(), [&](auto d) { return d >= from && d < to; }));
}

/// Of all workers, merged.
std::vector<nanoseconds> of_workers(load_shape const& shape, schedule::limits limits, unsigned count) {
  std::vector<nanoseconds> merged;
  for (unsigned i = 0; i < count; ++i) {
    auto const own = all_of({shape, limits, {i, count}, 7});
    merged.insert(merged.end(), own.begin(), own.end());
  }
  std::sort(merged.begin(), merged.end());
  return merged;
}

BOOST_AUTO_TEST_CASE(a_constant_rate_is_due_from_the_beginning_at_equal_distances) {
  auto const dues = all_of({shape_of("4"), {.duration = 1s}, {}, 1});
  BOOST_TEST((dues == std::vector<nanoseconds>{0ms, 250ms, 500ms, 750ms}));
}

BOOST_AUTO_TEST_CASE(equal_distances_do_not_drift_in_a_day_of_many) {
  schedule s(shape_of("333.3"), {.duration = 24h}, {}, 1);
  std::uint64_t count = 0;
  nanoseconds last{};
  while (auto const due = s.next()) {
    ++count;
    last = *due;
  }
  BOOST_TEST(count == 28'797'120u);
  BOOST_TEST(std::abs(static_cast<double>(last.count()) - 28'797'119 / 333.3 * 1e9) < 2);
}

BOOST_AUTO_TEST_CASE(a_ramp_makes_as_many_requests_as_its_mean_rate) {
  auto const dues = all_of({stages_of("0..100 10s"), {}, {}, 1});
  BOOST_TEST(dues.size() == 500u);
  BOOST_TEST(std::is_sorted(dues.begin(), dues.end()));
  // Half of the time makes a quarter of the area.
  BOOST_TEST(between(dues, 0s, 5s) == 125u);
}

BOOST_AUTO_TEST_CASE(a_ramp_may_fall) {
  auto const dues = all_of({stages_of("100..1 10s"), {}, {}, 1});
  BOOST_TEST(dues.size() == 505u);
  BOOST_TEST(between(dues, 0s, 1s) > 90u);
  BOOST_TEST(between(dues, 9s, 10s) < 10u);
}

BOOST_AUTO_TEST_CASE(stages_follow_each_other) {
  auto const dues = all_of({stages_of("0..100 10s, 100 5s, 500 1s, 100..0 2s"), {}, {}, 1});
  BOOST_TEST(between(dues, 0s, 10s) == 500u);
  BOOST_TEST(between(dues, 10s, 15s) == 500u);
  BOOST_TEST(between(dues, 15s, 16s) == 500u);
  BOOST_TEST(between(dues, 16s, 18s) == 100u);
  BOOST_TEST(dues.size() == 1'600u);
}

BOOST_AUTO_TEST_CASE(in_a_stage_without_a_rate_nothing_is_due) {
  auto const dues = all_of({stages_of("0 3s, 10 1s, 0 5s, 10 1s, 0 1s"), {}, {}, 1});
  BOOST_TEST(dues.size() == 20u);
  BOOST_TEST(between(dues, 3s, 4s) == 10u);
  BOOST_TEST(between(dues, 9s, 10s) == 10u);
}

BOOST_AUTO_TEST_CASE(requests_end_a_schedule_before_its_time) {
  BOOST_TEST(all_of({shape_of("1000"), {.duration = 1h, .requests = 7}, {}, 1}).size() == 7u);
  BOOST_TEST(all_of({shape_of("1000"), {.duration = 1h, .requests = 0}, {}, 1}).empty());
}

BOOST_AUTO_TEST_CASE(a_warm_up_has_the_first_rate_and_is_not_counted_among_requests) {
  auto const dues = all_of({stages_of("10..90 10s"), {.warm_up = 3s}, {}, 1});
  BOOST_TEST(between(dues, 0s, 3s) == 30u);
  BOOST_TEST(between(dues, 3s, 13s) == 500u);
  auto const of_three = of_workers(shape_of("10"), {.duration = 1h, .warm_up = 2s, .requests = 5}, 3);
  BOOST_TEST(between(of_three, 0s, 2s) == 20u);
  BOOST_TEST(of_three.size() == 25u);
}

BOOST_AUTO_TEST_CASE(workers_together_make_the_schedule_of_one) {
  for (auto const& shape : {shape_of("900"), stages_of("100..900 3s"), stages_of("0..900 1s, 300 1s, 900..0 1s")}) {
    BOOST_TEST((of_workers(shape, {.duration = 3s}, 3) == all_of({shape, {.duration = 3s}, {}, 7})));
    BOOST_TEST(of_workers(shape, {.duration = 3s, .requests = 100}, 3).size() == 100u);
  }
}

BOOST_AUTO_TEST_CASE(poisson_arrivals_have_the_rate_and_gaps_as_uneven_as_their_mean) {
  auto shape = shape_of("1000");
  shape.arrivals = arrival_kind::poisson;
  for (unsigned const workers : {1u, 4u}) {
    auto const dues = of_workers(shape, {.duration = 100s}, workers);
    // 100,000 expected with a standard deviation of 316; the seed is fixed.
    BOOST_TEST(std::abs(static_cast<double>(dues.size()) - 100'000) < 1'500);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < dues.size(); ++i) {
      auto const gap = static_cast<double>((dues[i] - dues[i - 1]).count());
      sum += gap;
      squares += gap * gap;
    }
    auto const n = static_cast<double>(dues.size() - 1);
    auto const mean = sum / n;
    auto const deviation = std::sqrt(squares / n - mean * mean);
    // Of an exponential distribution both are the same; of even arrivals the second is 0.
    BOOST_TEST(std::abs(deviation / mean - 1) < 0.05);
  }
}

BOOST_AUTO_TEST_CASE(poisson_arrivals_follow_the_shape) {
  auto shape = stages_of("0..1000 100s");
  shape.arrivals = arrival_kind::poisson;
  auto const dues = all_of({shape, {}, {}, 3});
  BOOST_TEST(std::abs(static_cast<double>(between(dues, 0s, 50s)) - 12'500) < 600);
  BOOST_TEST(std::abs(static_cast<double>(between(dues, 50s, 100s)) - 37'500) < 1'000);
}

BOOST_AUTO_TEST_CASE(the_seed_decides_poisson_arrivals) {
  auto shape = shape_of("1000");
  shape.arrivals = arrival_kind::poisson;
  auto const with_seed = [&](std::uint64_t seed) { return all_of({shape, {.duration = 1s}, {}, seed}); };
  BOOST_TEST((with_seed(1) == with_seed(1)));
  BOOST_TEST((with_seed(1) != with_seed(2)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
