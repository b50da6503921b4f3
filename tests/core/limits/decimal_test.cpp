// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "limits/decimal.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <limits>
#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(limits_decimal)

using petstore::limits::detail::decimal_size_max;
using petstore::limits::detail::write_decimal;

namespace {

std::string decimal(std::uint64_t n) {
  std::string text(decimal_size_max + 1, '#');
  std::ptrdiff_t const size = write_decimal(text.data(), n) - text.data();
  BOOST_TEST_REQUIRE(text.back() == '#');  // what lies behind is not touched
  return text.substr(0, static_cast<std::size_t>(size));
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_numbers_are_written_as_the_standard_library_does) {
  for (std::uint64_t n = 0; n < 200'000; ++n) BOOST_TEST_REQUIRE(decimal(n) == std::to_string(n));
}

BOOST_AUTO_TEST_CASE(numbers_where_a_digit_is_gained_are_right) {
  for (std::uint64_t power = 10; power != 10'000'000'000'000'000'000u; power *= 10)
    for (std::uint64_t const n : {power - 1, power, power + 1, power * 9, power * 5})
      BOOST_TEST_REQUIRE(decimal(n) == std::to_string(n));
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  BOOST_TEST(decimal(largest) == std::to_string(largest));
}

BOOST_AUTO_TEST_CASE(numbers_of_every_length_are_right) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500'000; ++i) {
    std::uint64_t const n = random() >> random() % 64;
    BOOST_TEST_REQUIRE(decimal(n) == std::to_string(n));
  }
}

BOOST_AUTO_TEST_SUITE_END()
