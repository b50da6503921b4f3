// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "storage/lmdb/open_shop.hpp"
#include "storage/lmdb/raw_file.hpp"
#include "storage/temporary_directory.hpp"

namespace petstore::tests {
namespace {

/// Three animals, of which the second has a bit turned over.
struct damaged_shop {
  damaged_shop() {
    {
      auto shop = open_shop(directory.path());
      for (auto status : {pet_status::available, pet_status::sold, pet_status::available}) shop.add_pet(status);
    }
    raw_file file(directory.path());
    auto record = file.get("pets", id_key(2)).value();
    record.back() = static_cast<char>(record.back() ^ 1);
    file.put("pets", id_key(2), record);
  }

  storage::lmdb_options options() {
    auto o = options_for(directory.path());
    o.report = [this](std::string_view event, std::string_view detail) {
      reports.push_back(std::string{event} + ": " + std::string{detail});
    };
    return o;
  }

  temporary_directory directory;
  std::vector<std::string> reports;
};

constexpr auto cause = "record 2 of pets is damaged: its checksum does not match";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lmdb_damage, damaged_shop)

BOOST_AUTO_TEST_CASE(damaged_record_is_named_and_never_served) {
  auto shop = open_shop(options());
  std::string json = "kept";
  auto const read = shop.read_pet(2, json);
  PETSTORE_REFUSED(read, internal);
  BOOST_TEST(read.error().cause == cause);
  BOOST_TEST(json == "kept");
  BOOST_TEST(reports == std::vector<std::string>{std::string{"store_damaged: "} + cause},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(page_with_a_damaged_record_fails_as_a_whole_and_others_do_not) {
  auto shop = open_shop(options());
  std::string json = "kept";
  PETSTORE_REFUSED(shop.list(ports::pet_query{}, json), internal);
  BOOST_TEST(json == "kept");
  BOOST_TEST(shop.walk(ports::pet_query{.status = pet_status::available, .category_id = {}}).size() == 2u);
  BOOST_TEST(shop.walk(ports::pet_query{.status = {}, .category_id = {}, .after = 2}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(write_to_a_damaged_record_fails_and_others_do_not) {
  auto shop = open_shop(options());
  auto const update = shop.update_pet(2, {.name = "Max", .category_id = {}, .status = {}});
  PETSTORE_REFUSED(update, internal);
  BOOST_TEST(update.error().cause == cause);
  BOOST_TEST(!fault_of(shop.update_pet(1, {.name = "Max", .category_id = {}, .status = {}})));
  BOOST_TEST(!fault_of(shop.ready()));
}

BOOST_AUTO_TEST_CASE(damage_that_a_shared_transaction_meets_is_reported_once) {
  auto shop = open_shop(options());
  boost::asio::io_context context{1};
  std::vector<result<ports::stored>> outcomes;
  for (std::int64_t id = 1; id <= 3; ++id)
    boost::asio::co_spawn(
        context, shop.store().update_pet(id, {.name = "Max", .category_id = {}, .status = {}}, false, {}),
        [&](std::exception_ptr, result<ports::stored> outcome) { outcomes.push_back(std::move(outcome)); });
  context.run();
  BOOST_TEST(outcomes.size() == 3u);
  BOOST_TEST(reports.size() == 1u);
}

BOOST_AUTO_TEST_CASE(index_entry_without_its_record_is_named) {
  raw_file(directory.path()).put("pets_by_status", std::string(1, '\3') + id_key(1000), "");
  auto shop = open_shop(options());
  std::string json;
  auto const sold = shop.list(ports::pet_query{.status = pet_status::sold, .category_id = {}, .after = 2}, json);
  PETSTORE_REFUSED(sold, internal);
  BOOST_TEST(sold.error().cause == "pets_by_status names record 1000 of pets, which is missing");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
