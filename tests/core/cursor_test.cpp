// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/cursor.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <random>
#include <utility>

#include "petstore/enumeration.hpp"

using namespace petstore;

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
}

BOOST_AUTO_TEST_SUITE(cursor_)

// Computed by another program. A cursor that was handed out stays valid, so these never change.
BOOST_AUTO_TEST_CASE(the_text_is_fixed) {
  std::pair<cursor, std::string_view> const known[] = {
      {{.kind = record_kind::pet, .after = 7}, "AQEAAAAAAAAAAAciPF53"},
      {{.kind = record_kind::pet, .filters = pet_filters(pet_status::available, {}), .after = 7},
       "AQEBAQAAAAAAAAAHZsJfqg"},
      {{.kind = record_kind::pet, .filters = pet_filters({}, 3), .after = 7}, "AQECAAAAAAAAAAMAAAAAAAAAB3Ft8e0"},
      {{.kind = record_kind::category, .after = 1}, "AQIAAAAAAAAAAAFci0OB"},
      {{.kind = record_kind::order,
        .filters = order_filters(order_status::approved, -5),
        .after = std::numeric_limits<std::int64_t>::max()},
       "AQMDAv_________7f_________-sxD41"},
  };
  for (auto const& [value, text] : known) {
    BOOST_TEST(to_string(value) == text);
    BOOST_TEST((parse_cursor(text) == value), text);
  }
}

BOOST_AUTO_TEST_CASE(parsing_undoes_writing) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 5000; ++i) {
    cursor c;
    c.kind = enumerators<record_kind>[random() % enumerators<record_kind>.size()].value;
    auto const filters = filters_of(c.kind);
    for (std::size_t f = 0; f < filters.size(); ++f) {
      auto const number = static_cast<std::int64_t>(random());
      if (random() % 2 != 0) c.filters[f] = filters[f].width == 1 ? number & 0xFF : number;
    }
    c.after = static_cast<std::int64_t>(random());
    BOOST_REQUIRE((parse_cursor(to_string(c)) == c));
  }
}

BOOST_AUTO_TEST_CASE(any_one_changed_character_is_noticed) {
  auto const text =
      to_string({.kind = record_kind::pet, .filters = pet_filters(pet_status::available, {}), .after = 7});
  for (std::size_t at = 0; at < text.size(); ++at)
    for (char c : alphabet) {
      auto changed = text;
      changed[at] = c;
      if (c != text[at]) BOOST_TEST(!parse_cursor(changed).has_value(), changed);
    }
}

BOOST_AUTO_TEST_CASE(another_length_is_noticed) {
  auto const text = to_string({.kind = record_kind::pet, .filters = pet_filters({}, 3), .after = 7});
  for (std::size_t size = 0; size < text.size(); ++size) BOOST_TEST(!parse_cursor(text.substr(0, size)).has_value());
  for (auto tail : {"=", "A", "AA", "AAAA", "\n"}) BOOST_TEST(!parse_cursor(text + tail).has_value());
  BOOST_TEST(!parse_cursor(std::string(100'000, 'A')).has_value());
}

// The checksum of each of these is right: what is wrong is what it covers.
BOOST_AUTO_TEST_CASE(another_version_list_filter_or_tail_is_refused) {
  BOOST_TEST(!parse_cursor("AgEAAAAAAAAAAAeeQjDF").has_value(), "version 2");
  BOOST_TEST(!parse_cursor("AQAAAAAAAAAAAAfpaiXS").has_value(), "list 0");
  BOOST_TEST(!parse_cursor("AQQAAAAAAAAAAAfKB1BV").has_value(), "list 4");
  BOOST_TEST(!parse_cursor("AQEEAAAAAAAAAAf885xE").has_value(), "filter bit 2");
  BOOST_TEST(!parse_cursor("AQEAAAAAAAAAAAcA9w1f6Q").has_value(), "a byte too many");
}

BOOST_AUTO_TEST_CASE(other_alphabets_are_refused) {
  for (auto text : {"AQMDAv/////////7f/////////+sxD41", "AQEBAQAAAAAAAAAHZsJfqg==", "AQEAAAAAAAAAAAciPF5 ", "%41QEA"})
    BOOST_TEST(!parse_cursor(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
