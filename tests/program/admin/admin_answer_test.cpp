// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_answer.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::program {

BOOST_AUTO_TEST_SUITE(admin_answer_suite)

BOOST_AUTO_TEST_CASE(an_error_has_none_of_the_fields_of_the_answer_that_failed) {
  server::response answer;
  answer.add("Link", "</admin/v1/keys?cursor=a>; rel=\"next\"");
  answer_error(answer, errc::unavailable, "The store is gone.");
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(answer.fields.find("Link") == std::string::npos);
  BOOST_TEST(answer.fields.find("Retry-After: 1\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
