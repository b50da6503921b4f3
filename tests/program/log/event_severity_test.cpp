// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/event_severity.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(event_severity)

using petstore::program::severity_of_event;
using petstore::server::severity;

BOOST_AUTO_TEST_CASE(what_stops_writes_is_an_error) {
  BOOST_TEST((severity_of_event("store_failed") == severity::error));
  BOOST_TEST((severity_of_event("store_damaged") == severity::error));
  BOOST_TEST((severity_of_event("store_full") == severity::error));
  BOOST_TEST((severity_of_event("quota_write_failed") == severity::error));
}

BOOST_AUTO_TEST_CASE(its_end_is_information_and_the_rest_a_warning) {
  BOOST_TEST((severity_of_event("store_recovered") == severity::info));
  BOOST_TEST((severity_of_event("quota_record_skipped") == severity::warning));
  BOOST_TEST((severity_of_event("never heard of") == severity::warning));
}

BOOST_AUTO_TEST_SUITE_END()
