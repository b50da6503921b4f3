// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/json.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_json)

namespace {

namespace json = boost::json;

/// The file of a run after somebody edited it.
std::string edited(std::function<void(json::object&)> const& edit) {
  auto document = json::parse(to_json(sample_run({.seconds = 2})));
  edit(document.as_object());
  return json::serialize(document);
}

std::string mistake_in(std::string const& text) {
  auto const read = from_json(text);
  BOOST_TEST(!read.value);
  return read.mistake;
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again_to_the_last_figure) {
  auto const found = sample_run({});
  auto const text = to_json(found);
  auto const read = from_json(text);
  BOOST_TEST_REQUIRE(read.value.has_value(), read.mistake);
  auto const& again = *read.value;
  BOOST_TEST(to_json(again) == text);
  BOOST_REQUIRE_EQUAL(again.operations.size(), found.operations.size());
  for (std::size_t i = 0; i < found.operations.size(); ++i) {
    BOOST_TEST((again.operations[i].latency == found.operations[i].latency));
    BOOST_TEST((again.operations[i].service == found.operations[i].service));
    BOOST_TEST((again.operations[i].counted == found.operations[i].counted));
    BOOST_TEST((again.operations[i].by_status == found.operations[i].by_status));
  }
  BOOST_TEST((again.intervals == found.intervals));
  BOOST_TEST((again.keys == found.keys));
  BOOST_TEST((again.errors == found.errors));
  BOOST_TEST((again.audit == found.audit));
  BOOST_TEST((again.warnings == found.warnings));
  BOOST_TEST((again.conditions == found.conditions));
  BOOST_TEST((again.lag == found.lag));
  BOOST_TEST(again.run.started == found.run.started);
  BOOST_TEST((again.duration == found.duration));
}

BOOST_AUTO_TEST_CASE(a_run_of_nothing_and_one_of_endless_waits_are_read_again) {
  for (bool const endless : {false, true}) {
    results found;
    found.interval = std::chrono::seconds(1);
    if (endless) {
      found.operations.emplace_back().name = "\"<\\\n\x01 ü";
      found.operations.back().latency.record(std::chrono::hours(1));
      found.operations.back().latency.record(std::chrono::nanoseconds(1));
    }
    auto const text = to_json(found);
    auto const read = from_json(text);
    BOOST_TEST_REQUIRE(read.value.has_value(), read.mistake);
    BOOST_TEST(to_json(*read.value) == text);
  }
}

BOOST_AUTO_TEST_CASE(a_search_is_read_again) {
  auto found = sample_run({.seconds = 1});
  found.capacity = sample_capacity();
  found.withheld = 5;
  auto const read = from_json(to_json(found));
  BOOST_TEST_REQUIRE(read.value.has_value(), read.mistake);
  BOOST_TEST((read.value->capacity == found.capacity));
  BOOST_TEST(read.value->withheld == 5u);
  BOOST_TEST((read.value->latency_by_status == found.latency_by_status));
}

BOOST_AUTO_TEST_CASE(the_summary_says_what_the_rest_adds_up_to) {
  auto const found = sample_run({});
  auto const document = json::parse(to_json(found)).as_object();
  BOOST_TEST(document.at("format").as_string() == "petstore-load");
  BOOST_TEST(document.at("version").as_int64() == json_version);
  auto const& summary = document.at("summary").as_object();
  BOOST_TEST(summary.at("requests").to_number<std::uint64_t>() == found.due);
  BOOST_TEST(summary.at("answers").to_number<std::uint64_t>() == totals_of(found).answers);
  BOOST_TEST(summary.at("latency").at("p99_ns").to_number<std::int64_t>() == latency_of(found).quantile(0.99).count());
}

BOOST_AUTO_TEST_CASE(members_that_are_not_known_are_skipped) {
  BOOST_TEST(from_json(edited([](json::object& o) {
               o["comment"] = "by hand";
               o["run"].as_object()["colour"] = nullptr;
             })).value.has_value());
}

BOOST_AUTO_TEST_CASE(what_is_missing_or_of_the_wrong_kind_is_told_with_its_place) {
  BOOST_TEST(mistake_in("").starts_with("it is not JSON"));
  BOOST_TEST(mistake_in("[1]") == "the document is not an object");
  BOOST_TEST(mistake_in("{}").starts_with("it is not a file of petstore-load"));
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["version"] = 3; })) ==
             "it is of version 3; this program reads version 2");
  BOOST_TEST(mistake_in(edited([](json::object& o) { o.erase("tool"); })) == "tool is missing");
  BOOST_TEST(mistake_in(edited([](json::object& o) {
               o["intervals"].as_array()[1].as_object()["counted"].as_object()["answers"] = "7";
             })) == "intervals[1].counted.answers is not a whole number");
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["due"] = -1; })) == "due is not a whole number in range");
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["due"] = 1.5; })) == "due is not a whole number");
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["errors"].as_object()["bad-luck"] = json::object(); })) ==
             "errors.bad-luck is not a kind of error that is known here");
  json::array const one_number{1};
  BOOST_TEST(mistake_in(edited([&](json::object& o) {
               auto& classes = o["operations"].as_array()[0].as_object()["latency"].as_object()["classes"];
               classes.emplace_array().emplace_back(one_number);
             })) == "operations[0].latency.classes is not a list of pairs of an upper end and a count");
}

BOOST_AUTO_TEST_CASE(series_that_do_not_fit_the_intervals_are_refused) {
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["interval_ns"] = 0; })) ==
             "interval_ns is not more than nothing");
  BOOST_TEST(mistake_in(edited([](json::object& o) { o["intervals"].as_array().pop_back(); })) ==
             "keys is not one value for each interval");
  BOOST_TEST(mistake_in(edited([](json::object& o) {
               o["intervals"].as_array()[0].as_object()["operations"].as_array().pop_back();
             })) == "intervals is not one of all operations each");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
