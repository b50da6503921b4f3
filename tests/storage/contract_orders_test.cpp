// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/backends.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_orders)

namespace {

using std::chrono::seconds;

}  // namespace

PETSTORE_CONTRACT_CASE(order_reserves_its_animal_at_once) {
  auto const rex = store.add_pet(pet_status::available);
  auto const placed = store.create_order(rex.id);
  BOOST_REQUIRE(placed);
  BOOST_TEST(placed->id == 1);
  BOOST_TEST(placed->tag.revision == 1u);
  BOOST_TEST(
      store.order_of(1) ==
      (order{.id = 1, .pet_id = rex.id, .status = order_status::placed, .created_at = noon, .updated_at = noon}));
  BOOST_TEST(store.pet_of(rex.id).status.value() == pet_status::pending);
  std::string json;
  BOOST_TEST(store.read_pet(rex.id, json)->revision == 2u);
}

PETSTORE_CONTRACT_CASE(order_for_an_unknown_animal_is_not_found) {
  PETSTORE_REFUSED(store.create_order(1), not_found);
}

PETSTORE_CONTRACT_CASE(order_for_an_animal_that_is_not_available_is_a_conflict) {
  std::optional<pet_status> const others[] = {{}, pet_status::pending, pet_status::sold};
  for (auto status : others) {
    auto const rex = store.add_pet(status);
    PETSTORE_REFUSED(store.create_order(rex.id), conflict);
    BOOST_TEST((store.pet_of(rex.id).status == status));
  }
}

PETSTORE_CONTRACT_CASE(second_order_for_one_animal_is_a_conflict) {
  auto const rex = store.add_pet(pet_status::available);
  store.add_order(rex.id);
  PETSTORE_REFUSED(store.create_order(rex.id), conflict);
  BOOST_TEST(store.walk(order_list{}).size() == 1u);
}

PETSTORE_CONTRACT_CASE(steps_of_an_order_are_those_of_its_state_machine) {
  constexpr order_status all[] = {order_status::placed, order_status::approved, order_status::delivered,
                                  order_status::cancelled};
  for (auto from : all)
    for (auto to : all) {
      auto const rex = store.add_pet(pet_status::available);
      auto const order = store.add_order(rex.id);
      if (from == order_status::delivered) BOOST_REQUIRE(store.update_order(order.id, order_status::approved));
      if (from != order_status::placed) BOOST_REQUIRE(store.update_order(order.id, from));
      auto const animal_before = store.pet_of(rex.id);

      auto const step = store.update_order(order.id, to);
      if (may_follow(from, to)) {
        BOOST_REQUIRE(step);
        BOOST_TEST(store.order_of(order.id).status == to);
        auto const expected = pet_status_after(to).value_or(pet_status::pending);
        BOOST_TEST(store.pet_of(rex.id).status.value() == expected);
      } else {
        PETSTORE_REFUSED(step, conflict);
        BOOST_TEST(!step.error().message.empty());
        BOOST_TEST(store.order_of(order.id).status == from);
        BOOST_TEST((store.pet_of(rex.id) == animal_before));
      }
    }
}

PETSTORE_CONTRACT_CASE(step_keeps_the_first_time_and_moves_the_second) {
  auto const rex = store.add_pet(pet_status::available);
  auto const placed = store.add_order(rex.id);
  auto const approved = store.update_order(placed.id, order_status::approved, {}, noon + seconds{5});
  BOOST_REQUIRE(approved);
  BOOST_TEST(approved->tag.revision == placed.tag.revision + 1);
  BOOST_TEST((store.order_of(placed.id).created_at == noon));
  BOOST_TEST((store.order_of(placed.id).updated_at == noon + seconds{5}));

  BOOST_REQUIRE(store.update_order(placed.id, order_status::delivered, {}, noon));  // the clock was set back
  BOOST_TEST((store.order_of(placed.id).updated_at == noon + seconds{5}));
}

PETSTORE_CONTRACT_CASE(patch_without_a_status_changes_nothing) {
  auto const rex = store.add_pet(pet_status::available);
  auto const placed = store.add_order(rex.id);
  auto const same = store.update_order(placed.id, std::nullopt, {}, noon + seconds{5});
  BOOST_REQUIRE(same);
  BOOST_TEST(same->tag == placed.tag);
  BOOST_TEST(same->json == placed.json);
}

PETSTORE_CONTRACT_CASE(condition_of_an_order_is_judged_before_its_step) {
  auto const rex = store.add_pet(pet_status::available);
  auto const placed = store.add_order(rex.id);
  BOOST_REQUIRE(store.update_order(placed.id, order_status::approved, if_match(placed.tag)));
  PETSTORE_REFUSED(store.update_order(placed.id, order_status::placed, if_match(placed.tag)), precondition_failed);
  PETSTORE_REFUSED(store.update_order(placed.id + 1, order_status::approved, if_match(placed.tag)), not_found);
  BOOST_TEST(store.pet_of(rex.id).status.value() == pet_status::pending);
}

PETSTORE_CONTRACT_CASE(cancelled_animal_can_be_ordered_again) {
  auto const rex = store.add_pet(pet_status::available);
  BOOST_REQUIRE(store.update_order(store.add_order(rex.id).id, order_status::cancelled));
  std::string json;
  BOOST_TEST(store.read_pet(rex.id, json)->revision == 3u);  // pending, and available again
  auto const again = store.add_order(rex.id);
  BOOST_TEST(again.id == 2);
  BOOST_TEST(store.walk(order_list{.status = {}, .pet_id = rex.id}).size() == 2u);
}

PETSTORE_CONTRACT_CASE(closed_order_outlives_its_animal) {
  auto const rex = store.add_pet(pet_status::available);
  auto const order = store.add_order(rex.id);
  BOOST_REQUIRE(store.update_order(order.id, order_status::cancelled));
  BOOST_REQUIRE(store.delete_pet(rex.id));
  BOOST_TEST(store.order_of(order.id).status == order_status::cancelled);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
