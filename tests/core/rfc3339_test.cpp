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

BOOST_AUTO_TEST_CASE(reading_undoes_writing) {
  std::mt19937_64 random(3339);
  std::uniform_int_distribution<std::int64_t> any(-62'135'596'800'000, 253'402'300'799'999);
  for (int i = 0; i < 20'000; ++i) {
    auto const t = at(any(random));
    BOOST_REQUIRE((parse_rfc3339(text_of(t)) == t));
  }
}

BOOST_AUTO_TEST_SUITE_END()
