// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/error.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(error_)

using namespace petstore;

BOOST_AUTO_TEST_CASE(every_code_has_the_documented_status) {
  std::map<errc, std::pair<std::string_view, unsigned>> const documented{
      {errc::invalid_request, {"invalid_request", 400}},
      {errc::malformed_http, {"malformed_http", 400}},
      {errc::unauthorized, {"unauthorized", 401}},
      {errc::forbidden, {"forbidden", 403}},
      {errc::not_found, {"not_found", 404}},
      {errc::method_not_allowed, {"method_not_allowed", 405}},
      {errc::request_timeout, {"request_timeout", 408}},
      {errc::conflict, {"conflict", 409}},
      {errc::precondition_failed, {"precondition_failed", 412}},
      {errc::payload_too_large, {"payload_too_large", 413}},
      {errc::uri_too_long, {"uri_too_long", 414}},
      {errc::unsupported_media_type, {"unsupported_media_type", 415}},
      {errc::expectation_failed, {"expectation_failed", 417}},
      {errc::rate_limited, {"rate_limited", 429}},
      {errc::too_many_in_flight, {"too_many_in_flight", 429}},
      {errc::banned, {"banned", 429}},
      {errc::headers_too_large, {"headers_too_large", 431}},
      {errc::internal, {"internal", 500}},
      {errc::not_implemented, {"not_implemented", 501}},
      {errc::unavailable, {"unavailable", 503}},
      {errc::http_version_not_supported, {"http_version_not_supported", 505}},
  };
  BOOST_TEST(documented.size() == errc_count);
  for (auto const& [code, row] : documented) {
    BOOST_TEST(describe(code).code == row.first);
    BOOST_TEST(describe(code).status == row.second);
    BOOST_TEST(describe(code).message.ends_with('.'));
  }
}

BOOST_AUTO_TEST_CASE(the_body_has_the_contracts_three_members) {
  std::string out = "before ";
  append_error_json(out, errc::not_found, "no pet 7 \"here\"");
  BOOST_TEST(out == R"(before {"code":"not_found","message":"no pet 7 \"here\"","status":404})");
}

BOOST_AUTO_TEST_CASE(without_a_message_the_tables_sentence_is_sent) {
  std::string out;
  append_error_json(out, errc::conflict, "");
  BOOST_TEST(out == R"({"code":"conflict","message":"The request conflicts with the present state.","status":409})");
}

BOOST_AUTO_TEST_CASE(taking_the_value_of_a_failure_throws_with_the_cause) {
  result<int> const failed = error{.code = errc::internal, .message = {}, .cause = "disk gone"};
  BOOST_CHECK_EXCEPTION(failed.value(), std::runtime_error,
                        [](auto const& e) { return std::string_view{e.what()} == "internal (disk gone)"; });
}

BOOST_AUTO_TEST_SUITE_END()
