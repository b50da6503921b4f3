// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fstream>

#include "storage/lmdb/open_store.hpp"
#include "storage/lmdb/raw_file.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {
namespace {

/// Three animals, of which the second has a bit turned over.
struct damaged_store {
  damaged_store() {
    {
      auto store = open_store(directory.path());
      for (auto status : {pet_status::available, pet_status::sold, pet_status::available}) store.add_pet(status);
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

  static constexpr std::size_t page_size = 4096;
  static constexpr std::size_t entries_end = 12;  ///< where a page says how many entries it has

  std::string bytes_at(std::size_t at, std::size_t size) const {
    std::ifstream file(directory / "data.mdb", std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    std::string bytes(size, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    return bytes;
  }
  void overwrite(std::size_t at, std::string const& bytes) const {
    std::fstream file(directory / "data.mdb", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// Only the keys of `pets` have eight bytes and are as many as to need a branch.
  bool has_key_on_branch_page(std::size_t at, std::string const& below) const {
    auto const page = bytes_at(at, page_size);
    return page[10] == 1 && page.find(below.substr(0, 7)) != std::string::npos;
  }

  temporary_directory directory;
  std::vector<std::string> reports;
};

constexpr auto cause = "record 2 of pets is damaged: its checksum does not match";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lmdb_damage, damaged_store)

BOOST_AUTO_TEST_CASE(damaged_record_is_named_and_never_served) {
  auto store = open_store(options());
  std::string json = "kept";
  auto const read = store.read_pet(2, json);
  PETSTORE_REFUSED(read, internal);
  BOOST_TEST(read.error().cause == cause);
  BOOST_TEST(json == "kept");
  BOOST_TEST(reports == std::vector<std::string>{std::string{"store_damaged: "} + cause},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(list_goes_on_without_the_damaged_record_and_reports_it) {
  auto store = open_store(options());
  std::string json;
  pet_list const two{.status = {}, .category_id = {}, .after = 0, .limit = 2};
  BOOST_TEST(store.list(two, json)->count == 2u);
  BOOST_TEST(json.find("\"id\":1,") != std::string::npos);
  BOOST_TEST(json.find("\"id\":3,") != std::string::npos);
  BOOST_TEST(reports == std::vector<std::string>{std::string{"store_damaged: "} + cause},
             boost::test_tools::per_element());
  pet_list const one_by_one{.status = {}, .category_id = {}, .after = 0, .limit = 1};
  std::vector<std::int64_t> const sound{1, 3};
  BOOST_TEST(store.walk(one_by_one) == sound, boost::test_tools::per_element());
  BOOST_TEST(store.walk(pet_list{.status = pet_status::sold, .category_id = {}}).empty());
}

BOOST_AUTO_TEST_CASE(damaged_revision_is_found_like_damaged_content) {
  {
    raw_file file(directory.path());
    auto record = file.get("pets", id_key(1)).value();
    record[8] = static_cast<char>(record[8] ^ 1);
    file.put("pets", id_key(1), record);
  }
  auto store = open_store(options());
  std::string json;
  PETSTORE_REFUSED(store.read_pet(1, json), internal);
}

BOOST_AUTO_TEST_CASE(damaged_key_does_not_take_the_other_keys_along) {
  {
    auto store = open_store(options());
    for (char const digit : {'1', '2'}) {
      create_key key;
      key.digest = sha256(std::string(1, digit));
      key.prefix = "ps_live_";
      key.last_four = "wxyz";
      key.plan = "free";
      BOOST_REQUIRE(store.change_keys(std::move(key)));
    }
  }
  {
    raw_file file(directory.path());
    auto record = file.get("keys", big_endian(1)).value();
    record.back() = '?';
    file.put("keys", big_endian(1), record);
  }
  reports.clear();
  auto store = open_store(options());
  auto const known = store.read_keys().value();
  BOOST_TEST(known.keys.size() == 1u);
  BOOST_TEST(known.keys.front().number == 2u);
  BOOST_TEST(known.identities.size() == 2u);
  BOOST_TEST(
      reports == std::vector<std::string>{"store_damaged: record 1 of keys is damaged: its checksum does not match"},
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(write_to_a_damaged_record_fails_and_others_do_not) {
  auto store = open_store(options());
  auto const update = store.update_pet(2, {.name = "Max", .category_id = {}, .status = {}});
  PETSTORE_REFUSED(update, internal);
  BOOST_TEST(update.error().cause == cause);
  BOOST_TEST(!fault_of(store.update_pet(1, {.name = "Max", .category_id = {}, .status = {}})));
  BOOST_TEST(!fault_of(store.ready()));
}

BOOST_AUTO_TEST_CASE(damage_that_a_shared_transaction_meets_is_reported_once) {
  auto store = open_store(options());
  boost::asio::io_context context{1};
  std::vector<result<ports::stored>> outcomes;
  for (std::int64_t id = 1; id <= 3; ++id)
    boost::asio::co_spawn(
        context, store.asynchronous().update_pet(id, {.name = "Max", .category_id = {}, .status = {}}, false, {}),
        [&](std::exception_ptr, result<ports::stored> outcome) { outcomes.push_back(std::move(outcome)); });
  context.run();
  BOOST_TEST(outcomes.size() == 3u);
  BOOST_TEST(reports.size() == 1u);
}

/// Of a branch page LMDB asserts that it has two entries at least.
BOOST_AUTO_TEST_CASE(page_that_lmdb_stumbles_over_ends_what_asks_for_it_and_not_the_process) {
  {
    auto store = open_store(options());
    for (int i = 0; i < 200; ++i) store.add_pet(std::nullopt, 1, std::string(100, 'x'));
  }
  for (std::size_t at = 2 * page_size; at < std::filesystem::file_size(directory / "data.mdb"); at += page_size)
    if (has_key_on_branch_page(at, id_key(150))) overwrite(at + entries_end, std::string("\x12\0", 2));
  reports.clear();

  auto store = open_store(options());
  std::string json;
  for (int i = 0; i < 2; ++i) PETSTORE_REFUSED(store.read_pet(150, json), internal);
  PETSTORE_REFUSED(store.update_pet(150, {.name = "Max", .category_id = {}, .status = {}}), internal);
  BOOST_TEST(reports.size() == 3u);
  BOOST_TEST(reports.at(0).find("Assertion") != std::string::npos, reports.at(0));
  // A new record is put without a look-up of its id.
  PETSTORE_REFUSED(store.create_pet({.name = "Max", .category_id = 1, .status = {}}), internal);
  BOOST_TEST(!fault_of(store.create_category("dogs")));
  BOOST_TEST(!fault_of(store.read_category(1, json)));
}

/// A page of zeros is no leaf.
BOOST_AUTO_TEST_CASE(reads_go_on_after_one_that_met_a_damaged_page) {
  {
    auto store = open_store(options());
    for (int i = 0; i < 200; ++i) store.add_pet(std::nullopt, 1, "dog number " + std::to_string(i));
  }
  for (std::size_t at = 2 * page_size; at < std::filesystem::file_size(directory / "data.mdb"); at += page_size)
    if (bytes_at(at, page_size).find("dog number 150\"") != std::string::npos)
      overwrite(at, std::string(page_size, '\0'));
  reports.clear();

  auto store = open_store(options());
  std::string json;
  PETSTORE_REFUSED(store.read_pet(154, json), internal);
  BOOST_TEST(reports.size() == 1u);
  BOOST_TEST(!fault_of(store.read_pet(1, json)));
}

BOOST_AUTO_TEST_CASE(index_entry_without_its_record_is_named) {
  raw_file(directory.path()).put("pets_by_status", std::string(1, '\3') + id_key(1000), "");
  auto store = open_store(options());
  std::string json;
  auto const sold = store.list(pet_list{.status = pet_status::sold, .category_id = {}, .after = 2}, json);
  BOOST_TEST(sold->count == 0u);
  BOOST_TEST(
      reports == std::vector<std::string>{"store_damaged: pets_by_status names record 1000 of pets, which is missing"},
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
