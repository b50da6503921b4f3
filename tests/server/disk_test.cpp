// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <system_error>

#include "petstore/disk/lock.hpp"
#include "petstore/disk/sync.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(disk_sync)

// A disk that fails is in tests/faults/disk.

BOOST_AUTO_TEST_CASE(what_is_there_is_synced) {
  BOOST_TEST(!petstore::disk::sync(std::filesystem::temp_directory_path()));
  BOOST_TEST(!petstore::disk::sync_names(std::filesystem::temp_directory_path()));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there_is_a_failure_and_a_directory_whose_names_nobody_made_is_none) {
  std::filesystem::path const missing{"/nothing/of/this/name"};
  BOOST_TEST((petstore::disk::sync(missing) == std::errc::no_such_file_or_directory));
  BOOST_TEST(!petstore::disk::sync_names(missing));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_synced_is_a_failure_and_keeps_names_by_itself) {
  // A character device has nothing to sync: EINVAL, as from filesystems that sync no directories.
  BOOST_TEST((petstore::disk::sync("/dev/null") == std::errc::invalid_argument));
  BOOST_TEST(!petstore::disk::sync_names("/dev/null"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(disk_lock)

using petstore::disk::file_descriptor;
using petstore::disk::lock_alone;

BOOST_AUTO_TEST_CASE(a_file_is_locked_by_one_descriptor_until_that_is_closed) {
  petstore::tests::temporary_directory const d;
  auto const path = d / "file";
  auto const open = [&] { return file_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)); };
  auto const waiting = open();
  {
    auto const first = open();
    BOOST_TEST(lock_alone(first, path));
    BOOST_TEST(!lock_alone(waiting, path));
  }
  BOOST_TEST(lock_alone(waiting, path));
}

BOOST_AUTO_TEST_CASE(a_file_that_has_lost_its_name_is_not_locked_by_that) {
  petstore::tests::temporary_directory const d;
  auto const path = d / "file";
  auto const open = [&] { return file_descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)); };
  auto const renamed = open();
  std::filesystem::rename(path, d / "done");
  BOOST_TEST(!lock_alone(renamed, path));
  auto const another = open();
  BOOST_TEST(lock_alone(another, path));
  BOOST_TEST(!lock_alone(renamed, path));
}

BOOST_AUTO_TEST_SUITE_END()
