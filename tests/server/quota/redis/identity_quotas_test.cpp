// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identity_quotas.hpp"

#include <array>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <latch>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "free_plan.hpp"

using petstore::quota::identity_quotas;
using petstore::quota::quota_names;
using petstore::quota::shared_identity;
using petstore::quota::shared_quota;
namespace limits = petstore::limits;

namespace {

struct identities {
  identity_quotas table{128, quota_names::of_identities("test")};  // two in each of the 64 parts

  /// Others come until each that can be forgotten is.
  void come_others() {
    for (std::uint64_t n = 1'000; n < 6'000; ++n) (void)table.pin(n);
  }
  shared_quota* find(std::uint64_t identity) {
    auto const known = table.find_and_pin(identity);
    return known ? &**known : nullptr;
  }
};

void give_tokens(shared_quota& q) {
  q.lease.install({}, 5, false);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_identities, identities)

BOOST_AUTO_TEST_CASE(those_that_come_and_go_are_at_most_so_many) {
  come_others();
  BOOST_TEST(table.other_count() <= 128u);
  BOOST_TEST(table.other_count() >= 64u);
  BOOST_TEST(!find(1'000));
}

BOOST_AUTO_TEST_CASE(a_walk_leaves_space_for_those_that_come) {
  identity_quotas full{64 * 32, quota_names::of_identities("test")};
  std::uint64_t next = 1'000;
  auto const some_come = [&] {
    for (int i = 0; i < 500; ++i) (void)full.pin(next++);
  };
  while (full.other_count() < 64 * 32) some_come();
  full.visit_part(0, [&](shared_quota&) { BOOST_CHECK_NO_THROW(some_come()); });
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_one_is_forgotten) {
  (void)table.pin(7);
  for (std::uint64_t n = 1'000; n < 6'000; ++n) {
    (void)table.pin(n);
    (void)table.pin(7);
  }
  BOOST_TEST(find(7));
}

BOOST_AUTO_TEST_CASE(one_whose_lease_is_empty_is_forgotten_before_one_that_holds_tokens) {
  give_tokens(*table.pin(7));
  auto* const first = find(7);
  come_others();
  BOOST_TEST(find(7) == first);
}

BOOST_AUTO_TEST_CASE(of_those_that_hold_tokens_the_least_recently_used_one_is_forgotten) {
  give_tokens(*table.pin(7));
  for (std::uint64_t n = 1'000; n < 6'000; ++n) give_tokens(*table.pin(n));
  BOOST_TEST(!find(7));
  BOOST_TEST(table.other_count() <= 128u);
}

BOOST_AUTO_TEST_CASE(one_that_account_of_returned_is_kept) {
  auto& account = table.account_of(7);
  auto* const before = &*table.pin(7);
  BOOST_TEST(before == &account.quota());
  BOOST_TEST(table.other_count() == 0u);
  come_others();
  BOOST_TEST(find(7) == before);
  BOOST_TEST(&table.account_of(7) == &account);
}

BOOST_AUTO_TEST_CASE(and_also_one_that_came_before) {
  auto* const before = &*table.pin(7);
  auto& account = table.account_of(7);
  BOOST_TEST(before == &account.quota());
  BOOST_TEST(&before->account == &account);
  BOOST_TEST(table.other_count() == 0u);
  come_others();
  BOOST_TEST(find(7) == before);
  BOOST_TEST(&*table.pin(7) == before);
}

BOOST_AUTO_TEST_CASE(after_a_reset_the_new_quota_is_found) {
  auto* const first = &*table.pin(7);
  auto* const second = &table.account_of(shared_identity{7, 1}).quota();
  BOOST_TEST(first != second);
  BOOST_TEST(&*table.pin(7) == second);
  BOOST_TEST(find(7) == second);
  BOOST_TEST(&table.account_of(7).quota() == second);
  BOOST_TEST(&**table.find_and_pin("{test:i:7}2") == first);
  BOOST_TEST(&**table.find_and_pin("{test:i:7.1}2") == second);
}

BOOST_AUTO_TEST_CASE(a_key_of_the_server_finds_its_quota) {
  auto* const other = &*table.pin(7);
  auto* const kept = &table.account_of(8).quota();
  (void)table.account_of(9);
  BOOST_TEST(&**table.find_and_pin("{test:i:7}2") == other);
  BOOST_TEST(&**table.find_and_pin("{test:i:8}2") == kept);
  for (std::string const unknown : {"{test:i:7.1}2", "{test:i:8.1}2", "{test:i:9}2", "{test:i:10}2", "{test:a:7}2"})
    BOOST_TEST(!table.find_and_pin(unknown).has_value(), unknown);
}

BOOST_AUTO_TEST_CASE(one_that_is_pinned_is_not_forgotten_and_a_new_one_is_refused_instead) {
  std::vector<petstore::quota::pin> pins;
  std::set<shared_quota*> pinned;
  std::uint64_t refused = 0;
  for (std::uint64_t n = 0; n < 5'000; ++n) {
    try {
      pinned.insert(&*pins.emplace_back(table.pin(n)));
    } catch (boost::system::system_error const& e) {
      BOOST_TEST((e.code() == boost::asio::error::no_buffer_space));
      ++refused;
    }
  }
  BOOST_TEST(pinned.size() == 128u);
  BOOST_TEST(refused == 5'000u - 128u);
  BOOST_TEST(table.other_count() == 128u);
  (void)table.account_of(5'001).quota();  // the kept ones have no limit
  pins.clear();
  (void)table.pin(5'000);
}

BOOST_AUTO_TEST_CASE(each_quota_is_in_one_part) {
  std::set<shared_quota*> all;
  for (std::uint64_t n = 0; n < 300; ++n) all.insert(&table.account_of(n).quota());
  for (std::uint64_t n = 300; n < 330; ++n) all.insert(&*table.pin(n));
  (void)table.account_of(400);  // has none
  all.insert(&*table.pin(401));
  (void)table.account_of(401);
  std::set<shared_quota*> visited;
  for (std::size_t part = 0; part < table.parts(); ++part)
    table.visit_part(part, [&](shared_quota& q) { BOOST_TEST(visited.insert(&q).second); });
  BOOST_TEST((visited == all));
}

BOOST_AUTO_TEST_CASE(of_two_threads_that_make_and_keep_one_each_gets_the_same_quota) {
  for (std::uint64_t n = 0; n < 200; ++n) {
    std::array<shared_quota*, 3> found{};
    std::latch all_are_there{3};
    {
      std::vector<std::jthread> threads;
      threads.emplace_back([&] {
        all_are_there.arrive_and_wait();
        found[0] = &*table.pin(n);
      });
      threads.emplace_back([&] {
        all_are_there.arrive_and_wait();
        found[1] = &table.account_of(n).quota();
      });
      all_are_there.arrive_and_wait();
      found[2] = &*table.pin(n);
    }
    BOOST_TEST(found[0] == found[1]);
    BOOST_TEST(found[1] == found[2]);
  }
}

BOOST_AUTO_TEST_SUITE_END()
