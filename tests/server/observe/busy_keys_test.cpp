// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/busy_keys.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <random>
#include <thread>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(busiest)

namespace {

std::map<std::uint64_t, key_count> read(busy_keys const& b) {
  std::vector<key_count> all;
  b.collect(all);
  std::map<std::uint64_t, key_count> by_key;
  for (auto const& c : all) BOOST_TEST(by_key.emplace(c.key, c).second, "key " << c.key << " has two places");
  return by_key;
}

BOOST_AUTO_TEST_CASE(few_keys_are_counted_exactly) {
  auto const b = std::make_unique<busy_keys>();
  for (std::uint64_t key = 1; key <= 4; ++key)
    for (std::uint64_t n = 0; n < 10 * key; ++n) b->count(key);
  auto const seen = read(*b);
  BOOST_TEST(seen.size() == 4u);
  for (auto const& [key, c] : seen) BOOST_TEST((c == key_count{key, 10 * key, 0}));
}

BOOST_AUTO_TEST_CASE(a_busy_key_is_there_among_very_many_and_bounded) {
  auto const b = std::make_unique<busy_keys>();
  std::map<std::uint64_t, std::uint64_t> truth;
  std::mt19937_64 random{7};
  std::uint64_t total = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Every tenth request is the busy key's; the others are of a hundred thousand.
    std::uint64_t const key = i % 10 == 0 ? 17 : 1000 + random() % 100'000;
    b->count(key);
    ++truth[key];
    ++total;
  }
  auto const seen = read(*b);
  BOOST_TEST(seen.size() <= busy_keys::set_count * busy_keys::ways);
  BOOST_REQUIRE(seen.contains(17));
  for (auto const& [key, c] : seen) {
    BOOST_TEST(c.count >= truth[key]);
    BOOST_TEST(c.count - c.floor <= truth[key]);
    BOOST_TEST(c.floor <= total / busy_keys::ways);
  }
}

BOOST_AUTO_TEST_CASE(differences_are_exact_while_a_key_keeps_its_place) {
  auto const b = std::make_unique<busy_keys>();
  for (std::uint64_t key = 1; key <= 10'000; ++key) b->count(key);
  b->count(42);
  auto const before = read(*b).at(42);
  for (int i = 0; i < 500; ++i) b->count(42);
  auto const after = read(*b).at(42);
  BOOST_TEST(after.floor == before.floor);
  BOOST_TEST(after.count - before.count == 500u);
}

BOOST_AUTO_TEST_CASE(reading_while_it_counts_yields_only_keys_that_asked) {
  auto const b = std::make_unique<busy_keys>();
  std::atomic<bool> done{false};
  std::thread counting{[&] {
    for (std::uint64_t i = 0; i < 100'000; ++i) b->count(1 + i % 5'000);
    done = true;
  }};
  while (!done) {
    std::vector<key_count> all;
    b->collect(all);
    auto const is_sound = [](key_count const& c) { return c.key >= 1 && c.key <= 5'000 && c.floor <= c.count; };
    bool const are_sound = std::ranges::all_of(all, is_sound);
    if (!are_sound) BOOST_ERROR("a key that never asked, or a floor above its count");
  }
  counting.join();
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
