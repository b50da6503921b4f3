// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/file_stamp.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "support/eventually.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(file_stamps)

BOOST_AUTO_TEST_CASE(a_file_that_nobody_touches_keeps_its_stamp) {
  petstore::tests::temporary_directory directory;
  auto const file = directory.write("file", "text");
  BOOST_TEST((stamp_of(file) == stamp_of(file)));
  BOOST_TEST((stamp_of(file) != file_stamp{}));
  BOOST_TEST((stamp_of(directory / "none") == file_stamp{}));
}

BOOST_AUTO_TEST_CASE(who_may_read_a_file_is_part_of_its_stamp) {
  petstore::tests::temporary_directory directory;
  auto const file = directory.write("file", "text");
  auto const before = stamp_of(file);
  // Another group or access list leaves the mode and the owner as they are, as this does. The kernel's clock for files
  // ticks every few milliseconds.
  BOOST_TEST(petstore::tests::eventually([&] { return ::chmod(file.c_str(), 0600) == 0 && stamp_of(file) != before; }));
}

BOOST_AUTO_TEST_SUITE_END()
