// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/table.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_table)

namespace {

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != text.npos;
}

BOOST_AUTO_TEST_CASE(every_part_of_a_run_is_told) {
  auto const text = table_of(sample_run({}), {});
  for (auto const* part :
       {"http://127.0.0.1:8080/v1/pets, scenario sample", "200/s constant for 20 s after 2 s of warm-up",
        "latency, from when it was due", "service, from when it was sent", "lag of this tool", "TLS handshake", "adopt",
        "429", "unexpected-status", "for example: 503 Service Unavailable", "free", "60 a minute", "2 found",
        "over-admission", "not checked: Retry-After was never tried.", "FAILED  p99>5ms", "passed  rate<1"})
    BOOST_TEST(has(text, part), part << " is missing in\n" << text);
}

BOOST_AUTO_TEST_CASE(what_was_withheld_and_who_was_not_told_when_to_come_back_are_counted) {
  auto found = sample_run({.seconds = 1});
  found.withheld = 7;
  found.untold_refusals = 3;
  BOOST_TEST(has(table_of(found, {}), "answered, 7 withheld"));
  BOOST_TEST(has(table_of(found, {}), "3 of 429 and 503 did not say when to come back"));
}

BOOST_AUTO_TEST_CASE(warnings_stand_on_top) {
  auto found = sample_run({.seconds = 1});
  found.warnings = {{"The tool was the limit.", true}};
  BOOST_TEST(table_of(found, {}).starts_with("WARNING  The tool was the limit.\n"));
}

BOOST_AUTO_TEST_CASE(without_colour_there_is_no_escape_and_with_it_the_text_is_the_same) {
  auto const found = sample_run({});
  auto const plain = table_of(found, {.colour = false, .width = 100});
  auto coloured = table_of(found, {.colour = true, .width = 100});
  BOOST_TEST(!has(plain, "\x1b"));
  BOOST_TEST(has(coloured, "\x1b[1m"));
  for (auto begin = coloured.find('\x1b'); begin != coloured.npos; begin = coloured.find('\x1b'))
    coloured.erase(begin, coloured.find('m', begin) - begin + 1);
  BOOST_TEST(coloured == plain);
}

BOOST_AUTO_TEST_CASE(what_strangers_say_cannot_command_the_terminal) {
  auto found = sample_run({.seconds = 1, .operation = "\x1b]0;gotcha\x07\r\n"});
  found.errors[error_kind::malformed] = {1, "\x1b[2J\xc2\x9b\xff"};
  found.run.targets = {"\x1b[31m"};
  auto const text = table_of(found, {});
  BOOST_TEST(!has(text, "\x1b"));
  BOOST_TEST(!has(text, "\x07"));
  BOOST_TEST(!has(text, "\r"));
  BOOST_TEST(!has(text, "\xc2\x9b"));
  BOOST_TEST(!has(text, "\xff"));
  BOOST_TEST(has(text, "?]0;gotcha???"));
}

BOOST_AUTO_TEST_CASE(long_examples_are_cut_to_the_width) {
  auto found = sample_run({.seconds = 1});
  found.errors[error_kind::closed] = {1, std::string(500, 'x')};
  std::istringstream lines(table_of(found, {.colour = false, .width = 80}));
  for (std::string line; std::getline(lines, line);)
    if (has(line, "xxx")) BOOST_TEST(width_of(line) <= 80);
}

BOOST_AUTO_TEST_CASE(a_run_of_nothing_has_a_table) {
  BOOST_TEST(has(table_of(results{}, {}), "0 due, 0 answered"));
}

BOOST_AUTO_TEST_CASE(text_is_cut_between_characters) {
  BOOST_TEST(fitted("grüße", 5) == "grüße");
  BOOST_TEST(fitted("grüße", 4) == "grü…");
  BOOST_TEST(fitted("grüße", 0) == "");
  BOOST_TEST(width_of("\x1b[1mgrüße\x1b[0m") == 5);
}

BOOST_AUTO_TEST_CASE(only_whole_characters_of_utf_8_are_shown) {
  BOOST_TEST(shown("grüße €😀") == "grüße €😀");
  BOOST_TEST(shown("\xc3") == "?");
  BOOST_TEST(shown("\xc0\xaf") == "??");            // longer than needed
  BOOST_TEST(shown("\xed\xa0\x80") == "???");       // half of a pair
  BOOST_TEST(shown("\xf4\x90\x80\x80") == "????");  // beyond the last
  BOOST_TEST(shown(std::string_view("a\0b", 3)) == "a?b");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
