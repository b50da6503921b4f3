// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/copy.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "outcome.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"
#include "support/free_key.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::program {
namespace {

using tests::free_key;

constexpr unix_ms noon{std::chrono::milliseconds{1'790'000'000'000}};

void fill(ports::store& store) {
  BOOST_REQUIRE(await(store.create_category({.name = "dogs"})));
  for (int i = 0; i < 3; ++i) {
    new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};
    BOOST_REQUIRE(await(store.create_pet(rex, false, {}, noon)));
  }
  BOOST_REQUIRE(await(store.create_order({.pet_id = 2}, {}, noon)));
  BOOST_REQUIRE(await(store.delete_pet(3, {})));
  for (unsigned char i = 1; i <= 3; ++i) BOOST_REQUIRE(await(store.change_keys(free_key(i), noon, "tester")));
  BOOST_REQUIRE(await(store.change_keys(revoke_key{.number = 2}, noon, "tester")));
}

std::string export_of(ports::store& store) {
  std::istringstream in;
  std::ostringstream out, err;
  export_command(store, {}, {in, out, err, false});
  return out.str();
}

ports::key_archive keys_of(ports::store& store) {
  auto directory = await(store.read_keys()).value();
  return {directory.keys, directory.identities, await(store.read_audit_log(0, 100)).value()};
}

std::string copy(ports::store& from, ports::store& to, bool source_is_damaged = false) {
  std::istringstream in;
  std::ostringstream out, err;
  copy_command(from, to, source_is_damaged, {in, out, err, false});
  return err.str();
}

struct two_stores {
  std::unique_ptr<ports::store> from = storage::make_memory_store(environment::production);
  std::unique_ptr<ports::store> to = storage::make_memory_store(environment::production);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(copy_suite, two_stores)

BOOST_AUTO_TEST_CASE(a_moved_shop_is_the_same_with_its_keys) {
  fill(*from);
  auto const said = copy(*from, *to);
  BOOST_TEST(export_of(*to) == export_of(*from));
  BOOST_TEST((keys_of(*to) == keys_of(*from)));
  BOOST_TEST(said.find("copied 3 keys\n") != std::string::npos, said);
  BOOST_TEST(said.find("imported 4 records") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(ids_that_were_given_are_not_given_again) {
  fill(*from);
  copy(*from, *to);
  auto const added = await(to->create_pet({.name = "Max", .category_id = 1, .status = {}}, false, {}, noon));
  BOOST_TEST(added.value().id == 4);  // the third was deleted
}

BOOST_AUTO_TEST_CASE(a_shop_moves_to_a_disk_and_back) {
  tests::temporary_directory directory;
  storage::lmdb_options options;
  options.directory = directory / "shop";
  options.environment = environment::production;
  options.serve = false;
  auto const disk = storage::open_lmdb_store(options);
  fill(*from);
  copy(*from, *disk);
  copy(*disk, *to);
  BOOST_TEST(export_of(*to) == export_of(*from));
  BOOST_TEST((keys_of(*to) == keys_of(*from)));
}

BOOST_AUTO_TEST_CASE(the_same_again_changes_nothing) {
  fill(*from);
  copy(*from, *to);
  auto const said = copy(*from, *to);
  BOOST_TEST(said.find("imported 0 records; 4 were there already") != std::string::npos, said);
  BOOST_TEST(export_of(*to) == export_of(*from));
}

BOOST_AUTO_TEST_CASE(nothing_is_copied_to_a_shop_with_keys_of_its_own) {
  fill(*from);
  BOOST_REQUIRE(await(to->change_keys(free_key(9), noon, "tester")));
  auto const before = export_of(*to);
  BOOST_CHECK_EXCEPTION(copy(*from, *to), command_error, [](command_error const& e) {
    return std::string(e.what()) == "the keys cannot be copied: the store has keys of its own";
  });
  BOOST_TEST(export_of(*to) == before);
}

BOOST_AUTO_TEST_CASE(nothing_is_copied_when_the_source_reports_damage) {
  fill(*from);
  auto const before = export_of(*to);
  BOOST_CHECK_THROW(copy(*from, *to, true), command_error);
  BOOST_TEST(export_of(*to) == before);
  BOOST_TEST((keys_of(*to) == ports::key_archive{}));
}

BOOST_AUTO_TEST_CASE(a_shop_does_not_change_its_environment) {
  auto const staging = storage::make_memory_store(environment::staging);
  BOOST_CHECK_THROW(copy(*from, *staging), command_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
