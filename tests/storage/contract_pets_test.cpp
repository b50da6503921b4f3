// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/crc32c.hpp"
#include "storage/backends.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_pets)

PETSTORE_CONTRACT_CASE(first_animal_gets_id_one_and_revision_one) {
  auto const rex = store.create_pet({.name = "Rex \"the\" dog", .category_id = -7, .status = pet_status::available});
  BOOST_REQUIRE(rex);
  BOOST_TEST(rex->id == 1);
  BOOST_TEST(rex->tag.revision == 1u);
  BOOST_TEST(rex->json == R"({"id":1,"name":"Rex \"the\" dog","categoryId":-7,"status":"available"})");
  BOOST_TEST(rex->tag.checksum == crc32c(rex->json));
  BOOST_TEST(!rex->replayed);

  std::string json = "kept:";
  BOOST_TEST(store.read_pet(1, json).value() == rex->tag);
  BOOST_TEST(json == "kept:" + rex->json);
}

PETSTORE_CONTRACT_CASE(missing_animal_is_not_found_and_appends_nothing) {
  std::string json = "kept";
  PETSTORE_REFUSED(store.read_pet(1, json), not_found);
  PETSTORE_REFUSED(store.read_pet(-1, json), not_found);
  PETSTORE_REFUSED(store.update_pet(1, {}), not_found);
  PETSTORE_REFUSED(store.delete_pet(1), not_found);
  BOOST_TEST(json == "kept");
}

PETSTORE_CONTRACT_CASE(missing_animal_is_not_found_before_its_tag_fails_to_match) {
  auto const rex = store.add_pet(std::nullopt);
  BOOST_REQUIRE(store.delete_pet(rex.id));
  PETSTORE_REFUSED(store.update_pet(rex.id, {}, if_match(rex.tag)), not_found);
  PETSTORE_REFUSED(store.delete_pet(rex.id, if_match(rex.tag)), not_found);
}

PETSTORE_CONTRACT_CASE(id_of_a_deleted_animal_is_never_given_again) {
  store.add_pet(std::nullopt);
  auto const second = store.add_pet(std::nullopt);
  BOOST_REQUIRE(store.delete_pet(second.id));
  BOOST_TEST(store.add_pet(std::nullopt).id == second.id + 1);
}

PETSTORE_CONTRACT_CASE(refused_creation_uses_up_no_id) {
  PETSTORE_REFUSED(store.create_pet_of_known_category({.name = "Rex", .category_id = 9, .status = {}}),
                   invalid_request);
  BOOST_TEST(store.add_pet(std::nullopt).id == 1);
}

PETSTORE_CONTRACT_CASE(patch_changes_what_it_names_and_raises_the_revision) {
  auto const rex = store.add_pet(pet_status::available, 4);
  auto const renamed = store.update_pet(rex.id, {.name = "Max", .category_id = {}, .status = {}});
  BOOST_REQUIRE(renamed);
  BOOST_TEST(renamed->json == R"({"id":1,"name":"Max","categoryId":4,"status":"available"})");
  BOOST_TEST(renamed->tag.revision == 2u);
  std::string json;
  BOOST_TEST(store.read_pet(rex.id, json).value() == renamed->tag);
  BOOST_TEST(json == renamed->json);
}

PETSTORE_CONTRACT_CASE(patch_can_take_the_status_away) {
  auto const rex = store.add_pet(pet_status::sold);
  BOOST_REQUIRE(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = std::optional<pet_status>{}}));
  BOOST_TEST(!store.pet_of(rex.id).status);
  BOOST_TEST(store.walk(pet_list{.status = pet_status::sold, .category_id = {}}).empty());
  BOOST_TEST(store.walk(pet_list{}).size() == 1u);
}

PETSTORE_CONTRACT_CASE(patch_that_changes_nothing_keeps_the_revision) {
  auto const rex = store.add_pet(pet_status::available, 4, "Rex");
  for (auto const& patch : {pet_patch{}, pet_patch{.name = "Rex", .category_id = 4, .status = pet_status::available}}) {
    auto const same = store.update_pet(rex.id, patch);
    BOOST_REQUIRE(same);
    BOOST_TEST(same->tag == rex.tag);
    BOOST_TEST(same->json == rex.json);
  }
}

PETSTORE_CONTRACT_CASE(condition_on_an_older_tag_fails_and_changes_nothing) {
  auto const rex = store.add_pet(pet_status::available);
  auto const max = store.update_pet(rex.id, {.name = "Max", .category_id = {}, .status = {}}, if_match(rex.tag));
  BOOST_REQUIRE(max);
  PETSTORE_REFUSED(store.update_pet(rex.id, {.name = "Bob", .category_id = {}, .status = {}}, if_match(rex.tag)),
                   precondition_failed);
  PETSTORE_REFUSED(store.update_pet(rex.id, {}, if_match(rex.tag)), precondition_failed);
  PETSTORE_REFUSED(store.delete_pet(rex.id, if_match(rex.tag)), precondition_failed);
  BOOST_TEST(store.pet_of(rex.id).name == "Max");
  BOOST_TEST(!fault_of(store.delete_pet(rex.id, if_match(max->tag))));
}

