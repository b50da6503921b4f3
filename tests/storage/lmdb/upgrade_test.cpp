// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/crc32c.hpp"
#include "petstore/json.hpp"
#include "petstore/key_json.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"
#include "storage/lmdb/open_store.hpp"
#include "storage/lmdb/raw_file.hpp"
#include "support/free_key.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(lmdb_upgrade)

namespace {

/// Writes a store of format 1, as version 1 of the record format says: no checksums, no tables over pairs of filters.
class format_1_writer {
 public:
  explicit format_1_writer(std::filesystem::path const& directory) : file_(directory) {
    file_.put("meta", "petstore", "petstore");
    for (auto const* number : {"format", "environment"}) file_.put("meta", number, big_endian(1));
  }

  void put(pet const& p, std::uint64_t revision) {
    file_.put("pets", id_key(p.id), record(revision, to_json(p)));
    file_.put("pets_by_category", id_key(p.category_id) + id_key(p.id), "");
    if (p.status) file_.put("pets_by_status", status(*p.status) + id_key(p.id), "");
    file_.put("meta", "last_pet", big_endian(static_cast<std::uint64_t>(p.id)));
  }

  void put(order const& o, std::uint64_t revision) {
    file_.put("orders", id_key(o.id), record(revision, to_json(o)));
    file_.put("orders_by_pet", id_key(o.pet_id) + id_key(o.id), "");
    file_.put("orders_by_status", status(o.status) + id_key(o.id), "");
    if (is_open(o.status)) file_.put("open_orders", id_key(o.pet_id), id_key(o.id));
    file_.put("meta", "last_order", big_endian(static_cast<std::uint64_t>(o.id)));
  }

  void put(identity_record const& i) {
    std::string json;
    append_json(json, i);
    file_.put("identities", big_endian(i.number), record(0, json));
  }

  raw_file& file() { return file_; }

 private:
  static std::string record(std::uint64_t revision, std::string_view json) {
    return std::string(1, '\1') + big_endian(revision) + std::string{json};
  }
  template <class Status>
  static std::string status(Status s) {
    return std::string(1, static_cast<char>(s));
  }

  raw_file file_;
};

pet const rex{.id = 3, .name = "Rex", .category_id = -4, .status = pet_status::pending};
pet const max{.id = 5, .name = "Max", .category_id = -4, .status = {}};
order const placed{.id = 2, .pet_id = 3, .status = order_status::placed, .created_at = noon, .updated_at = noon};

void write_format_1(std::filesystem::path const& directory) {
  format_1_writer writer(directory);
  writer.put(rex, 7);
  writer.put(max, 1);
  writer.put(placed, 2);
  identity_record tester;
  tester.number = 1;
  tester.plan = "free";
  writer.put(tester);
}

}  // namespace

BOOST_AUTO_TEST_CASE(store_of_format_1_is_brought_up_to_date) {
  temporary_directory directory;
  write_format_1(directory.path());
  std::vector<std::string> events;
  auto options = options_for(directory.path());
  options.report = [&](std::string_view event, std::string_view) { events.emplace_back(event); };

  auto store = open_store(options);
  BOOST_TEST(events == std::vector<std::string>{"store_upgraded"}, boost::test_tools::per_element());
  std::string json;
  BOOST_TEST(store.read_pet(3, json).value() == (entity_tag{.revision = 7, .checksum = crc32c(to_json(rex))}));
  BOOST_TEST(json == to_json(rex));
  BOOST_TEST(store.order_of(2) == placed);
  BOOST_TEST(store.read_keys()->identities.size() == 1u);

  pet_list const pending_dogs{.status = pet_status::pending, .category_id = -4};
  BOOST_TEST(store.walk(pending_dogs) == std::vector<std::int64_t>{3}, boost::test_tools::per_element());
  order_list const placed_for_rex{.status = order_status::placed, .pet_id = 3};
  BOOST_TEST(store.walk(placed_for_rex) == std::vector<std::int64_t>{2}, boost::test_tools::per_element());

  BOOST_TEST(store.add_pet(std::nullopt).id == 6);
  BOOST_REQUIRE(store.update_order(2, order_status::cancelled));
  BOOST_TEST(store.walk(pending_dogs).empty());
}

