// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/path_template.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(path_template_)

namespace {

constexpr path_template fixed{"/store/orders"};
constexpr path_template photo{"/pets/{petId}/photos/{photoId}"};
constexpr path_template photos{"/pets/{petId}/photos"};

/// nullopt: another path.
std::optional<path_ids> ids_in(path_template const& t, std::string_view path) {
  path_ids ids;
  return t.match(path, ids) ? std::optional{ids} : std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_path_without_ids_is_itself_alone) {
  BOOST_TEST(ids_in(fixed, "/store/orders").has_value());
  for (auto const* other :
       {"", "/", "/store", "/store/", "/store/orders/", "/store/orders/1", "/store/order", "store/orders"})
    BOOST_TEST(!ids_in(fixed, other).has_value(), other);
}

BOOST_AUTO_TEST_CASE(ids_stand_in_any_segment_in_their_order) {
  auto const found = ids_in(photo, "/pets/7/photos/-12");
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->are_possible);
  BOOST_TEST(found->numbers[0] == 7);
  BOOST_TEST(found->numbers[1] == -12);
  BOOST_TEST(ids_in(photos, "/pets/9/photos").value().numbers[0] == 9);
}

BOOST_AUTO_TEST_CASE(a_segment_is_neither_empty_nor_two) {
  for (auto const* other : {"/pets//photos", "/pets/7/photos/", "/pets/7/8/photos", "/pets/7", "/pets/7photos"})
    BOOST_TEST(!ids_in(photos, other).has_value(), other);
  for (auto const* other : {"/pets/7/photos", "/pets/7/photos/", "/pets/7/photos/8/", "/pets/7/photos/8/9"})
    BOOST_TEST(!ids_in(photo, other).has_value(), other);
}

BOOST_AUTO_TEST_CASE(what_is_no_int64_is_an_id_that_nothing_has) {
  for (auto const* path : {"/pets/x/photos/8", "/pets/7/photos/08", "/pets/9223372036854775808/photos/8"}) {
    auto const found = ids_in(photo, path);
    BOOST_REQUIRE_MESSAGE(found.has_value(), path);
    BOOST_TEST(!found->are_possible, path);
  }
}

BOOST_AUTO_TEST_CASE(a_segment_that_is_partly_an_id_is_no_template) {
  for (auto const* text : {"/pets/a{petId}", "/pets/{petId}.json", "{petId}", "/a/{x}/b/{y}/c/{z}"})
    BOOST_CHECK_THROW(path_template{text}, std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
