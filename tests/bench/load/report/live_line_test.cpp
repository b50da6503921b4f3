// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/live_line.hpp"

#include <boost/test/unit_test.hpp>

#include "report/columns.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_live_line)

namespace {

using namespace std::chrono_literals;

live_status status_at(std::chrono::nanoseconds elapsed) {
  live_status now;
  now.elapsed = elapsed;
  now.left = 18s;
  now.last.width = 1s;
  now.last.counted.answers = 500;
  for (int i = 0; i < 100; ++i) now.last.latency.record(i < 98 ? 1ms : 5ms);
  return now;
}

BOOST_AUTO_TEST_CASE(the_last_second_is_told) {
  BOOST_TEST(live_text(status_at(12s), 100, false) == "12 s  500.0/s  p50 1.00 ms  p99 5.00 ms  errors 0  18 s left");
}

BOOST_AUTO_TEST_CASE(a_second_without_answers_has_no_latency) {
  live_status now;
  now.last.width = 1s;
  now.errors = 12'345;
  BOOST_TEST(live_text(now, 100, false) == "0 s  0.00/s  p50 -  p99 -  errors 12,345");
  now.warming_up = true;
  BOOST_TEST(live_text(now, 100, false).starts_with("warm-up"));
}

BOOST_AUTO_TEST_CASE(what_is_withheld_is_told_where_there_is_any) {
  auto now = status_at(12s);
  now.withheld = 1'200;
  BOOST_TEST(live_text(now, 100, false).find("  withheld 1,200  ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(it_never_exceeds_its_width_and_keeps_what_weighs_most) {
  for (std::size_t width = 0; width < 100; ++width)
    BOOST_TEST(width_of(live_text(status_at(12s), width, true)) <= width);
  BOOST_TEST(live_text(status_at(12s), 35, false) == "500.0/s  p99 5.00 ms  errors 0");
  BOOST_TEST(live_text(status_at(12s), 18, false) == "500.0/s  errors 0");
}

BOOST_AUTO_TEST_CASE(a_terminal_draws_over_its_line_and_wipes_it_in_the_end) {
  live_line line({.terminal = true, .colour = false, .width = 80, .planned = 30s});
  auto const drawn = line.update(status_at(1s));
  BOOST_TEST(drawn.starts_with("\r"));
  BOOST_TEST(drawn.ends_with("\x1b[K"));
  BOOST_TEST(drawn.find('\n') == drawn.npos);
  BOOST_TEST(line.clear() == "\r\x1b[K");
  BOOST_TEST(line.clear() == "");
}

BOOST_AUTO_TEST_CASE(without_a_terminal_there_is_a_line_each_second) {
  live_line line({.planned = 30s});
  for (auto const elapsed : {1'000ms, 2'001ms, 2'999ms}) {
    auto const text = line.update(status_at(elapsed));
    BOOST_TEST(text.ends_with("\n"));
    BOOST_TEST(text.find('\x1b') == text.npos);
    BOOST_TEST(text.find('\r') == text.npos);
  }
  BOOST_TEST(line.update(status_at(3'500ms)) == "");  // drawn twice a second for a terminal
  BOOST_TEST(line.clear() == "");
}

BOOST_AUTO_TEST_CASE(a_long_run_without_a_terminal_has_a_line_every_ten_seconds) {
  live_line line({.planned = 61s});
  int lines = 0;
  for (int second = 1; second <= 61; ++second) lines += !line.update(status_at(std::chrono::seconds(second))).empty();
  BOOST_TEST(lines == 7);
}

BOOST_AUTO_TEST_CASE(errors_are_loud_only_where_there_is_colour) {
  auto now = status_at(1s);
  now.errors = 3;
  BOOST_TEST(live_text(now, 100, true).find("\x1b[1;31merrors 3\x1b[0m") != std::string::npos);
  BOOST_TEST(live_text(now, 100, false).find('\x1b') == std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
