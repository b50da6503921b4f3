// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/lmdb_maintenance.hpp"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/file.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "petstore/disk/file_descriptor.hpp"
#include "storage/lmdb/disk.hpp"
#include "storage/lmdb/open_store.hpp"
#include "storage/lmdb/raw_file.hpp"
#include "support/child_process.hpp"
#include "support/eventually.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {
namespace {

constexpr int pets = 300;  // enough for branch pages

/// A store with a bit of everything in it, closed.
struct filled_store {
  filled_store() {
    auto store = open_store(store_path);
    BOOST_REQUIRE(store.create_category("dogs"));
    for (int i = 0; i < pets; ++i)
      store.add_pet(i % 3 == 0 ? std::nullopt : std::optional{pet_status::available}, i % 7);
    ports::idempotency const once{.identity = 1, .key = "a", .body_digest = {}};
    BOOST_REQUIRE(store.create_pet({.name = "Max", .category_id = 1, .status = pet_status::available}, once));
    for (std::int64_t pet : {2, 3, 5}) store.add_order(pet);
    BOOST_REQUIRE(store.update_order(1, order_status::cancelled));
    create_key key;
    key.digest = sha256("key");
    key.prefix = "ps_live_";
    key.last_four = "wxyz";
    key.plan = "free";
    BOOST_REQUIRE(store.change_keys(std::move(key)));
  }

  std::vector<std::string> check() {
    std::vector<std::string> faults;
    found = storage::check_lmdb_store(store_path, [&](std::string const& fault) { faults.push_back(fault); });
    BOOST_TEST(found.faults == faults.size());
    return faults;
  }
  void expect_fault(std::string const& fault) {
    auto const faults = check();
    BOOST_TEST(std::ranges::count(faults, fault) == 1, fault);
    for (auto const& each : faults) BOOST_TEST_MESSAGE(each);
  }

  void flip(std::uint64_t at) {
    std::fstream file(store_path / "data.mdb", std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(at));
    auto const byte = static_cast<char>(file.get() ^ 0x41);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  temporary_directory directory;
  std::filesystem::path const store_path = directory / "store";
  std::filesystem::path const copy = directory / "copy";
  storage::check_summary found;
};

/// A file like that of quotas: one table, and no list of readers.
class quota_file {
 public:
  explicit quota_file(std::filesystem::path const& directory) : environment_(make_environment(), &mdb_env_close) {
    std::filesystem::create_directories(directory);
    BOOST_TEST_REQUIRE(mdb_env_set_mapsize(environment_.get(), std::size_t{64} << 20) == 0);
    BOOST_TEST_REQUIRE(mdb_env_open(environment_.get(), directory.c_str(), MDB_NOLOCK, 0600) == 0);
  }

  /// In one transaction.
  void put(int first, int count, std::string const& value) {
    MDB_txn* txn = nullptr;
    MDB_dbi table = 0;
    BOOST_TEST_REQUIRE(mdb_txn_begin(environment_.get(), nullptr, 0, &txn) == 0);
    BOOST_TEST_REQUIRE(mdb_dbi_open(txn, nullptr, 0, &table) == 0);
    for (int number = first; number < first + count; ++number) {
      auto key = std::to_string(number);
      auto copied = value;
      MDB_val k{key.size(), key.data()};
      MDB_val v{copied.size(), copied.data()};
      BOOST_TEST_REQUIRE(mdb_put(txn, table, &k, &v, 0) == 0);
    }
    BOOST_TEST_REQUIRE(mdb_txn_commit(txn) == 0);
  }
  std::size_t records() const {
    MDB_stat found{};
    BOOST_TEST_REQUIRE(mdb_env_stat(environment_.get(), &found) == 0);
    return found.ms_entries;
  }

