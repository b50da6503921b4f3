// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <limits>
#include <random>

#include "petstore/enumeration.hpp"
#include "storage/backends.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_lists)

namespace {

using ids = std::vector<std::int64_t>;
constexpr std::optional<pet_status> pet_statuses[] = {{}, pet_status::available, pet_status::pending, pet_status::sold};

}  // namespace

PETSTORE_CONTRACT_CASE(empty_store_lists_an_empty_array) {
  std::string json = "kept:";
  auto const end = store.list(pet_list{}, json);
  BOOST_REQUIRE(end);
  BOOST_TEST(json == "kept:[]");
  BOOST_TEST(end->count == 0u);
  BOOST_TEST(!end->next_after);
}

PETSTORE_CONTRACT_CASE(list_is_the_records_as_read_joined_by_commas) {
  auto const rex = store.add_pet(pet_status::sold);
  auto const max = store.add_pet(std::nullopt);
  std::string json;
  BOOST_REQUIRE(store.list(pet_list{}, json));
  BOOST_TEST(json == "[" + rex.json + "," + max.json + "]");
}

PETSTORE_CONTRACT_CASE(page_that_is_asked_again_shows_every_write_in_between) {
  store.add_pet(pet_status::sold, 1, "Rex");
  list_query const sold = pet_list{.status = pet_status::sold, .category_id = {}};
  auto const again = [&] {
    std::string json;
    for (int i = 0; i < 4; ++i) {
      json.clear();
      BOOST_REQUIRE(store.list(sold, json));
    }
    return json;
  };
  BOOST_TEST(again().find("Rex") != std::string::npos);
  BOOST_REQUIRE(store.update_pet(1, {.name = "Max", .category_id = {}, .status = {}}));
  BOOST_TEST(again().find("Max") != std::string::npos);
  auto const max = store.add_pet(pet_status::sold, 1, "Bo");
  BOOST_TEST(again().find("Bo") != std::string::npos);
  BOOST_REQUIRE(store.delete_pet(1));
  BOOST_TEST(again() == "[" + max.json + "]");
}

PETSTORE_CONTRACT_CASE(full_page_names_a_successor_only_when_there_is_one) {
  for (int i = 0; i < 4; ++i) store.add_pet(std::nullopt);
  std::string json;
  BOOST_TEST(store.list(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 3}, json)->next_after.value() ==
             3);
  BOOST_TEST(!store.list(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 4}, json)->next_after);
  BOOST_TEST(!store.list(pet_list{.status = {}, .category_id = {}, .after = 1, .limit = 3}, json)->next_after);
}

PETSTORE_CONTRACT_CASE(walk_may_begin_anywhere) {
  for (int i = 0; i < 3; ++i) store.add_pet(pet_status::sold);
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  constexpr auto min = std::numeric_limits<std::int64_t>::min();
  for (auto status : {std::optional<pet_status>{}, std::optional{pet_status::sold}}) {
    BOOST_TEST(store.walk(pet_list{.status = status, .category_id = {}, .after = max}).empty());
    BOOST_TEST(store.walk(pet_list{.status = status, .category_id = {}, .after = min}).size() == 3u);
    BOOST_TEST(store.walk(pet_list{.status = status, .category_id = {}, .after = 2}).size() == 1u);
  }
}

PETSTORE_CONTRACT_CASE(every_filter_and_pair_of_animals_agrees_with_a_plain_scan) {
  std::mt19937 random{7};  // the same store each time
  constexpr std::int64_t categories[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                         std::numeric_limits<std::int64_t>::max()};
  std::vector<pet> plain;
  auto const any_status = [&] { return pet_statuses[random() % 4]; };
  auto const any_category = [&] { return categories[random() % 5]; };
  for (int i = 0; i < 60; ++i) {
    auto const added = store.add_pet(any_status(), any_category());
    plain.push_back(store.pet_of(added.id));
  }
  for (int i = 0; i < 40; ++i) {
    auto const at = plain.begin() + static_cast<std::ptrdiff_t>(random() % plain.size());
    if (random() % 3 == 0) {
      BOOST_REQUIRE(store.delete_pet(at->id));
      plain.erase(at);
    } else {
      pet_patch const patch{.name = {}, .category_id = any_category(), .status = any_status()};
      BOOST_REQUIRE(store.update_pet(at->id, patch));
      *at = apply(*at, patch);
    }
  }
  for (auto status : pet_statuses)
    for (int c = -1; c < 5; ++c)
      for (std::uint32_t limit : {1u, 3u, 100u}) {
        pet_list q{.status = status, .category_id = {}, .after = 0, .limit = limit};
        if (c >= 0) q.category_id = categories[c];
        ids expected;
        for (auto const& p : plain)
          if ((!status || p.status == status) && (!q.category_id || p.category_id == *q.category_id))
            expected.push_back(p.id);
        BOOST_TEST(store.walk(q) == expected, boost::test_tools::per_element());
      }
}

