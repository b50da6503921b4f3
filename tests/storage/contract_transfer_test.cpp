// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <limits>

#include "petstore/enumeration.hpp"
#include "storage/backends.hpp"

namespace petstore::tests {
namespace {

using ports::import_record;

pet animal(std::int64_t id, std::optional<pet_status> status = {}) {
  return {.id = id, .name = "Rex", .category_id = 1, .status = status};
}

order order_for(std::int64_t id, std::int64_t pet, order_status status) {
  return {.id = id, .pet_id = pet, .status = status, .created_at = noon, .updated_at = noon};
}

/// Remembers everything, and stops when it has enough.
struct notebook final : ports::export_sink {
  void begin(ports::export_summary const& s) override { summary = s; }
  bool take(record_kind kind, std::string_view json) override {
    lines.emplace_back(std::string{word_of(kind)}.append(" ").append(json));
    return lines.size() < enough;
  }
  ports::export_summary summary;
  std::vector<std::string> lines;
  std::size_t enough = 1000;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(contract_transfer)

PETSTORE_CONTRACT_CASE(imported_records_are_found_by_every_way) {
  BOOST_REQUIRE(store.import(
      {category{.id = 3, .name = "dogs"}, animal(7, pet_status::pending), order_for(5, 7, order_status::approved)}));
  std::string json;
  BOOST_TEST(store.read_category(3, json)->revision == 1u);
  BOOST_TEST((store.pet_of(7) == animal(7, pet_status::pending)));
  BOOST_TEST((store.order_of(5) == order_for(5, 7, order_status::approved)));
  BOOST_TEST(store.walk(pet_list{.status = pet_status::pending, .category_id = 1}).size() == 1u);
  BOOST_TEST(store.walk(order_list{.status = order_status::approved, .pet_id = 7}).size() == 1u);
  PETSTORE_REFUSED(store.create_category("dogs"), conflict);
  PETSTORE_REFUSED(store.delete_pet(7), conflict);
}

PETSTORE_CONTRACT_CASE(import_raises_the_sequences) {
  BOOST_REQUIRE(store.import(
      {category{.id = 3, .name = "dogs"}, animal(7, pet_status::pending), order_for(5, 7, order_status::placed)}));
  BOOST_TEST(store.create_category("cats")->id == 4);
  BOOST_TEST(store.add_pet(pet_status::available).id == 8);
  BOOST_TEST(store.add_order(8).id == 6);
}

PETSTORE_CONTRACT_CASE(import_of_last_ids_raises_the_sequences_and_never_lowers_them) {
  BOOST_REQUIRE(store.import({ports::last_ids{.category = 10, .pet = 20, .order = 30}}));
  BOOST_REQUIRE(store.import({ports::last_ids{.category = 1, .pet = 1, .order = 1}}));
  BOOST_TEST(store.create_category("cats")->id == 11);
  BOOST_TEST(store.add_pet(pet_status::available).id == 21);
  BOOST_TEST(store.add_order(21).id == 31);
}

PETSTORE_CONTRACT_CASE(import_fills_a_gap_below_the_highest_id) {
  store.add_pet(std::nullopt);
  store.add_pet(std::nullopt);
  BOOST_REQUIRE(store.delete_pet(1));
  BOOST_REQUIRE(store.import({animal(1)}));
  BOOST_TEST(store.add_pet(std::nullopt).id == 3);
}

PETSTORE_CONTRACT_CASE(identical_record_is_skipped) {
  std::vector<import_record> const records{animal(7, pet_status::sold), category{.id = 3, .name = "dogs"},
                                           order_for(5, 99, order_status::delivered)};
  BOOST_REQUIRE(store.import(records));
  BOOST_TEST(!fault_of(store.import(records)));
  std::string json;
  BOOST_TEST(store.read_pet(7, json)->revision == 1u);
}

PETSTORE_CONTRACT_CASE(fault_names_its_record_and_nothing_is_imported) {
  BOOST_REQUIRE(store.import({animal(7, pet_status::sold), category{.id = 3, .name = "dogs"}}));
  import_record const bad[] = {
      animal(7, pet_status::pending),          // other content
      category{.id = 3, .name = "cats"},       //
      category{.id = 4, .name = "dogs"},       // a name that is taken
      category{.id = 5, .name = "fresh"},      // by the category before it in the same import
      order_for(1, 99, order_status::placed),  // no such animal
      order_for(1, 7, order_status::placed),   // not reserved
      order_for(2, 8, order_status::placed),   // reserved by the order before it
  };
  for (auto const& record : bad) {
    std::size_t fault_at = 0;
    PETSTORE_REFUSED(store.import({category{.id = 9, .name = "fresh"}, animal(8, pet_status::pending),
                                   order_for(9, 8, order_status::placed), record, animal(10)},
                                  &fault_at),
                     conflict);
    BOOST_TEST(fault_at == 3u);
    BOOST_TEST(store.walk(category_list{}).size() == 1u);
    BOOST_TEST(store.walk(pet_list{}).size() == 1u);
    BOOST_TEST(store.walk(order_list{}).empty());
  }
  BOOST_TEST(store.add_pet(std::nullopt).id == 8);
}

PETSTORE_CONTRACT_CASE(store_whose_ids_are_used_up_refuses_and_lives_on) {
  BOOST_REQUIRE(store.import({animal(std::numeric_limits<std::int64_t>::max(), pet_status::available)}));
  PETSTORE_REFUSED(store.create_pet({.name = "Rex", .category_id = 1, .status = {}}), unavailable);
  BOOST_TEST(!fault_of(store.create_order(std::numeric_limits<std::int64_t>::max())));
}

PETSTORE_CONTRACT_CASE(export_gives_every_record_in_order_and_the_ids_ever_given) {
  BOOST_REQUIRE(store.create_category("dogs"));
  auto const rex = store.add_pet(pet_status::available);
  store.add_pet(std::nullopt);
  BOOST_REQUIRE(store.delete_pet(2));
  auto const order = store.add_order(rex.id);

  notebook out;
  BOOST_REQUIRE(store.export_to(out));
  BOOST_TEST(out.summary.categories == 1u);
  BOOST_TEST(out.summary.pets == 1u);
  BOOST_TEST(out.summary.orders == 1u);
  BOOST_TEST((out.summary.given == ports::last_ids{.category = 1, .pet = 2, .order = 1}));
  std::vector<std::string> const expected{R"(category {"id":1,"name":"dogs"})",
                                          R"(pet {"id":1,"name":"Rex","categoryId":1,"status":"pending"})",
                                          "order " + order.json};
  BOOST_TEST(out.lines == expected, boost::test_tools::per_element());
}

PETSTORE_CONTRACT_CASE(export_ends_when_its_sink_says_so) {
  for (int i = 0; i < 5; ++i) store.add_pet(std::nullopt);
  notebook out;
  out.enough = 2;
  BOOST_REQUIRE(store.export_to(out));
  BOOST_TEST(out.lines.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(contract_store)

PETSTORE_CONTRACT_CASE(store_knows_its_environment_and_is_ready) {
  BOOST_TEST((store.asynchronous().environment() == environment::production));
  BOOST_TEST(!fault_of(store.ready()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
