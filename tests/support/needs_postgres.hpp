// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include "support/postgres_server.hpp"

namespace petstore::tests {

/// The condition of a suite that needs a PostgreSQL server: without one, the suite is skipped, aloud.
///
///     BOOST_AUTO_TEST_SUITE(name, *boost::unit_test::precondition(petstore::tests::needs_postgres))
inline boost::test_tools::assertion_result needs_postgres(boost::unit_test::test_unit_id) {
  auto const missing = postgres_server::find_missing();
  if (!missing.empty()) BOOST_TEST_MESSAGE("SKIPPED: " << missing);
  return missing.empty();
}

}  // namespace petstore::tests
