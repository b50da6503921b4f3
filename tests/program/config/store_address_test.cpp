// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/store_address.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "config/values.hpp"

using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(store_addresses)

BOOST_AUTO_TEST_CASE(a_directory_is_of_lmdb_and_an_address_of_postgres_stays_as_it_was_written) {
  BOOST_TEST((parse_store_address("lmdb:a/b") == store_address{.kind = store_kind::lmdb, .directory = "a/b"}));
  for (std::string const uri : {"postgres://", "postgresql://u:p@h/d?sslmode=require"})
    BOOST_TEST((parse_store_address(uri) == store_address{.kind = store_kind::postgres, .uri = uri}), uri);
  BOOST_TEST((parse_store_address("memory:") == store_address{}));
}

BOOST_AUTO_TEST_CASE(what_begins_like_no_store_or_ends_too_early_or_too_late_is_refused) {
  for (std::string const wrong : {"", "lmdb", "lmdb:", "memory", "memory:x", "postgres:/h", "redis://h", "LMDB:a"})
    BOOST_CHECK_THROW(parse_store_address(wrong), value_error);
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_program_asks_for_traits_and_not_for_kinds) {
  BOOST_TEST(parse_store_address("lmdb:d").traits().has_directory);
  BOOST_TEST(!parse_store_address("lmdb:d").traits().is_shared);
  BOOST_TEST(parse_store_address("postgres://h").traits().is_shared);
  BOOST_TEST(!parse_store_address("postgres://h").traits().is_gone_with_server);
  BOOST_TEST(parse_store_address("memory:").traits().is_gone_with_server);
}

BOOST_AUTO_TEST_SUITE_END()
