// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <optional>

#include "petstore/server/key_check_cache.hpp"
#include "support/allocation_count.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(key_check_cache_allocations)

BOOST_AUTO_TEST_CASE(a_remembered_answer_takes_no_memory) {
  if (!allocations_are_counted()) return;
  struct : server::key_check {
    ports::eventual<std::optional<server::principal>> check(std::string_view, limits::instant) override {
      return std::optional{server::principal{.identity = 7, .plan = {limits::per_minute(60)}}};
    }
  } check;
  server::key_check_cache cache{check};
  auto const now = limits::now();
  auto const ask = [&] { return cache.check("customer-7", now).take().has_value(); };
  BOOST_TEST(ask());
  auto const before = allocation_count();
  bool is_known = true;
  for (int i = 0; i < 100; ++i) is_known = is_known && ask();
  auto const after = allocation_count();
  BOOST_TEST(is_known);
  BOOST_TEST(after == before);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
