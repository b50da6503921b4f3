// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/unused_memory.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "admin/process_figures.hpp"
#include "support/sanitizers.hpp"

namespace petstore::program {

BOOST_AUTO_TEST_SUITE(unused_memory_suite)

namespace {

constexpr std::size_t block_bytes = 100'000;  // below what malloc maps by itself
constexpr std::size_t blocks = 2 * unused_memory::kept_max / block_bytes;

/// Frees many blocks below one that stays, and returns that one.
std::string free_much() {
  std::vector<std::string> crowd(blocks);
  for (auto& each : crowd) each.assign(block_bytes, 'x');
  return std::string(block_bytes, 'y');
}

BOOST_AUTO_TEST_CASE(what_a_crowd_has_left_is_given_back_once) {
  if (PETSTORE_TESTS_ARE_SANITIZED) {
    BOOST_TEST_MESSAGE("SKIPPED: the malloc of a sanitizer gives nothing back");
    return;
  }
  unused_memory tested;
  tested.give_back();
  for (int time = 0; time < 2; ++time) {
    auto const stays = free_much();
    auto const before = resident_anonymous_bytes();
    BOOST_TEST(tested.give_back(), "time " << time);
    BOOST_TEST(resident_anonymous_bytes() + unused_memory::kept_max < before, "time " << time);
    BOOST_TEST(!tested.give_back(), "time " << time);
  }
}

BOOST_AUTO_TEST_CASE(what_is_in_use_is_left_alone) {
  unused_memory tested;
  tested.give_back();
  std::vector<std::string> const crowd(blocks, std::string(block_bytes, 'x'));
  BOOST_TEST(!tested.give_back());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
