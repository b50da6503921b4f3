// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/suggestion.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(suggestion)

using petstore::program::suggestion_for;

BOOST_AUTO_TEST_CASE(the_nearest_of_those_at_most_two_letters_away_is_meant) {
  BOOST_TEST(suggestion_for("lisen", {"store", "listen", "list"}) == "; did you mean `listen`?");
  BOOST_TEST(suggestion_for("lits", {"create", "list"}) == "; did you mean `list`?");
  BOOST_TEST(suggestion_for("isten", {"lists", "listen"}) == "; did you mean `listen`?");
  BOOST_TEST(suggestion_for("sohw", {"set", "show"}) == "; did you mean `show`?");
  BOOST_TEST(suggestion_for("--per-minutes", {"--per-minute", "--per-day"}) == "; did you mean `--per-minute`?");
}

BOOST_AUTO_TEST_CASE(what_is_near_nothing_has_no_suggestion) {
  BOOST_TEST(suggestion_for("fly", {"serve", "keys"}) == "");
  BOOST_TEST(suggestion_for("a", {"b"}) == "");
  BOOST_TEST(suggestion_for("", {"b"}) == "");
  BOOST_TEST(suggestion_for("x", {}) == "");
  BOOST_TEST(suggestion_for(std::string(100'000, 'x'), {std::string(100'000, 'x')}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