 private:
  static MDB_env* make_environment() {
    MDB_env* made = nullptr;
    BOOST_TEST_REQUIRE(mdb_env_create(&made) == 0);
    return made;
  }
  std::unique_ptr<MDB_env, decltype(&mdb_env_close)> const environment_;
};

std::string message_of(auto operation) {
  try {
    operation();
    return {};
  } catch (std::runtime_error const& e) {
    return e.what();
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lmdb_maintenance, filled_store)

BOOST_AUTO_TEST_CASE(sound_store_has_no_fault) {
  BOOST_TEST(check().empty());
  BOOST_TEST(found.records == 1u + 301 + 3 + 1 + 1 + 1 + 1);  // category, pets, orders, answer, key, identity, audit
  BOOST_TEST(found.pages > 20u);
}

BOOST_AUTO_TEST_CASE(store_without_a_record_is_sound) {
  auto const empty = directory / "empty";
  open_store(empty);
  BOOST_TEST(storage::check_lmdb_store(empty, [](std::string const& f) { BOOST_ERROR(f); }).faults == 0u);
}

BOOST_AUTO_TEST_CASE(store_is_checked_and_copied_while_it_is_written_to) {
  auto store = open_store(store_path);
  std::atomic<bool> stop{false};
  std::atomic<std::int64_t> added{0};
  // Boost.Test is for one thread: this one counts, and judges nothing.
  std::thread writer([&] {
    while (!stop) {
      auto const created = store.create_pet({.name = "Rex", .category_id = 1, .status = pet_status::available});
      if (created) added = created->id;
    }
  });
  // A process opens a file of LMDB's once: so a copy is what is checked here, made of the bytes by a child.
  auto const program = std::string{PETSTORE_OTHER_PROCESS};
  for (int round = 0; round < 3; ++round) {
    auto const target = directory / ("copy" + std::to_string(round));
    BOOST_TEST(run({.words = {program, "check", store_path}}).code == 0);
    BOOST_TEST(run({.words = {program, "backup", store_path, target}}).code == 0);
  }
  stop = true;
  writer.join();
  BOOST_TEST(added > pets);
  for (int round = 0; round < 3; ++round)
    BOOST_TEST(storage::check_lmdb_store(directory / ("copy" + std::to_string(round)), [](std::string const& f) {
                 BOOST_ERROR(f);
               }).faults == 0u);
}

BOOST_AUTO_TEST_CASE(copy_replaces_an_unfinished_one_and_nothing_else) {
  auto const unfinished = directory / "copy.partial";
  std::filesystem::create_directories(unfinished / "quota");
  std::ofstream(unfinished / "data.mdb") << "incomplete";
  std::ofstream(unfinished / "notes") << "somebody's";
  auto const back_up = [&] { storage::back_up_lmdb_store(store_path, copy); };
  BOOST_TEST(message_of(back_up) ==
             "'" + unfinished.string() + "' is no unfinished backup, which would be replaced: move it away");
  BOOST_TEST(std::filesystem::exists(unfinished / "notes"));
  std::filesystem::remove(unfinished / "notes");
  BOOST_TEST(message_of(back_up) == "");
  BOOST_TEST(!std::filesystem::exists(unfinished));
}

BOOST_AUTO_TEST_CASE(damaged_records_are_named) {
  {
    raw_file file(store_path);
    for (auto const& [table, key] :
         {std::pair{"pets", id_key(7)}, {"keys", big_endian(1)}, {"audit_log", big_endian(1)}}) {
      auto record = file.get(table, key).value();
      record.back() = '?';
      file.put(table, key, record);
    }
  }
  auto const faults = check();
  std::vector<std::string> const expected{"pets: record 7 of pets is damaged: its checksum does not match",
                                          "keys: record 1 of keys is damaged: its checksum does not match",
                                          "audit_log: record 1 of audit_log is damaged: its checksum does not match"};
  BOOST_TEST(faults == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(record_that_an_index_lacks_is_named) {
  auto const status = std::string(1, '\1');
  raw_file(store_path).remove("pets_by_status", status + id_key(8));
  expect_fault("pets: record 8 is missing in pets_by_status");
}

BOOST_AUTO_TEST_CASE(index_entry_without_a_record_is_named) {
  raw_file(store_path).put("orders_by_pet", id_key(5) + id_key(9), "");
  expect_fault("orders_by_pet: entry 80000000000000058000000000000009 belongs to no record of orders");
}

BOOST_AUTO_TEST_CASE(index_entry_of_another_state_of_its_record_is_named) {
  auto const sold = std::string(1, '\3');
  raw_file(store_path).put("pets_by_status", sold + id_key(8), "");
  expect_fault("pets_by_status: entry 038000000000000008 belongs to no record of pets");
}

BOOST_AUTO_TEST_CASE(open_order_of_an_animal_that_is_gone_is_named) {
  raw_file(store_path).remove("pets", id_key(3));
  expect_fault("orders: record 2 is open for an animal that does not exist");
}

BOOST_AUTO_TEST_CASE(answer_that_would_never_expire_is_named) {
  {
    raw_file file(store_path);
    file.remove("answers_by_expiry", file.first_key("answers_by_expiry"));
  }
  auto const faults = check();
  BOOST_TEST(faults.size() == 1u);
  BOOST_TEST(faults.at(0).find("is missing in answers_by_expiry") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(key_without_its_identity_or_its_digest_is_named) {
  {
    raw_file file(store_path);
    file.remove("identities", big_endian(1));
    file.remove("key_digests", file.first_key("key_digests"));
  }
  auto const faults = check();
  std::vector<std::string> const expected{"keys: record 1 is missing in key_digests",
                                          "keys: record 1 belongs to an identity that does not exist"};
  BOOST_TEST(faults == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(counter_below_an_id_is_named) {
  raw_file(store_path).put("meta", "last_pet", big_endian(300));
  expect_fault("pets: record 301 lies above the highest id ever given out, says last_pet in meta");
}

BOOST_AUTO_TEST_CASE(usage_of_another_size_is_named) {
  raw_file(store_path).put("key_usage", big_endian(7), "");
  raw_file(store_path).put("key_last_uses", big_endian(8), "1");
  expect_fault("key_usage: record 7 has another size");
  expect_fault("key_last_uses: record 8 has another size");
}

BOOST_AUTO_TEST_CASE(table_that_is_missing_is_named) {
  raw_file(store_path).drop("open_orders");
  expect_fault("open_orders: the table is missing");
}

BOOST_AUTO_TEST_CASE(turned_over_byte_anywhere_in_the_file_never_ends_the_check) {
  storage::back_up_lmdb_store(store_path, copy);  // without free pages
  auto const size = std::filesystem::file_size(copy / "data.mdb");
  std::uint64_t found_at = 0;
  std::uint64_t turned_over = 0;
  constexpr std::uint64_t step = 397;  // odd, so that it falls on every part of a page
  for (std::uint64_t at = 0; at < size; at += step) {
    std::filesystem::copy_file(copy / "data.mdb", store_path / "data.mdb",
                               std::filesystem::copy_options::overwrite_existing);
    flip(at);
    std::uint64_t faults = 0;
    auto const refusal =
        message_of([&] { faults = storage::check_lmdb_store(store_path, [](std::string const&) {}).faults; });
    ++turned_over;
    if (faults != 0 || !refusal.empty()) ++found_at;
  }
  BOOST_TEST(found_at > turned_over / 4);  // the rest fell on what is not used: free space within pages, the older head
  BOOST_TEST_MESSAGE(found_at << " of " << turned_over);
}

BOOST_AUTO_TEST_CASE(file_that_was_cut_off_is_told_of) {
  auto const size = std::filesystem::file_size(store_path / "data.mdb");
  std::filesystem::resize_file(store_path / "data.mdb", size / 2);
  BOOST_TEST(!check().empty());
  std::filesystem::resize_file(store_path / "data.mdb", 100);
  BOOST_TEST(check() == std::vector<std::string>{"the file ends within its head"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(copy_holds_everything_and_can_be_served) {
  BOOST_TEST(storage::back_up_lmdb_store(store_path, copy).records == 309u);
  BOOST_TEST(!std::filesystem::exists(copy.string() + ".partial"));
  auto store = open_store(copy);
  BOOST_TEST(store.walk(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 100}).size() == 301u);
  BOOST_TEST(store.read_keys()->keys.size() == 1u);
  BOOST_TEST(store.add_pet(std::nullopt).id == 302);
}

BOOST_AUTO_TEST_CASE(copy_of_a_damaged_store_is_not_made) {
  raw_file(store_path).put("orders_by_pet", id_key(5) + id_key(9), "");
  auto const refusal = message_of([&] { storage::back_up_lmdb_store(store_path, copy); });
  BOOST_TEST(refusal.find("the store is damaged") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(copy));
  BOOST_TEST(!std::filesystem::exists(copy.string() + ".partial"));
}

BOOST_AUTO_TEST_CASE(copy_overwrites_nothing) {
  std::filesystem::create_directory(copy);
  BOOST_TEST(message_of([&] { storage::back_up_lmdb_store(store_path, copy); }) ==
             "'" + copy.string() + "' exists already");
}

BOOST_AUTO_TEST_CASE(quotas_are_copied_although_their_writer_is_faster_than_the_disk) {
  constexpr int records = 1'000;
  constexpr int writes_per_disturbance = 12;
  quota_file quotas(store_path / "quota");
  quotas.put(0, records, std::string(5'000, 'x'));  // in about 30 pieces of the copy
  int writes = 0;
  bool is_committing = false;
  disk::on_write([&] {
    if (is_committing || ++writes % writes_per_disturbance != 0) return 0;
    is_committing = true;
    for (int i = 0; i < 2; ++i) quotas.put(0, 1, std::to_string(writes));
    is_committing = false;
    return 0;
  });
  BOOST_TEST(storage::copy_lmdb_quotas(store_path, copy));
  disk::heal();
  BOOST_TEST(writes > writes_per_disturbance);
  BOOST_TEST(quota_file(copy).records() == std::size_t{records});
}

BOOST_AUTO_TEST_CASE(two_copies_are_never_written_into_one_directory) {
  auto const unfinished = std::filesystem::path(copy.string() + ".partial");
  std::filesystem::create_directory(unfinished);
  std::ofstream(unfinished / "data.mdb") << "of the other one";
  petstore::disk::file_descriptor other(::open(unfinished.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  BOOST_REQUIRE(::flock(other.get(), LOCK_EX) == 0);
  BOOST_TEST(message_of([&] { storage::back_up_lmdb_store(store_path, copy); }) ==
             "another backup is writing '" + unfinished.string() + "'");
  BOOST_TEST(read_file(unfinished / "data.mdb") == "of the other one");
  other = {};
  storage::back_up_lmdb_store(store_path, copy);
  BOOST_TEST(!std::filesystem::exists(unfinished));
}

BOOST_AUTO_TEST_CASE(copy_that_was_interrupted_does_not_hinder_the_next) {
  std::filesystem::create_directories(copy.string() + ".partial/quota");
  storage::back_up_lmdb_store(store_path, copy);
  BOOST_TEST(!std::filesystem::exists(copy / "quota"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_restore_leaves_no_empty_store_in_place_of_the_one_that_was_wanted) {
  storage::back_up_lmdb_store(store_path, copy);
  auto const restored = directory / "restored";
  std::filesystem::create_directories(restored / "restore.partial");
  auto const refusal = "cannot open the store in '" + restored.string() +
                       "': a restore into it has not ended: repeat that, or remove its restore.partial";
  auto const options = options_for(restored);
  BOOST_TEST(refusal_of(options) == refusal);
  BOOST_TEST(message_of([&] { storage::validate_lmdb_store(options); }) == refusal);
  storage::restore_lmdb_store(copy, restored);
  BOOST_TEST(message_of([&] { storage::validate_lmdb_store(options); }) == "");
}

BOOST_AUTO_TEST_CASE(no_tool_makes_a_store_where_a_restore_is_under_way) {
  auto const restored = directory / "restored";
  std::filesystem::create_directories(restored / "restore.partial");
  petstore::disk::file_descriptor lock(::open((restored / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  BOOST_REQUIRE(::flock(lock.get(), LOCK_EX) == 0);
  auto options = options_for(restored);
  options.serve = false;
  auto const refusal = "cannot open the store in '" + restored.string() + "': a restore into it is under way";
  BOOST_TEST(message_of([&] { (void)storage::open_lmdb_store(options); }) == refusal);
  BOOST_TEST(message_of([&] { storage::validate_lmdb_store(options); }) == refusal);
}

BOOST_AUTO_TEST_CASE(restored_store_is_the_one_that_was_copied) {
  storage::back_up_lmdb_store(store_path, copy);
  auto const restored = directory / "restored";
  std::filesystem::create_directories(restored / "restore.partial");  // of an attempt that was interrupted
  BOOST_TEST(storage::restore_lmdb_store(copy, restored).records == 309u);
  BOOST_TEST(!std::filesystem::exists(restored / "restore.partial"));
  auto store = open_store(restored);
  BOOST_TEST(store.walk(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 100}).size() == 301u);
}

BOOST_AUTO_TEST_CASE(restoring_overwrites_no_store) {
  storage::back_up_lmdb_store(store_path, copy);
  BOOST_TEST(message_of([&] { storage::restore_lmdb_store(copy, store_path); }) ==
             "there is a store in '" + store_path.string() + "' already");
}

BOOST_AUTO_TEST_CASE(store_that_is_made_during_a_restoration_stays) {
  storage::back_up_lmdb_store(store_path, copy);
  auto const restored = directory / "restored";
  std::filesystem::create_directory(restored);
  // Held by whoever creates a store.
  petstore::disk::file_descriptor lock(::open(restored.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  BOOST_REQUIRE(::flock(lock.get(), LOCK_EX) == 0);
  std::string said;
  std::jthread restoration([&] { said = message_of([&] { storage::restore_lmdb_store(copy, restored); }); });
  bool const has_begun = eventually([&] { return std::filesystem::exists(restored / "restore.partial"); });
  std::ofstream(restored / "data.mdb") << "made meanwhile";
  lock = {};
  restoration.join();
  BOOST_TEST(has_begun);
  BOOST_TEST(said == "there is a store in '" + restored.string() + "' already");
  BOOST_TEST(read_file(restored / "data.mdb") == "made meanwhile");
  BOOST_TEST(!std::filesystem::exists(restored / "restore.partial"));
}

BOOST_AUTO_TEST_CASE(damaged_copy_is_not_restored) {
  storage::back_up_lmdb_store(store_path, copy);
  raw_file(copy).remove("pets", id_key(4));
  auto const restored = directory / "restored";
  BOOST_TEST(message_of([&] { storage::restore_lmdb_store(copy, restored); }).find("the store is damaged") !=
             std::string::npos);
  BOOST_TEST(!std::filesystem::exists(restored / "data.mdb"));
}

BOOST_AUTO_TEST_CASE(store_that_a_server_uses_is_no_backup) {
  auto const store = open_store(store_path);
  BOOST_TEST(message_of([&] { storage::restore_lmdb_store(store_path, copy); }).find("a server is using") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_store_is_in_use_as_long_as_a_server_has_it_open) {
  BOOST_TEST(!storage::is_lmdb_store_in_use(store_path));
  {
    auto const store = open_store(store_path);
    BOOST_TEST(storage::is_lmdb_store_in_use(store_path));
  }
  BOOST_TEST(!storage::is_lmdb_store_in_use(store_path));
  BOOST_TEST(!storage::is_lmdb_store_in_use(copy / "nowhere"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
