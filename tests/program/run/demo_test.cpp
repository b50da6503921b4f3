// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/demo.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "petstore/ports/forwarding_store.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

struct shop {
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  unix_ms const now{std::chrono::sys_days(std::chrono::year{2026} / 6 / 1)};

  std::size_t count(filter_values const& filters, record_kind kind = record_kind::pet) {
    std::string json;
    return await(store->list({.kind = kind, .filters = filters, .limit = 100}, json)).value().count;
  }

  tests::temporary_directory const files;
  std::vector<std::string> told;
  std::function<void(std::string_view)> const report = [this](std::string_view detail) { told.emplace_back(detail); };

  key_directory keys() { return await(store->read_keys()).value(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(demo, shop)

BOOST_AUTO_TEST_CASE(an_empty_store_gets_thirty_animals) {
  BOOST_TEST(fill_with_samples(*store, now));
  BOOST_TEST(count({}) == 30u);
  BOOST_TEST(count(pet_filters(pet_status::pending, {})) == 1u);
  BOOST_TEST(count(pet_filters({}, 5)) > 0u);
  BOOST_TEST(count({}, record_kind::category) == 5u);
}

BOOST_AUTO_TEST_CASE(the_sample_order_holds_the_pending_animal) {
  fill_with_samples(*store, now);
  std::string order;
  await(store->read(record_kind::order, 1, order)).value();
  std::string animal;
  await(store->read(record_kind::pet, boost::json::parse(order).at("petId").as_int64(), animal)).value();
  BOOST_TEST(boost::json::parse(animal).at("status").as_string() == "pending");
}

BOOST_AUTO_TEST_CASE(a_store_with_data_is_left_alone) {
  await(store->create_category({"mine"})).value();
  BOOST_TEST(!fill_with_samples(*store, now));
  BOOST_TEST(count({}) == 0u);
}

BOOST_AUTO_TEST_CASE(an_id_that_was_given_and_deleted_is_not_given_again) {
  auto const rex = await(store->create_pet({"Rex", 1, {}}, false, {}, now)).value().id;
  await(store->delete_pet(rex, {})).value();
  BOOST_TEST(count({}) == 0u);
  BOOST_TEST(!fill_with_samples(*store, now));
  BOOST_TEST(count({}) == 0u);
}

BOOST_AUTO_TEST_CASE(filling_twice_is_filling_once) {
  BOOST_TEST(fill_with_samples(*store, now));
  BOOST_TEST(!fill_with_samples(*store, now));
  BOOST_TEST(count({}) == 30u);
}

BOOST_AUTO_TEST_CASE(a_store_that_another_node_fills_meanwhile_is_left_alone) {
  struct shared_store final : ports::forwarding_store {
    using forwarding_store::forwarding_store;
    unix_ms earlier;
    boost::asio::awaitable<result<void>> import_records(std::vector<ports::import_record> records,
                                                        std::size_t& fault_at) override {
      BOOST_TEST(fill_with_samples(other(), earlier));
      return forwarding_store::import_records(std::move(records), fault_at);
    }
  };
  shared_store shared{std::move(store)};
  shared.earlier = now - 1s;
  BOOST_TEST(!fill_with_samples(shared, now));
}

BOOST_AUTO_TEST_CASE(every_start_ends_the_key_of_the_last_one) {
  auto const first = renew_demo_key(*store, now);
  auto const second = renew_demo_key(*store, now);
  auto const third = renew_demo_key(*store, now);
  BOOST_TEST(is_well_formed_api_key(first, environment::production));
  BOOST_TEST(first != second);
  auto const directory = keys();
  BOOST_REQUIRE(directory.identities.size() == 1u);
  BOOST_TEST(directory.identities[0].name == "demo");
  BOOST_TEST(directory.identities[0].plan == demo_plan);
  for (auto const& key : directory.keys) {
    bool const works = !key.expires_at || *key.expires_at > now;
    BOOST_TEST(works == (key.digest == sha256(third)));
  }
}

BOOST_AUTO_TEST_CASE(a_node_that_renews_the_key_at_the_same_time_is_followed) {
  struct shared_store : ports::forwarding_store {
    using forwarding_store::forwarding_store;

    std::function<void()> meanwhile;

    boost::asio::awaitable<result<key_change>> change_keys(key_command command, unix_ms at, std::string actor,
                                                           std::optional<ports::idempotency> i) override {
      if (meanwhile) std::exchange(meanwhile, nullptr)();
      return forwarding_store::change_keys(std::move(command), at, std::move(actor), std::move(i));
    }
  };
  shared_store shared{std::move(store)};
  renew_demo_key(shared, now);
  shared.meanwhile = [&] { renew_demo_key(shared, now); };
  auto const last = renew_demo_key(shared, now);
  auto const directory = await(shared.read_keys()).value();
  BOOST_TEST_REQUIRE(directory.keys.size() == 3u);
  BOOST_TEST((directory.keys.back().digest == sha256(last)));
}

BOOST_AUTO_TEST_CASE(a_revoked_demo_key_is_followed_by_a_new_identity) {
  renew_demo_key(*store, now);
  await(store->change_keys(revoke_key{1}, now, "alice")).value();
  renew_demo_key(*store, now);
  BOOST_TEST(keys().identities.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_customer_of_the_same_name_and_plan_keeps_the_key) {
  create_key command;
  set_key(command, generate_api_key(environment::production));
  command.name = "demo";
  command.plan = demo_plan;
  await(store->change_keys(command, now, "alice")).value();
  renew_demo_key(*store, now);
  renew_demo_key(*store, now);
  auto const directory = keys();
  BOOST_TEST(directory.identities.size() == 2u);
  BOOST_TEST(!directory.keys.at(0).expires_at.has_value());
  BOOST_TEST(directory.keys.at(1).expires_at.has_value());  // the demo's
}

BOOST_AUTO_TEST_CASE(a_kept_key_is_the_same_at_the_next_start) {
  auto const file = files / "demo-key";
  auto const first = keep_demo_key(*store, file, now, report);
  BOOST_TEST((fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
  BOOST_TEST(keep_demo_key(*store, file, now, report) == first);
  BOOST_TEST(keys().keys.size() == 1u);
  BOOST_TEST(told.empty());
}

BOOST_AUTO_TEST_CASE(a_store_without_a_directory_keeps_no_key) {
  BOOST_TEST(keep_demo_key(*store, "", now, report) != keep_demo_key(*store, "", now, report));
}

BOOST_AUTO_TEST_CASE(a_key_that_does_not_serve_the_demo_is_replaced_and_the_log_says_why) {
  auto const file = files / "demo-key";
  auto const expect_another = [&](std::string_view why) {
    BOOST_TEST_CONTEXT(why) {
      told.clear();
      auto const before = keys().version;
      auto const fresh = keep_demo_key(*store, file, now, report);
      BOOST_TEST(keys().version == before + 1);
      BOOST_REQUIRE(told.size() == 1u);
      BOOST_TEST(told[0] == "'" + file.string() + "' " + std::string(why) + ": the demo has a new key");
      BOOST_TEST(keep_demo_key(*store, file, now, report) == fresh);
    }
  };
  auto const first = keep_demo_key(*store, file, now, report);
  for (auto const& text : {first.substr(1), std::string("\n"), generate_api_key(environment::staging)}) {
    files.write("demo-key", text);
    expect_another("has a damaged key, or one of another environment");
  }
  files.write("demo-key", generate_api_key(environment::production) + "\n");
  expect_another("has a key that this store does not know");

  files.write("demo-key", first + "\n");
  expect_another("has a key that was revoked or rotated, or has expired");
  await(store->change_keys(revoke_key{keys().keys.back().number}, now, "alice")).value();
  expect_another("has a key that was revoked or rotated, or has expired");

  create_key command;
  auto const own = generate_api_key(environment::production);
  set_key(command, own);
  command.name = "a customer";
  command.plan = "free";
  await(store->change_keys(command, now, "alice")).value();
  files.write("demo-key", own);
  expect_another("has the key of another identity");

  files.write("demo-key", std::string(100'000, 'x'));
  expect_another("is a file too long for a setting");
}

BOOST_AUTO_TEST_CASE(a_new_key_is_readable_for_the_owner_alone_whatever_the_file_was) {
  auto const file = files.write("demo-key", "ps_live_broken");
  fs::permissions(file, fs::perms::all);
  keep_demo_key(*store, file, now, report);
  BOOST_TEST((fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(a_key_that_cannot_be_kept_works_and_the_log_says_so) {
  auto const file = files / "nowhere/demo-key";
  auto const key = keep_demo_key(*store, file, now, report);
  BOOST_TEST((keys().keys.at(0).digest == sha256(key)));
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0].starts_with("the key cannot be kept in '" + file.string() + "'"));
}

BOOST_AUTO_TEST_SUITE_END()
