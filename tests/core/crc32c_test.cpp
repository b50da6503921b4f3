// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/crc32c.hpp"

#include <boost/test/unit_test.hpp>
#include <numeric>
#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(crc32c_)

using namespace petstore;

BOOST_AUTO_TEST_CASE(published_vectors_come_out) {
  std::string ascending(32, '\0');
  std::iota(ascending.begin(), ascending.end(), '\0');
  std::string const descending(ascending.rbegin(), ascending.rend());
  std::pair<std::string, std::uint32_t> const vectors[] = {
      {"", 0},
      {"a", 0xC1D04330},
      {"123456789", 0xE3069283},
      {"The quick brown fox jumps over the lazy dog", 0x22620404},
      {std::string(32, '\0'), 0x8A9136AA},  // this one and the next three: RFC 3720, B.4
      {std::string(32, '\xFF'), 0x62A8AB43},
      {ascending, 0x46DD794E},
      {descending, 0x113FDB5C},
  };
  for (auto const& [data, expected] : vectors) {
    BOOST_TEST(crc32c(data) == expected);
    BOOST_TEST(crc32c_by_table(data) == expected);
  }
}

BOOST_AUTO_TEST_CASE(instruction_and_table_agree_at_every_length_and_alignment) {
  std::mt19937 random(32);
  std::string data(512, '\0');
  for (char& c : data) c = static_cast<char>(random());
  for (std::size_t from = 0; from < 8; ++from)
    for (std::size_t size = 0; size + from <= data.size(); ++size) {
      auto const part = std::string_view{data}.substr(from, size);
      BOOST_REQUIRE(crc32c(part) == crc32c_by_table(part));
    }
}

BOOST_AUTO_TEST_SUITE_END()
