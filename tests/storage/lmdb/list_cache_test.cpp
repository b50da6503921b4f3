// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "list_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "storage/lists.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(lmdb_list_cache)

namespace {

using storage::lmdb::list_cache;

list_query list_after(std::int64_t after) {
  return pet_list{.status = {}, .category_id = {}, .after = after};
}

void ask_twice(list_cache& cache, list_query const& q, std::string_view json) {
  for (int i = 0; i < 2; ++i)
    if (!cache.find(q)) cache.offer(q, {.next_after = q.after + 20, .count = 20}, json);
}

}  // namespace

BOOST_AUTO_TEST_CASE(list_is_kept_from_the_second_time_it_is_asked_for) {
  list_cache cache;
  auto const q = list_after(7);
  BOOST_TEST(!cache.find(q));
  cache.offer(q, {.next_after = 27, .count = 20}, "[1]");
  BOOST_TEST(!cache.find(q));
  cache.offer(q, {.next_after = 27, .count = 20}, "[1]");
  auto const* const kept = cache.find(q);
  BOOST_REQUIRE(kept);
  BOOST_TEST(kept->json == "[1]");
  BOOST_TEST(kept->end.next_after.value() == 27);
  BOOST_TEST(kept->end.count == 20u);
}

BOOST_AUTO_TEST_CASE(queries_that_differ_in_one_thing_are_different_lists) {
  list_cache cache;
  list_query const q = pet_list{.status = pet_status::sold, .category_id = 4, .after = 3, .limit = 20};
  ask_twice(cache, q, "[1]");
  list_query orders = q;
  orders.kind = record_kind::order;
  BOOST_TEST(!cache.find(orders));
  list_query const others[] = {
      pet_list{.status = {}, .category_id = 4, .after = 3},
      pet_list{.status = pet_status::sold, .category_id = {}, .after = 3},
      pet_list{.status = pet_status::sold, .category_id = 0, .after = 3},
      pet_list{.status = pet_status::sold, .category_id = 4, .after = 2},
      pet_list{.status = pet_status::sold, .category_id = 4, .after = 3, .limit = 21},
  };
  for (auto const& each : others) BOOST_TEST(!cache.find(each));
  BOOST_TEST(cache.find(q));
}

BOOST_AUTO_TEST_CASE(walk_displaces_no_list) {
  list_cache cache;
  ask_twice(cache, list_after(0), "[first]");
  for (std::int64_t after = 20; after < 20'000; after += 20) {
    BOOST_TEST(!cache.find(list_after(after)));
    cache.offer(list_after(after), {}, "[other]");
  }
  BOOST_TEST(cache.find(list_after(0)));
}

BOOST_AUTO_TEST_CASE(list_that_was_not_used_for_longest_makes_way) {
  list_cache cache;
  auto const count = static_cast<std::int64_t>(list_cache::lists_max);
  for (std::int64_t after = 0; after < count; ++after) ask_twice(cache, list_after(after), "[]");
  BOOST_TEST(cache.find(list_after(0)));
  ask_twice(cache, list_after(count), "[]");
  BOOST_TEST(!cache.find(list_after(1)));
  for (std::int64_t after : {std::int64_t{0}, std::int64_t{2}, count - 1, count})
    BOOST_TEST(cache.find(list_after(after)));
}

BOOST_AUTO_TEST_CASE(large_list_is_not_kept) {
  list_cache cache;
  ask_twice(cache, list_after(0), std::string(list_cache::list_bytes_max, ' '));
  ask_twice(cache, list_after(1), std::string(list_cache::list_bytes_max + 1, ' '));
  BOOST_TEST(cache.find(list_after(0)));
  BOOST_TEST(!cache.find(list_after(1)));
}

BOOST_AUTO_TEST_CASE(new_state_has_no_list_until_it_is_read_once) {
  list_cache cache;
  ask_twice(cache, list_after(0), "[old]");
  cache.clear();
  BOOST_TEST(!cache.find(list_after(0)));
  cache.offer(list_after(0), {}, "[new]");
  BOOST_REQUIRE(cache.find(list_after(0)));
  BOOST_TEST(cache.find(list_after(0))->json == "[new]");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
