// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/stores.hpp"

#include <string_view>

#ifdef PETSTORE_HAS_POSTGRES
#include "support/needs_postgres.hpp"
#endif

namespace contract {
namespace {

bool is_on_postgres() {
  const auto& suite = boost::unit_test::framework::master_test_suite();
  if (suite.argc < 2 || suite.argv[1] == std::string_view("lmdb")) return false;
  if (suite.argv[1] == std::string_view("postgres")) return true;
  throw boost::unit_test::framework::setup_error("unknown store: " + std::string(suite.argv[1]));
}

}  // namespace

#ifdef PETSTORE_HAS_POSTGRES
boost::test_tools::assertion_result store_is_here(boost::unit_test::test_unit_id unit) {
  return !is_on_postgres() || petstore::tests::needs_postgres(unit);
}

std::string new_store() {
  return is_on_postgres() ? petstore::tests::postgres_server::shared().create_database() : std::string();
}
#else
boost::test_tools::assertion_result store_is_here(boost::unit_test::test_unit_id) {
  if (is_on_postgres()) BOOST_TEST_MESSAGE("SKIPPED: the program is built without PostgreSQL");
  return !is_on_postgres();
}

std::string new_store() {
  return {};
}
#endif

}  // namespace contract
