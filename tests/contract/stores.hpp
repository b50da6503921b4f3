// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

namespace contract {

// The kind of store that this run of the program is for: lmdb, or the word in `contract_tests … -- postgres`.
// Suites that run on each kind have the label `every_store`, and the condition `store_is_here`:
//   BOOST_AUTO_TEST_SUITE(name, *boost::unit_test::label("every_store") *
//                                   boost::unit_test::precondition(contract::store_is_here))
boost::test_tools::assertion_result store_is_here(boost::unit_test::test_unit_id);

// The URI of an empty store of that kind, for a `test_node`; empty for the store that a node has in its directory.
std::string new_store();

}  // namespace contract
