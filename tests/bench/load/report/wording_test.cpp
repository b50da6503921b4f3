// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/wording.hpp"

#include <boost/test/unit_test.hpp>

#include "report/quantile_words.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_wording)

namespace {

using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(durations_have_three_digits_and_the_unit_that_keeps_them_short) {
  BOOST_TEST(duration_words(0ns) == "0");
  BOOST_TEST(duration_words(850ns) == "850 ns");
  BOOST_TEST(duration_words(1'240ns) == "1.24 µs");
  BOOST_TEST(duration_words(12'400ns) == "12.4 µs");
  BOOST_TEST(duration_words(124'499ns) == "124 µs");
  BOOST_TEST(duration_words(999'499ns) == "999 µs");
  BOOST_TEST(duration_words(999'600ns) == "1.00 ms");
  BOOST_TEST(duration_words(9'996us) == "10.0 ms");
  BOOST_TEST(duration_words(99'960us) == "100 ms");
  BOOST_TEST(duration_words(119s) == "119 s");
  BOOST_TEST(duration_words(120s) == "2 min");
  BOOST_TEST(duration_words(125s) == "2 min 5 s");
  BOOST_TEST(duration_words(2h + 5min) == "2 h 5 min");
  BOOST_TEST(duration_words(-3ms) == "-3.00 ms");
}

BOOST_AUTO_TEST_CASE(round_figures_have_no_zeros_that_say_nothing) {
  BOOST_TEST(round_duration_words(1s) == "1 s");
  BOOST_TEST(round_duration_words(1'500ms) == "1.5 s");
  BOOST_TEST(round_duration_words(100ms) == "100 ms");
  BOOST_TEST(round_number_words(20) == "20");
  BOOST_TEST(round_number_words(0.5) == "0.5");
}

BOOST_AUTO_TEST_CASE(counts_have_groups_of_thousands) {
  BOOST_TEST(count_text(0) == "0");
  BOOST_TEST(count_text(999) == "999");
  BOOST_TEST(count_text(1'000) == "1,000");
  BOOST_TEST(count_text(1'234'567) == "1,234,567");
}

BOOST_AUTO_TEST_CASE(rates_and_bytes_are_as_short) {
  BOOST_TEST(rate_words(0) == "0.00/s");
  BOOST_TEST(rate_words(1.5) == "1.50/s");
  BOOST_TEST(rate_words(498.74) == "498.7/s");
  BOOST_TEST(rate_words(131'092.4) == "131,092/s");
  BOOST_TEST(bytes_text(512) == "512 B");
  BOOST_TEST(bytes_text(1'240'000) == "1.24 MB");
}

BOOST_AUTO_TEST_CASE(a_share_is_never_all_or_nothing_when_it_is_not) {
  BOOST_TEST(share_text(0) == "0 %");
  BOOST_TEST(share_text(1) == "100 %");
  BOOST_TEST(share_text(1e-9) == "< 0.01 %");
  BOOST_TEST(share_text(1 - 1e-9) == "> 99.99 %");
  BOOST_TEST(share_text(0.5) == "50.0 %");
  BOOST_TEST(share_text(0.0012) == "0.12 %");
}

BOOST_AUTO_TEST_CASE(quantiles_have_the_names_that_people_use) {
  BOOST_TEST(quantile_name(0.5) == "p50");
  BOOST_TEST(quantile_name(0.999) == "p99.9");
  BOOST_TEST(quantile_name(0.9999) == "p99.99");
}

BOOST_AUTO_TEST_CASE(a_quantile_that_nothing_is_beyond_is_not_told) {
  histogram h;
  for (int i = 0; i < 99; ++i) h.record(1ms);
  BOOST_TEST(quantile_words(h, 0.5) == "1.00 ms");
  BOOST_TEST(quantile_words(h, 0.99) == "–");
  h.record(1ms);
  BOOST_TEST(quantile_words(h, 0.99) == "1.00 ms");
  BOOST_TEST(quantile_words(h, 0.999) == "–");
  BOOST_TEST(quantile_words(histogram(), 0.5) == "–");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
