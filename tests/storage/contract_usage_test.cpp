// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <ostream>

#include "storage/backends.hpp"
#include "support/free_key.hpp"

namespace petstore::ports {
std::ostream& operator<<(std::ostream& out, usage_of_day const& u) {
  return out << "day " << u.day.time_since_epoch().count() << ": " << u.admitted << " admitted, " << u.refused
             << " refused";
}
std::ostream& operator<<(std::ostream& out, last_use const& u) {
  return out << "key " << u.key << " at " << u.at.time_since_epoch().count();
}
}  // namespace petstore::ports

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_usage)

namespace {

using ports::usage_of_day;
using ports::usage_of_key;
using std::chrono::days;
using std::chrono::minutes;
using std::chrono::sys_days;

sys_days const today = std::chrono::floor<days>(noon);

/// Usage at a time, which is in no other batch.
usage_of_key use(std::uint64_t key, unix_ms at, std::uint64_t admitted, std::uint64_t refused = 0) {
  return {.key = key, .day = std::chrono::floor<days>(at), .admitted = admitted, .refused = refused, .last_used = at};
}

void add(test_store& store, std::vector<usage_of_key> rows) {
  static char batches = 0;
  BOOST_REQUIRE(store.add_usage({.token = {++batches}, .rows = std::move(rows)}));
}

}  // namespace

PETSTORE_CONTRACT_CASE(key_that_was_never_used_has_no_usage) {
  BOOST_TEST(store.read_usage(1, today - days{400}, today)->empty());
  BOOST_TEST(store.read_last_uses(0, 1'000)->empty());
}

PETSTORE_CONTRACT_CASE(counts_of_a_day_add_up) {
  add(store, {use(7, noon, 5, 1)});
  add(store, {use(7, noon + minutes{1}, 2, 3)});
  std::vector<usage_of_day> const expected{{.day = today, .admitted = 7, .refused = 4}};
  BOOST_TEST(store.read_usage(7, today, today).value() == expected, boost::test_tools::per_element());
}

PETSTORE_CONTRACT_CASE(days_and_keys_are_counted_apart) {
  add(store, {use(1, noon - days{1}, 10), use(1, noon, 20), use(2, noon, 30)});
  std::vector<usage_of_day> const of_first{{today - days{1}, 10, 0}, {today, 20, 0}};
  BOOST_TEST(store.read_usage(1, today - days{9}, today + days{9}).value() == of_first,
             boost::test_tools::per_element());
  BOOST_TEST(store.read_usage(1, today, today)->size() == 1u);
  BOOST_TEST(store.read_usage(2, today - days{9}, today - days{1})->empty());
  BOOST_TEST(store.read_usage(2, today, today)->front().admitted == 30u);
}

PETSTORE_CONTRACT_CASE(large_counts_are_kept) {
  auto const many = std::uint64_t{1} << 40;
  auto const last_key = (std::uint64_t{1} << 63) - 1;
  add(store, {use(last_key, noon, many, many + 1)});
  add(store, {use(last_key, noon, many, many)});
  auto const sum = store.read_usage(last_key, today, today)->front();
  BOOST_TEST(sum == (usage_of_day{today, 2 * many, 2 * many + 1}));
  BOOST_TEST(store.read_last_uses(last_key, last_key)->size() == 1u);
}

PETSTORE_CONTRACT_CASE(the_later_use_is_the_last_one) {
  add(store, {use(1, noon, 1), use(2, noon - days{1}, 1), use(2, noon, 1)});
  add(store, {use(1, noon - minutes{5}, 1), use(2, noon + minutes{5}, 1)});  // a node that is late
  std::vector<ports::last_use> const expected{{1, noon}, {2, noon + minutes{5}}};
  BOOST_TEST(store.read_last_uses(0, 1'000).value() == expected, boost::test_tools::per_element());
}

PETSTORE_CONTRACT_CASE(last_uses_are_read_by_range) {
  std::vector<usage_of_key> rows;
  for (std::uint64_t key : {1u, 3u, 255u, 256u, 70'000u}) rows.push_back(use(key, noon, 1));
  add(store, std::move(rows));
  auto const keys_in = [&](std::uint64_t first, std::uint64_t last) {
    std::vector<std::uint64_t> keys;
    auto const found = store.read_last_uses(first, last);
    for (auto const& u : *found) keys.push_back(u.key);
    return keys;
  };
  using list = std::vector<std::uint64_t>;
  BOOST_TEST(keys_in(3, 256) == (list{3, 255, 256}), boost::test_tools::per_element());
  BOOST_TEST(keys_in(2, 2).empty());
  BOOST_TEST(keys_in(0, std::numeric_limits<std::uint64_t>::max()).size() == 5u);
}

PETSTORE_CONTRACT_CASE(usage_changes_neither_keys_nor_their_version) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  auto const version = store.keys_version().value();
  auto const before = store.archive_of_keys();
  add(store, {use(1, noon, 1)});
  BOOST_TEST(store.keys_version().value() == version);
  BOOST_TEST((store.archive_of_keys() == before));
}

PETSTORE_CONTRACT_CASE(empty_batch_adds_nothing) {
  add(store, {});
  BOOST_TEST(store.read_last_uses(0, 1'000)->empty());
}

PETSTORE_CONTRACT_CASE(many_keys_are_added_at_once) {
  std::vector<usage_of_key> rows;
  for (std::uint64_t key = 1; key <= 5'000; ++key) rows.push_back(use(key, noon, key));
  add(store, rows);
  add(store, rows);
  BOOST_TEST(store.read_usage(4'321, today, today)->front().admitted == 2u * 4'321);
  BOOST_TEST(store.read_last_uses(1, 5'000)->size() == 5'000u);
}

/// PostgreSQL forgets by its own clock (postgres/plans_test.cpp).
using forgetful_backends = std::tuple<on::memory, on::lmdb>;
BOOST_AUTO_TEST_CASE_TEMPLATE(days_before_the_last_400_are_forgotten, Backend, forgetful_backends) {
  Backend backend;
  auto& store = backend.store;
  add(store, {use(1, noon, 1), use(2, noon, 1)});
  add(store, {use(1, noon + days{390}, 1)});
  add(store, {use(1, noon + days{400}, 1)});
  BOOST_TEST(store.read_usage(1, today, today + days{400})->size() == 3u);
  add(store, {use(1, noon + days{401}, 1)});
  BOOST_TEST(store.read_usage(1, today, today + days{401})->size() == 3u);
  BOOST_TEST(store.read_usage(2, today, today)->empty());
  BOOST_TEST((store.read_last_uses(2, 2)->front().at == noon));
}

BOOST_AUTO_TEST_CASE(clock_that_is_wrong_for_some_days_makes_the_store_on_disk_forget_nothing) {
  on::lmdb backend;
  auto& store = backend.store;
  add(store, {use(1, noon - days{10}, 1), use(1, noon, 1)});
  for (int day = 0; day < 7; ++day) add(store, {use(1, noon + days{4'000 + day}, 1)});
  add(store, {use(1, noon, 1)});
  BOOST_TEST(store.read_usage(1, today - days{10}, today)->size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
