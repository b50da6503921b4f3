// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <random>

#include "petstore/json.hpp"

BOOST_AUTO_TEST_SUITE(rfc3339)

using namespace petstore;

namespace {

unix_ms at(std::int64_t ms) {
  return unix_ms{std::chrono::milliseconds{ms}};
}

std::string text_of(unix_ms t) {
  std::string out;
  append_rfc3339(out, t);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(known_instants_are_written_and_read) {
  std::pair<std::int64_t, std::string_view> const known[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {1'780'315'200'000, "2026-06-01T12:00:00.000Z"},
      {951'868'799'999, "2000-02-29T23:59:59.999Z"},
      {-62'135'596'800'000, "0001-01-01T00:00:00.000Z"},
      {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
  };
  for (auto const& [ms, text] : known) {
    BOOST_TEST(text_of(at(ms)) == text);
    BOOST_TEST((parse_rfc3339(text) == at(ms)), text);
  }
}

BOOST_AUTO_TEST_CASE(years_outside_1_to_9999_are_written_as_the_nearest_inside) {
  BOOST_TEST(text_of(unix_ms::min()) == "0001-01-01T00:00:00.000Z");
  BOOST_TEST(text_of(unix_ms::max()) == "9999-12-31T23:59:59.999Z");
}

BOOST_AUTO_TEST_CASE(only_the_canonical_form_of_a_real_moment_is_read) {
  for (auto text : {"",
                    "2026-06-01",
                    "2026-06-01T12:00:00Z",
                    "2026-06-01T12:00:00.00Z",
                    "2026-06-01T12:00:00.0000Z",
                    "2026-06-01t12:00:00.000Z",
                    "2026-06-01T12:00:00.000z",
                    "2026-06-01 12:00:00.000Z",
                    "2026-06-01T12:00:00.000+00:00",
                    "2026-06-01T12:00:00,000Z",
                    "2026-6-01T12:00:00.000ZZ",
                    "2026-02-29T12:00:00.000Z",
                    "1900-02-29T12:00:00.000Z",
                    "2026-04-31T12:00:00.000Z",
                    "2026-00-01T12:00:00.000Z",
                    "2026-13-01T12:00:00.000Z",
                    "2026-06-00T12:00:00.000Z",
                    "2026-06-01T24:00:00.000Z",
                    "2026-06-01T12:60:00.000Z",
                    "2026-06-30T23:59:60.000Z",
                    "0000-06-01T12:00:00.000Z",
                    "-026-06-01T12:00:00.000Z",
                    "2026-06-01T12:00:00.000Z ",
                    " 2026-06-01T12:00:00.000",
                    "2026-06-0aT12:00:00.000Z"}) {
    BOOST_TEST(!parse_rfc3339(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(any_form_of_a_moment_is_read_where_asked) {
  std::pair<std::string_view, std::string_view> const known[] = {
      {"2026-06-01T12:00:00.000Z", "2026-06-01T12:00:00.000Z"},
      {"2026-06-01t12:00:00z", "2026-06-01T12:00:00.000Z"},
      {"2026-06-01T12:00:00.5Z", "2026-06-01T12:00:00.500Z"},
      {"2026-06-01T12:00:00.1239999999999999999999Z", "2026-06-01T12:00:00.123Z"},
      {"2026-06-01T14:00:00+02:00", "2026-06-01T12:00:00.000Z"},
      {"2026-06-01T06:30:00.25-05:30", "2026-06-01T12:00:00.250Z"},
      {"2026-06-01T12:00:00-00:00", "2026-06-01T12:00:00.000Z"},
      {"2026-06-02T11:59:00+23:59", "2026-06-01T12:00:00.000Z"},
      {"2025-12-31T23:00:00-01:00", "2026-01-01T00:00:00.000Z"},
      {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"},
      {"2017-01-01T00:59:60.5+01:00", "2017-01-01T00:00:00.500Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"},
      {"9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"},
  };
  for (auto const& [text, canonical] : known) {
    auto const read = parse_any_rfc3339(text);
    BOOST_REQUIRE_MESSAGE(read.has_value(), text);
    BOOST_TEST(text_of(*read) == canonical);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_moment_in_any_form_is_not_read) {
  for (auto text : {"",
                    "tomorrow",
                    "2026-06-01",
                    "2026-06-01T12:00Z",
                    "2026-06-01T12:00:00",
                    "2026-06-01 12:00:00Z",
                    "2026-06-01T12:00:00.Z",
                    "2026-06-01T12:00:00,5Z",
                    "2026-06-01T12:00:00 Z",
                    "2026-06-01T12:00:00ZZ",
                    "2026-06-01T12:00:00+2:00",
                    "2026-06-01T12:00:00+0200",
                    "2026-06-01T12:00:00+02",
                    "2026-06-01T12:00:00+24:00",
                    "2026-06-01T12:00:00+02:60",
                    "2026-06-01T12:00:00*02:00",
                    "2026-06-01T12:00:00UTC",
                    "2026-02-29T12:00:00Z",
                    "2026-06-01T24:00:00Z",
                    "2026-06-01T12:60:00Z",
                    "2026-06-01T12:00:60Z",
                    "2026-06-01T12:00:61Z",
                    "2016-12-31T23:59:60+01:00",
                    "26-06-01T12:00:00Z",
                    "0000-12-31T23:59:59Z",
                    "0001-01-01T00:00:00+00:01",
                    "9999-12-31T23:59:59-00:01",
                    "+2026-06-01T12:00:00Z"}) {
    BOOST_TEST(!parse_any_rfc3339(text).has_value(), text);
  }
}

BOOST_AUTO_TEST_CASE(reading_undoes_writing) {
  std::mt19937_64 random(3339);
  std::uniform_int_distribution<std::int64_t> any(-62'135'596'800'000, 253'402'300'799'999);
  for (int i = 0; i < 20'000; ++i) {
    auto const t = at(any(random));
    BOOST_REQUIRE((parse_rfc3339(text_of(t)) == t));
    BOOST_REQUIRE((parse_any_rfc3339(text_of(t)) == t));
  }
}

BOOST_AUTO_TEST_SUITE_END()
