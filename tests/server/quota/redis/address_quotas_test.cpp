// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "address_quotas.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(quota_redis_addresses)

using petstore::quota::address_quotas;
using petstore::quota::quota_names;
namespace limits = petstore::limits;

namespace {

limits::address number(unsigned n) {
  limits::address a{};
  a.bytes[14] = static_cast<unsigned char>(n >> 8);
  a.bytes[15] = static_cast<unsigned char>(n & 255);
  return a;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_table_has_a_limit) {
  address_quotas table(128, quota_names::of_addresses("test"));
  for (unsigned n = 0; n < 5'000; ++n) (void)table.pin(number(n));
  BOOST_TEST(table.size() <= 128u);
  BOOST_TEST(table.size() >= 64u);
}

BOOST_AUTO_TEST_CASE(who_is_pinned_stays_and_strangers_share_the_rest) {
  address_quotas table(128, quota_names::of_addresses("test"));
  std::vector<petstore::quota::pin> pins;
  std::set<petstore::quota::shared_quota*> own, shared;
  for (unsigned n = 0; n < 5'000; ++n) {
    auto& q = *pins.emplace_back(table.pin(number(n)));
    (q.of == petstore::quota::shared_quota::owner::addresses ? shared : own).insert(&q);
  }
  BOOST_TEST(own.size() == 128u);
  BOOST_TEST(table.size() == 128u);
  BOOST_TEST(shared.size() <= 256u);
  BOOST_TEST(shared.size() > 100u);
  for (auto* q : own) BOOST_TEST(q->pins == 1u);
}

BOOST_AUTO_TEST_CASE(a_walk_leaves_space_for_those_that_come) {
  address_quotas full(64 * 32, quota_names::of_addresses("test"));
  unsigned next = 0;
  while (full.size() < 64 * 32) (void)full.pin(number(next++));
  full.visit_part(0, [&](petstore::quota::shared_quota&) {
    for (int i = 0; i < 500; ++i)
      BOOST_TEST(((*full.pin(number(next++))).of == petstore::quota::shared_quota::owner::address));
  });
}

BOOST_AUTO_TEST_CASE(each_quota_is_in_one_part_and_stays_while_it_is_visited) {
  address_quotas table(128, quota_names::of_addresses("test"));
  std::vector<petstore::quota::pin> pinned;
  std::set<petstore::quota::shared_quota*> all;
  for (unsigned n = 0; n < 500; ++n) all.insert(&*pinned.emplace_back(table.pin(number(n))));  // some of them share
  std::map<petstore::quota::shared_quota*, std::uint32_t> pins;
  for (auto* q : all) pins[q] = q->pins;
  std::set<petstore::quota::shared_quota*> visited;
  for (std::size_t part = 0; part < address_quotas::parts; ++part)
    table.visit_part(part, [&](petstore::quota::shared_quota& q) {
      BOOST_TEST(visited.insert(&q).second);
      BOOST_TEST(q.pins == pins[&q] + 1);
    });
  BOOST_TEST((visited == all));
  for (auto* q : all) BOOST_TEST(q->pins == pins[q]);
}

BOOST_AUTO_TEST_SUITE_END()
