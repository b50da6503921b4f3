// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "schedule/load_shape.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_load_shape)

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

BOOST_AUTO_TEST_CASE(rates_are_numbers_ranges_or_max) {
  BOOST_TEST(parse_rate("500").value.value().to == 500);
  BOOST_TEST(parse_rate("0.5").value.value().to == 0.5);
  BOOST_TEST(parse_rate("2.5k").value.value().to == 2'500);
  auto const range = parse_rate("10..500").value.value();
  BOOST_TEST(range.from == 10);
  BOOST_TEST(range.to == 500);
  BOOST_TEST(parse_rate("max").value.value().is_max);
}

BOOST_AUTO_TEST_CASE(what_is_no_rate_is_told_with_what_would_be) {
  for (auto const text : {"", "0", "-5", "5/s", "1..", "..5", "1...5", "nan", "inf", "0x10", " 5", "10..0"}) {
    auto const outcome = parse_rate(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(!outcome.value.has_value());
      BOOST_TEST(outcome.mistake.find("'" + std::string(text) + "'") != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_rate_has_a_ceiling) {
  BOOST_TEST(parse_rate("10000k").value.has_value());
  BOOST_TEST(!parse_rate("10000.1k").value.has_value());
  BOOST_TEST(!parse_rate("1e9").value.has_value());
}

BOOST_AUTO_TEST_CASE(durations_have_units_that_add_up) {
  BOOST_TEST((parse_duration("30s").value == 30s));
  BOOST_TEST((parse_duration("30").value == 30s));
  BOOST_TEST((parse_duration("1m30s").value == 90s));
  BOOST_TEST((parse_duration("1.5ms").value == 1'500us));
  BOOST_TEST((parse_duration("24h").value == 24h));
}

BOOST_AUTO_TEST_CASE(a_duration_has_a_floor_and_a_ceiling) {
  for (auto const text : {"0s", "0.1ns", "24h1s", "1e300s", "", "s", "5 s", "5x", "-5s"})
    BOOST_TEST(!parse_duration(text).value.has_value(), text);
}

BOOST_AUTO_TEST_CASE(a_duration_is_told_as_it_is_read) {
  for (auto const text : {"30s", "1m30s", "2h5s", "1s500ms", "250us", "7ns"})
    BOOST_TEST(duration_text(parse_duration(text).value.value()) == text);
}

BOOST_AUTO_TEST_CASE(names_are_checked_and_listed) {
  BOOST_TEST((parse_arrivals("poisson").value == arrival_kind::poisson));
  BOOST_TEST(parse_arrivals("odd").mistake == "a kind of arrivals is one of even, poisson; not 'odd'");
}

BOOST_AUTO_TEST_CASE(stages_are_rates_with_their_times) {
  auto const stages = parse_stages("0..500 30s, 500 5m,  2.5k..0 1m30s").value.value();
  BOOST_TEST((stages == std::vector<rate_stage>{{0, 500, 30s}, {500, 500, 5min}, {2'500, 0, 90s}}));
  BOOST_TEST((length_of(stages) == 7min));
}

BOOST_AUTO_TEST_CASE(what_is_no_stage_is_told_with_its_number) {
  for (auto const* text : {"", "500", "30s", "500 30s,", ",500 30s", "fast 30s", "500..  30s", "-5 3s", "500, 30s"})
    BOOST_TEST(parse_stages(text).mistake.find("a stage is a rate and its time") != std::string::npos, text);
  BOOST_TEST(parse_stages("500 30s, 5 fast").mistake.starts_with("stage 2: a duration is"));
  BOOST_TEST(parse_stages("11000k 30s").mistake.starts_with("stage 1: a rate is at most"));
  BOOST_TEST(parse_stages("0 30s, 0..0 1s").mistake == "in one of the stages at least, the rate is more than 0");
  BOOST_TEST(parse_stages("5 20h, 5 5h").mistake == "all stages take at most 24h");
  std::string many = "1 1s";
  for (std::size_t i = 0; i < stages_max; ++i) many += ", 1 1s";
  BOOST_TEST(parse_stages(many).mistake == "there are at most 1000 stages");
}

BOOST_AUTO_TEST_CASE(a_shape_is_told_in_words) {
  load_shape shape;
  shape.stages = parse_stages("0..500 30s, 500 5m").value.value();
  shape.arrivals = arrival_kind::poisson;
  BOOST_TEST(shape_text(shape) == "0..500/s 30s, 500/s 5m, poisson");
  BOOST_TEST(shape_text(parse_rate("500").value.value()) == "500/s constant");
}

BOOST_AUTO_TEST_CASE(the_mean_rate_is_that_of_all_stages) {
  load_shape shape;
  shape.stages = parse_stages("0..500 10s, 500 30s, 0 10s").value.value();
  BOOST_TEST(mean_rate(shape) == 350);
  BOOST_TEST(mean_rate(parse_rate("500").value.value()) == 500);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
