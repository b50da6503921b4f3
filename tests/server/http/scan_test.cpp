// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/scan.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "http/known_names.hpp"

namespace http = petstore::server::http;
using petstore::server::find_known_field;
using petstore::server::known_names;

namespace {

std::size_t find_control_plainly(std::string_view s, std::size_t from) {
  while (from < s.size() && !http::is_control(s[from])) ++from;
  return from;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scan)

BOOST_AUTO_TEST_CASE(every_byte_is_judged_alike_wherever_it_stands) {
  for (std::size_t size = 1; size <= 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int c = 0; c < 256; ++c) {
        std::string s(size, at % 2 == 0 ? 'x' : '\xff');
        s[at] = static_cast<char>(c);
        for (std::size_t const from : {std::size_t{0}, at, std::min(at + 1, size)}) {
          auto const expected = find_control_plainly(s, from);
          BOOST_REQUIRE_EQUAL(http::find_control(s, from), expected);
          BOOST_REQUIRE_EQUAL(http::find_control_by_words(s, from), expected);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_several_is_found) {
  std::mt19937 random{20261121};
  for (int round = 0; round < 20'000; ++round) {
    std::string s(random() % 100, ' ');
    for (char& c : s) c = static_cast<char>(random() % 16 == 0 ? random() % 256 : 0x20 + random() % 95);
    std::size_t const from = random() % (s.size() + 1);
    auto const expected = find_control_plainly(s, from);
    BOOST_REQUIRE_EQUAL(http::find_control(s, from), expected);
    BOOST_REQUIRE_EQUAL(http::find_control_by_words(s, from), expected);
  }
}

BOOST_AUTO_TEST_CASE(a_token_ends_at_the_first_character_that_is_none) {
  for (std::size_t size = 0; size <= 40; ++size) {
    for (int c = 0; c < 256; ++c) {
      std::string s(size, c % 2 == 0 ? 'x' : '-');
      std::size_t const expected = http::is_token_char(static_cast<char>(c)) ? size + 1 : size;
      s.push_back(static_cast<char>(c));
      s.push_back(':');
      for (std::size_t const behind : {0u, 30u}) {
        std::string const all = s + std::string(behind, 'y');
        auto const* const end = http::skip_token(all.data(), all.data() + all.size());
        BOOST_REQUIRE_EQUAL(end - all.data(), expected);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(known_names_)

BOOST_AUTO_TEST_CASE(a_known_name_is_found_in_any_case_and_no_other_name) {
  for (std::size_t i = 0; i < known_names.size(); ++i) {
    std::string name{known_names[i]};
    for (char& c : name) {
      char const lower = c;
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 0x20);
      BOOST_REQUIRE(find_known_field(name).has_value());
      BOOST_TEST(static_cast<std::size_t>(*find_known_field(name)) == i);
      for (int other = 0; other < 256; ++other) {
        if (!http::is_token_char(static_cast<char>(other)) || (other | 0x20) == lower) continue;
        char const kept = c;
        c = static_cast<char>(other);
        BOOST_TEST(!find_known_field(name).has_value());
        c = kept;
      }
    }
    BOOST_TEST(!find_known_field(name + "x").has_value());
    BOOST_TEST(!find_known_field(name.substr(1)).has_value());
    BOOST_TEST(!find_known_field(name.substr(0, name.size() - 1)).has_value());
  }
  for (std::string_view const name : {"a", "User-Agent", "Accept", "x-y", "cookie"}) {
    BOOST_TEST(!find_known_field(name).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
