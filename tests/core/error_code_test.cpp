// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/error_code.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

BOOST_AUTO_TEST_SUITE(error_code_)

using namespace petstore;

BOOST_AUTO_TEST_CASE(every_errc_is_an_error_code_with_its_sentence) {
  for (std::size_t i = 0; i < errc_count; ++i) {
    auto const code = static_cast<errc>(i);
    boost::system::error_code const failed = code;
    BOOST_TEST(failed.failed());
    BOOST_TEST((failed == code));
    BOOST_TEST(failed.message() == describe(code).message);
    BOOST_TEST(std::string{failed.category().name()} == "petstore");
    std::error_code const standard = failed;
    BOOST_TEST(static_cast<bool>(standard));
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_is_no_errc_has_a_message) {
  BOOST_TEST(errc_category().message(0) == "unknown error");
  BOOST_TEST(errc_category().message(-1) == "unknown error");
  BOOST_TEST(errc_category().message(static_cast<int>(errc_count) + 1) == "unknown error");
}

BOOST_AUTO_TEST_CASE(an_exception_has_the_code_that_it_carries) {
  auto const code_of_thrown = [](auto const& e) { return code_of(std::make_exception_ptr(e)); };
  boost::system::error_code const aborted = boost::asio::error::operation_aborted;
  BOOST_TEST(code_of_thrown(boost::system::system_error{aborted}) == aborted);
  BOOST_TEST((code_of_thrown(std::system_error{std::make_error_code(std::errc::connection_refused)}) ==
              boost::system::errc::connection_refused));
  BOOST_TEST((code_of_thrown(std::bad_alloc{}) == boost::system::errc::not_enough_memory));
  BOOST_TEST((code_of_thrown(std::runtime_error{"broken"}) == errc::internal));
  BOOST_TEST(!code_of(nullptr).failed());
}

BOOST_AUTO_TEST_SUITE_END()
