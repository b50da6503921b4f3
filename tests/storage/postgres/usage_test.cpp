// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(usage)

namespace {

std::chrono::sys_days const today = std::chrono::floor<std::chrono::days>(noon);

ports::usage_batch batch_of(char token, std::uint64_t admitted) {
  return {.token = {token}, .rows = {{.key = 1, .day = today, .admitted = admitted, .refused = 1, .last_used = noon}}};
}

std::uint64_t admitted_in(test_store& store) {
  return store.read_usage(1, today, today)->front().admitted;
}

}  // namespace

PETSTORE_POSTGRES_CASE(counts_of_two_nodes_add_up) {
  auto const uri = postgres_server::shared().create_database();
  auto one = open_store(options_for(uri));
  auto other = open_store(options_for(uri));
  BOOST_REQUIRE(one.add_usage(batch_of(1, 10)));
  BOOST_REQUIRE(other.add_usage(batch_of(2, 5)));
  BOOST_TEST(admitted_in(one) == 15u);
  BOOST_TEST(admitted_in(other) == 15u);
}

PETSTORE_POSTGRES_CASE(batch_that_is_added_again_counts_once) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  BOOST_REQUIRE(store.add_usage(batch_of(1, 10)));
  BOOST_REQUIRE(store.add_usage(batch_of(1, 10)));
  BOOST_TEST(admitted_in(store) == 10u);
  BOOST_REQUIRE(store.add_usage(batch_of(2, 10)));
  BOOST_TEST(admitted_in(store) == 20u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