PETSTORE_CONTRACT_CASE(any_status_may_follow_any_other_without_an_order) {
  std::optional<pet_status> const all[] = {{}, pet_status::available, pet_status::pending, pet_status::sold};
  auto const rex = store.add_pet(std::nullopt);
  for (auto from : all)
    for (auto to : all) {
      BOOST_REQUIRE(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = from}));
      BOOST_REQUIRE(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = to}));
      BOOST_TEST((store.pet_of(rex.id).status == to));
    }
}

PETSTORE_CONTRACT_CASE(animal_with_an_open_order_keeps_its_status_and_its_place) {
  auto const rex = store.add_pet(pet_status::available);
  auto const order = store.add_order(rex.id);
  PETSTORE_REFUSED(store.delete_pet(rex.id), conflict);
  PETSTORE_REFUSED(store.delete_pet(rex.id, if_match(rex.tag)), precondition_failed);  // the order has changed the tag
  PETSTORE_REFUSED(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = pet_status::sold}), conflict);
  PETSTORE_REFUSED(
      store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = pet_status::sold}, if_match(rex.tag)),
      precondition_failed);
  PETSTORE_REFUSED(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = std::optional<pet_status>{}}),
                   conflict);
  BOOST_TEST(!fault_of(store.update_pet(rex.id, {.name = "Max", .category_id = 3, .status = {}})));
  BOOST_TEST(!fault_of(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = pet_status::pending})));

  BOOST_REQUIRE(store.update_order(order.id, order_status::cancelled));
  BOOST_TEST(!fault_of(store.update_pet(rex.id, {.name = {}, .category_id = {}, .status = pet_status::sold})));
  BOOST_TEST(!fault_of(store.delete_pet(rex.id)));
}

PETSTORE_CONTRACT_CASE(category_must_exist_only_where_that_is_asked_for) {
  auto const dogs = store.create_category("dogs");
  BOOST_REQUIRE(dogs);
  BOOST_TEST(!fault_of(store.create_pet({.name = "Rex", .category_id = 99, .status = {}})));
  auto const known = store.create_pet_of_known_category({.name = "Max", .category_id = dogs->id, .status = {}});
  BOOST_REQUIRE(known);

  auto const refused = store.create_pet_of_known_category({.name = "Bob", .category_id = 99, .status = {}});
  PETSTORE_REFUSED(refused, invalid_request);
  BOOST_TEST(refused.error().message.find("categoryId") != std::string::npos);
  PETSTORE_REFUSED(store.update_pet_of_known_category(known->id, {.name = {}, .category_id = 99, .status = {}}),
                   invalid_request);
  BOOST_TEST(
      !fault_of(store.update_pet_of_known_category(known->id, {.name = "Tim", .category_id = {}, .status = {}})));
  BOOST_TEST(!fault_of(store.update_pet_of_known_category(1, {.name = "Tim", .category_id = {}, .status = {}})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(contract_categories)

PETSTORE_CONTRACT_CASE(category_is_stored_and_read) {
  auto const dogs = store.create_category("dogs");
  BOOST_REQUIRE(dogs);
  BOOST_TEST(dogs->json == R"({"id":1,"name":"dogs"})");
  BOOST_TEST(dogs->tag.revision == 1u);
  std::string json;
  BOOST_TEST(store.read_category(1, json).value() == dogs->tag);
  BOOST_TEST(json == dogs->json);
  PETSTORE_REFUSED(store.read_category(2, json), not_found);
}

PETSTORE_CONTRACT_CASE(category_name_is_unique_byte_by_byte) {
  BOOST_REQUIRE(store.create_category("dogs"));
  PETSTORE_REFUSED(store.create_category("dogs"), conflict);
  BOOST_TEST(!fault_of(store.create_category("Dogs")));
  BOOST_TEST(!fault_of(store.create_category("dog")));
  BOOST_TEST(store.walk(category_list{}) == (std::vector<std::int64_t>{1, 2, 3}), boost::test_tools::per_element());
}

PETSTORE_CONTRACT_CASE(long_names_that_differ_at_the_end_are_different) {
  std::string long_name;
  for (int i = 0; i < 254; ++i) long_name += "\xF0\x9F\x90\x95";  // 1016 bytes, more than an index key can hold
  BOOST_TEST(!fault_of(store.create_category(long_name + "a")));
  BOOST_TEST(!fault_of(store.create_category(long_name + "b")));
  PETSTORE_REFUSED(store.create_category(long_name + "a"), conflict);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
