// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/histogram.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_histogram)

namespace {

using std::chrono::nanoseconds;

constexpr std::array quantiles{0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0};

/// The shortest of the values that at least the share q of them does not exceed.
std::int64_t exact_quantile(std::vector<std::int64_t> const& ordered, double q) {
  auto const rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(ordered.size()) - 1e-9));
  return ordered[std::clamp<std::size_t>(rank, 1, ordered.size()) - 1];
}

template <class Histogram>
void holds_bound(std::vector<std::int64_t> values) {
  Histogram h;
  for (auto const value : values) h.record(nanoseconds(value));
  std::sort(values.begin(), values.end());
  for (double const q : quantiles) {
    auto const exact = exact_quantile(values, q);
    auto const told = h.quantile(q).count();
    BOOST_TEST_CONTEXT(q << " of " << values.size()) {
      BOOST_TEST(told >= exact);
      BOOST_TEST(static_cast<double>(told - exact) <= static_cast<double>(exact) * Histogram::error_max);
    }
  }
  BOOST_TEST(h.min().count() == values.front());
  BOOST_TEST(h.max().count() == values.back());
  BOOST_TEST(h.count() == values.size());
}

template <class Distribution>
std::vector<std::int64_t> drawn(Distribution distribution, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::clamp<std::int64_t>(std::llround(distribution(random)), 0, histogram::range.count() - 1));
  return values;
}

BOOST_AUTO_TEST_CASE(quantiles_of_random_values_are_within_a_thousandth_of_the_exact_ones) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (std::size_t const count : {1U, 2U, 3U, 10U, 1'000U, 20'000U}) {
      holds_bound<histogram>(drawn(std::uniform_real_distribution<double>(0, 2e6), count, seed));
      holds_bound<histogram>(drawn(std::exponential_distribution<double>(1e-6), count, seed));
      holds_bound<histogram>(drawn(std::lognormal_distribution<double>(13, 3), count, seed));
      holds_bound<coarse_histogram>(drawn(std::lognormal_distribution<double>(13, 3), count, seed));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_class_is_wider_than_the_bound_from_one_nanosecond_to_the_end_of_the_range) {
  static_assert(histogram::error_max < 0.001);
  for (std::int64_t n = 1; n < histogram::range.count(); n = n + n / 700 + 1) {
    histogram h;
    h.record(nanoseconds(n));
    h.record(histogram::range);  // so that the maximum does not help
    auto const told = h.quantile(0.5).count();
    BOOST_REQUIRE_GE(told, n);
    BOOST_REQUIRE_LE(static_cast<double>(told - n), static_cast<double>(n) * histogram::error_max);
  }
}

BOOST_AUTO_TEST_CASE(below_a_microsecond_every_nanosecond_is_told_apart) {
  histogram h;
  for (int n = 0; n < 1'000; ++n) h.record(nanoseconds(n));
  for (int n = 0; n < 1'000; ++n) BOOST_REQUIRE_EQUAL(h.quantile((n + 1) / 1'000.0).count(), n);
}

BOOST_AUTO_TEST_CASE(edges_of_powers_of_two_keep_their_order) {
  for (int bit = 1; bit < 40; ++bit) {
    auto const edge = std::int64_t{1} << bit;
    holds_bound<histogram>({edge - 1, edge, std::min(edge + 1, histogram::range.count() - 1)});
  }
}

BOOST_AUTO_TEST_CASE(what_is_beyond_the_range_is_counted_and_the_longest_of_it_known) {
  histogram h;
  h.record(std::chrono::milliseconds(1));
  h.record(histogram::range - nanoseconds(1));
  BOOST_TEST(h.overflow() == 0);
  h.record(histogram::range);
  h.record(nanoseconds::max());
  BOOST_TEST(h.overflow() == 2);
  BOOST_TEST(h.count() == 4);
  BOOST_TEST((h.quantile(0.25) < std::chrono::microseconds(1'001)));
  BOOST_TEST((h.quantile(1) == nanoseconds::max()));
  BOOST_TEST((h.quantile(0.75) == nanoseconds::max()));
}

BOOST_AUTO_TEST_CASE(a_share_that_is_computed_is_the_one_that_it_stands_for) {
  histogram h;
  h.record(std::chrono::milliseconds{1}, 999);
  h.record(std::chrono::seconds{3});
  BOOST_TEST((h.quantile(99.9 / 100) == h.quantile(0.999)));
  BOOST_TEST((h.quantile(0.999) < std::chrono::milliseconds{2}));
}

BOOST_AUTO_TEST_CASE(one_value_is_every_quantile_exactly) {
  histogram h;
  h.record(nanoseconds(123'456'789));
  for (double const q : quantiles) BOOST_TEST(h.quantile(q).count() == 123'456'789);
  BOOST_TEST(h.mean().count() == 123'456'789);
}

BOOST_AUTO_TEST_CASE(without_values_everything_is_zero) {
  histogram const h;
  BOOST_TEST(h.empty());
  BOOST_TEST(h.quantile(0.99).count() == 0);
  BOOST_TEST(h.min().count() == 0);
  BOOST_TEST(h.max().count() == 0);
  BOOST_TEST(h.mean().count() == 0);
}

BOOST_AUTO_TEST_CASE(a_negative_duration_counts_as_none) {
  histogram h;
  h.record(nanoseconds(-5));
  BOOST_TEST(h.count() == 1);
  BOOST_TEST(h.max().count() == 0);
  BOOST_TEST(h.min().count() == 0);
}

BOOST_AUTO_TEST_CASE(merged_parts_are_the_same_as_one_histogram_of_all) {
  auto const values = drawn(std::lognormal_distribution<double>(13, 2), 9'999, 4);
  histogram whole;
  std::array<histogram, 3> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.record(nanoseconds(values[i]));
    parts[i % 3].record(nanoseconds(values[i]));
  }
  histogram merged;
  for (auto const& part : parts) merged.merge(part);
  for (double const q : quantiles) BOOST_TEST((merged.quantile(q) == whole.quantile(q)));
  BOOST_TEST(merged.count() == whole.count());
  BOOST_TEST((merged.min() == whole.min()));
  BOOST_TEST((merged.max() == whole.max()));
  BOOST_TEST(std::abs((merged.mean() - whole.mean()).count()) <= 1);
}

BOOST_AUTO_TEST_CASE(upper_ends_recorded_again_make_the_same_classes) {
  histogram h;
  for (auto const value : drawn(std::lognormal_distribution<double>(13, 2), 1'000, 9)) h.record(nanoseconds(value));
  histogram again;
  h.for_each([&](nanoseconds upper, std::uint64_t count) { again.record(upper, count); });
  again.set_exact(h.exact());
  BOOST_TEST((again == h));
}

BOOST_AUTO_TEST_CASE(cleared_is_as_good_as_new) {
  histogram h;
  h.record(nanoseconds(5), 3);
  h.record(nanoseconds::max());
  h.clear();
  BOOST_TEST((h == histogram()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