BOOST_AUTO_TEST_CASE(upgrade_happens_once) {
  temporary_directory directory;
  write_format_1(directory.path());
  open_store(directory.path());
  auto options = options_for(directory.path());
  options.report = [](std::string_view event, std::string_view) { BOOST_ERROR(std::string{event}); };
  BOOST_TEST(open_store(options).pet_of(3).name == "Rex");
  BOOST_TEST(raw_file(directory.path()).get("meta", "format").value() == big_endian(4));
}

BOOST_AUTO_TEST_CASE(records_of_format_2_are_read_and_written_anew_in_the_newest) {
  temporary_directory directory;
  open_store(directory.path()).add_pet(std::nullopt);
  {
    raw_file file(directory.path());
    std::string const json = R"({"id":1,"name":"Rex","categoryId":1})";
    std::string record = std::string(1, '\2') + big_endian(6) + big_endian(crc32c(json)).substr(4) + json;
    file.put("pets", id_key(1), record);
    file.put("meta", "format", big_endian(2));
  }
  auto store = open_store(directory.path());
  std::string json;
  BOOST_TEST(store.read_pet(1, json)->revision == 6u);
  BOOST_TEST(store.update_pet(1, {.name = "Max", .category_id = {}, .status = {}})->tag.revision == 7u);
  BOOST_TEST(store.pet_of(1).name == "Max");
}

BOOST_AUTO_TEST_CASE(identities_of_format_3_have_no_resets_and_can_have_some) {
  temporary_directory directory;
  BOOST_REQUIRE(open_store(directory.path()).change_keys(free_key(1)));
  raw_file(directory.path()).put("meta", "format", big_endian(3));
  std::uint64_t reset = 0;
  {
    auto store = open_store(directory.path());
    BOOST_TEST(store.read_keys()->identities.at(0).quota_resets == 0u);
    reset = store.change_keys(reset_quota{.number = 1})->identity.quota_resets;
    BOOST_TEST(reset > 0u);
  }
  BOOST_TEST(raw_file(directory.path()).get("meta", "format").value() == big_endian(4));
  BOOST_TEST(open_store(directory.path()).read_keys()->identities.at(0).quota_resets == reset);
}

BOOST_AUTO_TEST_CASE(store_of_format_3_counted_no_usage_and_gets_the_tables) {
  temporary_directory directory;
  open_store(directory.path()).add_pet(std::nullopt);
  for (auto const* table : {"key_usage", "key_last_uses"}) raw_file(directory.path()).drop(table);
  raw_file(directory.path()).put("meta", "format", big_endian(3));
  BOOST_TEST(storage::check_lmdb_store(directory.path(), [](std::string const& fault) { BOOST_ERROR(fault); }).faults ==
             0u);
  auto store = open_store(directory.path());
  BOOST_TEST(store.pet_of(1).name == "Rex");
  ports::usage_of_key const use{.key = 1, .day = {}, .admitted = 1, .refused = 0, .last_used = noon};
  BOOST_REQUIRE(store.add_usage({.token = {}, .rows = {use}}));
  BOOST_TEST(store.read_usage(1, {}, {})->front().admitted == 1u);
  BOOST_TEST(raw_file(directory.path()).get("meta", "format").value() == big_endian(4));
}

BOOST_AUTO_TEST_CASE(upgrade_that_fails_leaves_the_store_as_it_was) {
  temporary_directory directory;
  write_format_1(directory.path());
  raw_file(directory.path()).put("orders", id_key(9), "?");
  BOOST_TEST(refusal_of(options_for(directory.path())).find("a record of orders is not of format 1") !=
             std::string::npos);

  raw_file file(directory.path());
  BOOST_TEST(file.get("meta", "format").value() == big_endian(1));
  BOOST_TEST(file.get("pets", id_key(3)).value()[0] == '\1');
  BOOST_TEST(file.count("pets_by_status_category") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
