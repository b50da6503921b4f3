// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/request_body.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(body)

namespace {

errc judge(std::vector<header_field> const& fields, bool has_body, bool too_large = false) {
  request req;
  req.fields = fields;
  req.has_body = has_body;
  req.body_too_large = too_large;
  auto const r = take_body(req, body_kind::json);
  BOOST_REQUIRE(!r);
  return r.error().code;
}

BOOST_AUTO_TEST_CASE(json_in_utf8_is_taken_however_it_is_written) {
  for (auto const* good :
       {"application/json", "Application/JSON", "application/json;charset=utf-8", "application/json; charset=UTF-8",
        "application/json ; charset=\"utf-8\"", "application/json; CharSet=\"UTF-8\" ", "application/json;",
        "application/json; profile=\"a;charset=latin1\"", "application/json; x=\"\\\";charset=latin1\""})
    BOOST_TEST(is_content_type(good, body_kind::json), good);
}

BOOST_AUTO_TEST_CASE(another_type_or_charset_is_not) {
  for (auto const* bad :
       {"", "text/json", "application/json5", "application", "application/merge-patch+json", "json",
        "application/json charset=utf-8", "application/json; charset=latin1", "application/json; charset=\"utf-16\"",
        "application/json; charset=", "application/json; charset", "application/json; charset=utf-8; charset=latin1",
        "application/json, application/json", "application/x-www-form-urlencoded"})
    BOOST_TEST(!is_content_type(bad, body_kind::json), bad);
}

BOOST_AUTO_TEST_CASE(a_body_in_a_content_coding_is_415) {
  BOOST_TEST((judge({{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}}, true) ==
              errc::unsupported_media_type));
  BOOST_TEST((judge({{"Content-Type", "application/json"}, {"Content-Encoding", "identity, gzip"}}, true) ==
              errc::unsupported_media_type));
  BOOST_TEST(
      (judge({{"Content-Type", "application/json"}, {"Content-Encoding", "identity"}, {"Content-Encoding", "gzip"}},
             true) == errc::unsupported_media_type));
  BOOST_TEST((judge({{"Content-Type", "application/json"}, {"Content-Encoding", "Identity"}}, true, true) ==
              errc::payload_too_large));
}

BOOST_AUTO_TEST_CASE(a_patch_may_be_a_merge_patch) {
  BOOST_TEST(is_content_type("application/merge-patch+json", body_kind::merge_patch));
  BOOST_TEST(is_content_type("application/merge-patch+json; charset=utf-8", body_kind::merge_patch));
  BOOST_TEST(is_content_type("application/json", body_kind::merge_patch));
  BOOST_TEST(!is_content_type("application/json-patch+json", body_kind::merge_patch));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_told_before_its_type_and_its_size_last) {
  BOOST_TEST((judge({}, false) == errc::invalid_request));
  BOOST_TEST((judge({{"Content-Type", "text/plain"}}, false) == errc::invalid_request));
  BOOST_TEST((judge({}, true) == errc::unsupported_media_type));
  BOOST_TEST((judge({{"Content-Type", "text/plain"}}, true, true) == errc::unsupported_media_type));
  BOOST_TEST((judge({{"Content-Type", "application/json"}, {"Content-Type", "application/json"}}, true) ==
              errc::unsupported_media_type));
  BOOST_TEST((judge({{"Content-Type", "application/json"}}, true, true) == errc::payload_too_large));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
