// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/text_template.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <set>
#include <string>
#include <variant>
#include <vector>

BOOST_AUTO_TEST_SUITE(text_template_test)

namespace {

using namespace petstore::load;

struct worker {
  chance random{1};
  strided_counter counter{};
  std::vector<std::string> captured{};

  std::string fill(std::string_view text, std::vector<std::string> names = {}, text_place place = text_place::field) {
    auto const read = parse_template(text, names);
    if (auto const* const wrong = std::get_if<template_mistake>(&read)) return "mistake: " + wrong->what;
    std::string out;
    std::get<text_template>(read).append_to(out, {random, counter, 1'700'000'000'123, captured}, place);
    return out;
  }
};

template_mistake mistake_of(std::string_view text, std::vector<std::string> names = {}) {
  auto const read = parse_template(text, names);
  auto const* const wrong = std::get_if<template_mistake>(&read);
  return wrong != nullptr ? *wrong : template_mistake{9'999, "none"};
}

BOOST_AUTO_TEST_CASE(text_without_places_stays_as_it_is) {
  BOOST_TEST(worker().fill("/pets?limit=20&x={y}") == "/pets?limit=20&x={y}");
  BOOST_TEST(worker().fill("") == "");
  BOOST_TEST(std::get<text_template>(parse_template("/pets", {})).is_fixed());
  BOOST_TEST(!std::get<text_template>(parse_template("/pets/{{counter}}", {})).is_fixed());
}

BOOST_AUTO_TEST_CASE(doubled_braces_stand_for_themselves) {
  BOOST_TEST(worker().fill("a{{{{b}}") == "a{{b}}");
}

BOOST_AUTO_TEST_CASE(integers_are_within_their_range) {
  worker w;
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) seen.insert(w.fill("{{integer -1 1}}"));
  BOOST_TEST((seen == std::set<std::string>{"-1", "0", "1"}));
}

BOOST_AUTO_TEST_CASE(choices_are_among_the_words_that_are_given) {
  worker w;
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) seen.insert(w.fill("{{choice red 'dark green'}}"));
  BOOST_TEST((seen == std::set<std::string>{"red", "dark green"}));
}

BOOST_AUTO_TEST_CASE(uuids_are_random_ones_of_version_4) {
  worker w;
  std::set<std::string> seen;
  std::regex const form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  for (int i = 0; i < 1'000; ++i) {
    auto const id = w.fill("{{uuid}}");
    BOOST_TEST(std::regex_match(id, form), id);
    seen.insert(id);
  }
  BOOST_TEST(seen.size() == 1'000U);
}

BOOST_AUTO_TEST_CASE(counters_of_several_workers_make_every_number_once) {
  worker first{chance(1), {1, 2}}, second{chance(1), {2, 2}};
  BOOST_TEST(first.fill("{{counter}},{{counter}}") == "1,3");
  BOOST_TEST(second.fill("{{counter}},{{counter}}") == "2,4");
}

BOOST_AUTO_TEST_CASE(time_is_told_in_seconds_or_milliseconds) {
  BOOST_TEST(worker().fill("{{time}} {{time ms}}") == "1700000000 1700000000123");
}

BOOST_AUTO_TEST_CASE(captured_values_stand_where_they_are_named) {
  worker w;
  w.captured = {"7", "blue"};
  BOOST_TEST(w.fill("/pets/{{id}}/{{ colour }}", {"id", "colour"}) == "/pets/7/blue");
}

BOOST_AUTO_TEST_CASE(captured_values_cannot_break_out_of_a_path_or_a_body) {
  worker w;
  w.captured = {"a b\xc3\xa9\"\\"};
  BOOST_TEST(w.fill("/{{v}} x", {"v"}, text_place::path) == "/a%20b%c3%a9%22%5c x");
  BOOST_TEST(w.fill("\"{{v}}\"", {"v"}, text_place::body) == "\"a b\xc3\xa9\\\"\\\\\"");
}

BOOST_AUTO_TEST_CASE(captured_value_in_a_path_is_one_segment_or_one_parameter) {
  worker w;
  w.captured = {"1/../2?a=b&c#d%2f+;", "Az09-._~"};
  BOOST_TEST(w.fill("/{{v}}", {"v", "w"}, text_place::path) == "/1%2f..%2f2%3fa%3db%26c%23d%252f%2b%3b");
  BOOST_TEST(w.fill("/{{w}}", {"v", "w"}, text_place::path) == "/Az09-._~");
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_place_and_what_would_be_right) {
  BOOST_TEST(mistake_of("/pets/{{integer 5}}").offset == 6U);
  BOOST_TEST(mistake_of("{{integer 5 1}}").what.find("{{integer 1 100}}") != std::string::npos);
  BOOST_TEST(mistake_of("{{integer a b}}").offset == 0U);
  BOOST_TEST(mistake_of("{{choice}}").what.find("takes words") != std::string::npos);
  BOOST_TEST(mistake_of("{{choice 'a}}").what.find("quote") != std::string::npos);
  BOOST_TEST(mistake_of("{{time s}}").what.find("ms") != std::string::npos);
  BOOST_TEST(mistake_of("{{uuid 4}}").what.find("nothing") != std::string::npos);
  BOOST_TEST(mistake_of("abc {{ }}").offset == 4U);
  BOOST_TEST(mistake_of("{{uuid").what.find("}}") != std::string::npos);
  BOOST_TEST(mistake_of("{{pet-id}}", {"pet_id"}).what.find("did you mean `pet_id`?") != std::string::npos);
  BOOST_TEST(mistake_of("{{frobnicate}}").what.find("known are integer, choice") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(same_seed_fills_in_the_same) {
  constexpr auto text = "{{uuid}} {{integer 1 1000000}} {{choice a b c}}";
  BOOST_TEST(worker().fill(text) == worker().fill(text));
  BOOST_TEST(worker{chance(2)}.fill(text) != worker().fill(text));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