PETSTORE_CONTRACT_CASE(every_filter_and_pair_of_orders_agrees_with_a_plain_scan) {
  std::mt19937 random{11};
  std::vector<order> plain;
  for (int pet = 1; pet <= 4; ++pet) store.add_pet(pet_status::available);
  for (int i = 0; i < 60; ++i) {
    auto const pet = static_cast<std::int64_t>(random() % 4 + 1);
    if (store.pet_of(pet).status == pet_status::sold)
      BOOST_REQUIRE(store.update_pet(pet, {.name = {}, .category_id = {}, .status = pet_status::available}));
    if (auto const placed = store.create_order(pet)) plain.push_back(store.order_of(placed->id));
    auto& o = plain[random() % plain.size()];
    auto const step = static_cast<order_status>(random() % 4 + 1);
    if (store.update_order(o.id, step)) o.status = step;
  }
  BOOST_TEST(plain.size() > 10u);
  for (int s = 0; s <= 4; ++s)
    for (std::int64_t pet = 0; pet <= 5; ++pet)
      for (std::uint32_t limit : {1u, 3u, 100u}) {
        order_list q{.status = {}, .pet_id = {}, .after = 0, .limit = limit};
        if (s != 0) q.status = static_cast<order_status>(s);
        if (pet != 0) q.pet_id = pet;
        ids expected;
        for (auto const& o : plain)
          if ((!q.status || o.status == *q.status) && (!q.pet_id || o.pet_id == *q.pet_id)) expected.push_back(o.id);
        BOOST_TEST(store.walk(q) == expected, boost::test_tools::per_element());
      }
}

PETSTORE_CONTRACT_CASE(a_list_can_be_narrowed_by_every_combination_of_filters) {
  for (auto const& kind : enumerators<record_kind>)
    for (unsigned bits = 0; bits < 1u << filters_of(kind.value).size(); ++bits) {
      list_query q{.kind = kind.value};
      for (std::size_t i = 0; i < filters_max; ++i)
        if ((bits >> i & 1) != 0) q.filters[i] = 1;
      std::string json;
      BOOST_REQUIRE(store.list(q, json));
      BOOST_TEST(json == "[]", kind.word << " " << bits);
    }
}

PETSTORE_CONTRACT_CASE(walk_over_a_changing_store_repeats_nothing_and_skips_nothing_that_stays) {
  for (int i = 0; i < 6; ++i) store.add_pet(pet_status::available);
  pet_list q{.status = pet_status::available, .category_id = {}, .after = 0, .limit = 2};
  ports::page_end end;
  BOOST_TEST(store.page(q, &end) == (ids{1, 2}), boost::test_tools::per_element());

  BOOST_REQUIRE(store.delete_pet(2));  // the one the cursor stands on
  BOOST_REQUIRE(store.delete_pet(3));
  BOOST_REQUIRE(store.update_pet(1, {.name = "Max", .category_id = {}, .status = {}}));
  BOOST_REQUIRE(store.update_pet(5, {.name = {}, .category_id = {}, .status = pet_status::sold}));
  store.add_pet(pet_status::available);

  q.after = end.next_after.value();
  BOOST_TEST(store.page(q, &end) == (ids{4, 6}), boost::test_tools::per_element());
  q.after = end.next_after.value();
  BOOST_TEST(store.page(q, &end) == (ids{7}), boost::test_tools::per_element());
  BOOST_TEST(!end.next_after);
}

PETSTORE_CONTRACT_CASE(categories_are_listed_in_pages) {
  for (auto const* name : {"a", "b", "c"}) BOOST_REQUIRE(store.create_category(name));
  BOOST_TEST(store.walk(category_list{.after = 0, .limit = 1}) == (ids{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
