// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/pet.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(pet_)

using namespace petstore;

BOOST_AUTO_TEST_CASE(status_names_are_those_of_the_contract) {
  BOOST_TEST(to_string(pet_status::available) == "available");
  BOOST_TEST(to_string(pet_status::pending) == "pending");
  BOOST_TEST(to_string(pet_status::sold) == "sold");
}

BOOST_AUTO_TEST_CASE(status_is_parsed_from_its_exact_name_only) {
  for (auto s : {pet_status::available, pet_status::pending, pet_status::sold})
    BOOST_TEST((parse_pet_status(to_string(s)) == s));
  for (auto text : {"", "Available", "available ", "availabl", "placed", "1"})
    BOOST_TEST(!parse_pet_status(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(an_empty_patch_changes_nothing) {
  pet const before{.id = 7, .name = "Rex", .category_id = 3, .status = pet_status::sold};
  BOOST_TEST((apply(before, {}) == before));
}

BOOST_AUTO_TEST_CASE(a_patch_changes_what_it_names) {
  pet const before{.id = 7, .name = "Rex", .category_id = 3, .status = pet_status::sold};
  pet_patch patch;
  patch.name = "Max";
  patch.category_id = -1;
  patch.status.emplace(pet_status::pending);
  pet const after{.id = 7, .name = "Max", .category_id = -1, .status = pet_status::pending};
  BOOST_TEST((apply(before, patch) == after));
}

BOOST_AUTO_TEST_CASE(a_patch_can_remove_the_status) {
  pet_patch patch;
  patch.status.emplace();
  auto const after = apply({.id = 7, .name = "Rex", .category_id = 3, .status = pet_status::sold}, patch);
  BOOST_TEST(!after.status.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
