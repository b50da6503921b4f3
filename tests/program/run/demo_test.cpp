// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/demo.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include "petstore/storage/memory.hpp"
#include "store/await.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

struct shop {
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  caller who{"alice", unix_ms(std::chrono::sys_days(std::chrono::year{2026} / 6 / 1))};

  std::size_t count(filter_values const& filters, record_kind kind = record_kind::pet) {
    std::string json;
    return await(store->list({.kind = kind, .filters = filters, .limit = 100}, json)).value().count;
  }

  key_directory keys() { return await(store->read_keys()).value(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(demo, shop)

BOOST_AUTO_TEST_CASE(an_empty_store_gets_thirty_animals) {
  BOOST_TEST(fill_with_samples(*store, who.now));
  BOOST_TEST(count({}) == 30u);
  BOOST_TEST(count(pet_filters(pet_status::pending, {})) == 1u);
  BOOST_TEST(count(pet_filters({}, 5)) > 0u);
  BOOST_TEST(count({}, record_kind::category) == 5u);
}

BOOST_AUTO_TEST_CASE(the_sample_order_holds_the_pending_animal) {
  fill_with_samples(*store, who.now);
  std::string order;
  await(store->read(record_kind::order, 1, order)).value();
  std::string animal;
  await(store->read(record_kind::pet, boost::json::parse(order).at("petId").as_int64(), animal)).value();
  BOOST_TEST(boost::json::parse(animal).at("status").as_string() == "pending");
}

BOOST_AUTO_TEST_CASE(a_store_with_data_is_left_alone) {
  await(store->create_category({"mine"})).value();
  BOOST_TEST(!fill_with_samples(*store, who.now));
  BOOST_TEST(count({}) == 0u);
}

BOOST_AUTO_TEST_CASE(an_id_that_was_given_and_deleted_is_not_given_again) {
  auto const rex = await(store->create_pet({"Rex", 1, {}}, false, {}, who.now)).value().id;
  await(store->delete_pet(rex, {})).value();
  BOOST_TEST(count({}) == 0u);
  BOOST_TEST(!fill_with_samples(*store, who.now));
  BOOST_TEST(count({}) == 0u);
}

BOOST_AUTO_TEST_CASE(filling_twice_is_filling_once) {
  BOOST_TEST(fill_with_samples(*store, who.now));
  BOOST_TEST(!fill_with_samples(*store, who.now));
  BOOST_TEST(count({}) == 30u);
}

BOOST_AUTO_TEST_CASE(every_start_ends_the_key_of_the_last_one) {
  auto const first = renew_demo_key(*store, who);
  auto const second = renew_demo_key(*store, who);
  auto const third = renew_demo_key(*store, who);
  BOOST_TEST(is_well_formed_api_key(first, environment::production));
  BOOST_TEST(first != second);
  auto const directory = keys();
  BOOST_REQUIRE(directory.identities.size() == 1u);
  BOOST_TEST(directory.identities[0].name == "demo");
  BOOST_TEST(directory.identities[0].plan == demo_plan);
  for (auto const& key : directory.keys) {
    bool const works = !key.expires_at || *key.expires_at > who.now;
    BOOST_TEST(works == (key.digest == sha256(third)));
  }
}

BOOST_AUTO_TEST_CASE(a_revoked_demo_key_is_followed_by_a_new_identity) {
  renew_demo_key(*store, who);
  await(store->change_keys(revoke_key{1}, who.now, who.actor)).value();
  renew_demo_key(*store, who);
  BOOST_TEST(keys().identities.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
