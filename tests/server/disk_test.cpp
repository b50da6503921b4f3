// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/disk/sync.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <system_error>

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
