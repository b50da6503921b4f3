// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "ledger.hpp"

#include <lmdb.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <map>

#include "support/temporary_directory.hpp"

using namespace petstore::quota;

namespace {

struct ledger_directory {
  petstore::tests::temporary_directory temporary;
  std::filesystem::path directory = temporary.path() / "quota";

  std::map<std::string, std::string> all(ledger& l) {
    std::map<std::string, std::string> records;
    l.read_all([&](std::string_view key, std::string_view value) { records.emplace(key, value); });
    return records;
  }
  void write(ledger& l, std::string key, std::optional<std::string> value) {
    ledger::change const c{std::move(key), std::move(value)};
    l.write({&c, 1});
  }
  /// What opening the directory says; empty when it opens.
  std::string complaint() {
    try {
      ledger l(directory);
    } catch (std::runtime_error const& e) {
      return e.what();
    }
    return {};
  }
  /// One record in an LMDB file that this program did not make.
  void foreign_record(std::string key, std::string value) {
    std::filesystem::create_directories(directory);
    in_bare_lmdb([&](MDB_txn* txn, MDB_dbi table) {
      MDB_val k{key.size(), key.data()};
      MDB_val v{value.size(), value.data()};
      BOOST_REQUIRE(mdb_put(txn, table, &k, &v, 0) == 0);
    });
  }
  std::string value_of(std::string key) {
    std::string value;
    in_bare_lmdb([&](MDB_txn* txn, MDB_dbi table) {
      MDB_val k{key.size(), key.data()};
      MDB_val v{};
      BOOST_REQUIRE(mdb_get(txn, table, &k, &v) == 0);
      value.assign(static_cast<char const*>(v.mv_data), v.mv_size);
    });
    return value;
  }
  void in_bare_lmdb(std::function<void(MDB_txn*, MDB_dbi)> const& act) {
    MDB_env* environment = nullptr;
    MDB_txn* txn = nullptr;
    MDB_dbi table = 0;
    BOOST_REQUIRE(mdb_env_create(&environment) == 0);
    BOOST_REQUIRE(mdb_env_open(environment, directory.c_str(), MDB_NOLOCK, 0600) == 0);
    BOOST_REQUIRE(mdb_txn_begin(environment, nullptr, 0, &txn) == 0);
    BOOST_REQUIRE(mdb_dbi_open(txn, nullptr, 0, &table) == 0);
    act(txn, table);
    BOOST_REQUIRE(mdb_txn_commit(txn) == 0);
    mdb_env_close(environment);
  }
};

bool names(std::string const& sentence, std::filesystem::path const& directory, std::string_view cause) {
  BOOST_TEST_MESSAGE(sentence);
  return sentence.find(directory.string()) != std::string::npos && sentence.find(cause) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_ledger, ledger_directory)

BOOST_AUTO_TEST_CASE(records_are_there_when_opened_again) {
  {
    ledger l(directory);
    write(l, "a", "1");
    write(l, "b", "2");
    write(l, "a", std::nullopt);
    write(l, "never there", std::nullopt);
  }
  ledger l(directory);
  BOOST_TEST((all(l) == std::map<std::string, std::string>{{"b", "2"}}));
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_made_is_the_owners_alone) {
  mode_t const before = ::umask(0);
  ledger const l(directory);
  ::umask(before);
  BOOST_TEST((std::filesystem::status(directory).permissions() == std::filesystem::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(second_open_is_refused) {
  ledger first(directory);
  BOOST_TEST(names(complaint(), directory, "in use by another server"));
}

BOOST_AUTO_TEST_CASE(file_in_place_of_the_directory_is_refused) {
  std::ofstream(directory) << "text";
  BOOST_TEST(names(complaint(), directory, "cannot be made"));
}

BOOST_AUTO_TEST_CASE(directory_of_something_else_is_refused) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "photo.jpg") << "text";
  BOOST_TEST(names(complaint(), directory, "holds no quotas"));
}

BOOST_AUTO_TEST_CASE(creation_that_was_cut_short_is_begun_anew) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "data.mdb.new") << "half of a head";
  {
    ledger l(directory);
    write(l, "a", "1");
  }
  BOOST_TEST(!std::filesystem::exists(directory / "data.mdb.new"));
  ledger again(directory);
  BOOST_TEST((all(again) == std::map<std::string, std::string>{{"a", "1"}}));
}

BOOST_AUTO_TEST_CASE(garbage_is_refused) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "data.mdb") << std::string(64'000, 'x');
  BOOST_TEST(names(complaint(), directory, "no quota file"));
}

BOOST_AUTO_TEST_CASE(lmdb_file_of_another_program_is_refused) {
  foreign_record("pets", "many");
  BOOST_TEST(names(complaint(), directory, "of another kind"));
}

BOOST_AUTO_TEST_CASE(newer_format_is_refused) {
  foreign_record("format", "petstore quota 3");
  BOOST_TEST(names(complaint(), directory, "format 3, which is newer than this program's 2"));
}

BOOST_AUTO_TEST_CASE(directory_of_format_1_becomes_one_of_format_2_when_it_is_written) {
  foreign_record("format", "petstore quota 1");
  foreign_record("a", "1");
  {
    ledger l(directory);
    BOOST_TEST((all(l) == std::map<std::string, std::string>{{"a", "1"}}));
  }
  BOOST_TEST(value_of("format") == "petstore quota 1");
  {
    ledger l(directory);
    write(l, "b", "2");
  }
  BOOST_TEST(value_of("format") == "petstore quota 2");
  ledger again(directory);
  BOOST_TEST((all(again) == std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}));
}

BOOST_AUTO_TEST_CASE(file_has_space_for_the_records_of_all_addresses) {
  constexpr std::size_t gibibyte = 1 << 30;
  auto const size_max_for = [&](std::size_t addresses) {
    { ledger const l(directory, addresses); }
    MDB_envinfo info{};
    in_bare_lmdb([&](MDB_txn* txn, MDB_dbi) { BOOST_REQUIRE(mdb_env_info(mdb_txn_env(txn), &info) == 0); });
    std::filesystem::remove_all(directory);
    return info.me_mapsize;
  };
  BOOST_TEST(size_max_for(0) == gibibyte);
  BOOST_TEST(size_max_for(65'536) == gibibyte);
  BOOST_TEST(size_max_for(16'777'216) == 16 * gibibyte);
}

BOOST_AUTO_TEST_CASE(failed_write_changes_nothing_and_the_next_one_succeeds) {
  ledger l(directory);
  write(l, "a", "1");
  // A full disk, as far as this process is concerned.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit unlimited{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &unlimited) == 0);
  rlimit const full{.rlim_cur = std::filesystem::file_size(directory / "data.mdb"), .rlim_max = unlimited.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  std::string const large(100'000, 'x');
  BOOST_CHECK_THROW(write(l, "large", large), std::runtime_error);
  BOOST_CHECK_THROW(write(l, "large", large), std::runtime_error);
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &unlimited) == 0);
  write(l, "b", large);
  BOOST_TEST((all(l) == std::map<std::string, std::string>{{"a", "1"}, {"b", large}}));
}

BOOST_AUTO_TEST_SUITE_END()
