// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "back_off.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::storage::postgres {

BOOST_AUTO_TEST_SUITE(back_offs)

namespace {

using std::chrono::milliseconds;
constexpr milliseconds first{100};
constexpr milliseconds longest{5'000};

BOOST_AUTO_TEST_CASE(wait_doubles_up_to_the_longest) {
  BOOST_TEST((back_off(1, first, longest, 1.0) == milliseconds{100}));
  BOOST_TEST((back_off(2, first, longest, 1.0) == milliseconds{200}));
  BOOST_TEST((back_off(6, first, longest, 1.0) == milliseconds{3'200}));
  BOOST_TEST((back_off(7, first, longest, 1.0) == longest));
  BOOST_TEST((back_off(4'000'000'000u, first, longest, 1.0) == longest));
}

BOOST_AUTO_TEST_CASE(half_of_it_is_by_lot) {
  BOOST_TEST((back_off(1, first, longest, 0.0) == milliseconds{50}));
  BOOST_TEST((back_off(7, first, longest, 0.5) == milliseconds{3'750}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::storage::postgres
