// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "block.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace petstore::quota {

BOOST_AUTO_TEST_SUITE(quota_blocks)

using shared_block = block<std::shared_ptr<int>>;

BOOST_AUTO_TEST_CASE(a_block_has_places_for_64_objects_which_stay) {
  shared_block all;
  BOOST_TEST(all.is_empty());
  std::vector<std::shared_ptr<int>*> made;
  for (int i = 0; i < 64; ++i) {
    BOOST_TEST(!all.is_full());
    made.push_back(&all.emplace(std::make_shared<int>(i)));
  }
  BOOST_TEST(all.is_full());
  for (std::size_t place = 0; place < shared_block::size; ++place) BOOST_TEST(all.find(place) == made[place]);
}

BOOST_AUTO_TEST_CASE(an_erased_place_is_used_again) {
  shared_block all;
  for (int i = 0; i < 64; ++i) all.emplace(std::make_shared<int>(i));
  std::weak_ptr<int> const erased = *all.find(7);
  all.erase(7);
  BOOST_TEST(erased.expired());
  BOOST_TEST(!all.find(7));
  auto& again = all.emplace(std::make_shared<int>(100));
  BOOST_TEST(all.find(7) == &again);
  BOOST_TEST(all.is_full());
}

BOOST_AUTO_TEST_CASE(what_is_left_ends_with_its_block) {
  auto const counted = std::make_shared<int>(1);
  {
    shared_block all;
    all.emplace(counted);
    all.emplace(counted);
    all.erase(0);
    BOOST_TEST(counted.use_count() == 2);
  }
  BOOST_TEST(counted.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::quota
