// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/accept.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(accepted_by_clients)

namespace {

/// What a function says about a request with these lines of one field.
template <class Function, class... Arguments>
auto with_lines(std::string_view name, std::vector<std::string> const& lines, Function function, Arguments... more) {
  std::vector<header_field> fields;
  for (auto const& line : lines) fields.push_back({name, line});
  request req;
  req.fields = fields;
  return function(req, more...);
}

bool takes_gzip(std::vector<std::string> const& lines) {
  return with_lines("Accept-Encoding", lines, accepts_gzip);
}

bool names_html(std::vector<std::string> const& lines) {
  return with_lines("accept", lines, names_type, "text/html");
}

std::optional<unsigned> weight(std::string const& line) {
  return with_lines("Accept", {line}, weight_of, "Accept", "text/plain");
}

BOOST_AUTO_TEST_CASE(gzip_is_sent_to_who_takes_it) {
  BOOST_TEST(takes_gzip({"gzip, deflate, br"}));
  BOOST_TEST(takes_gzip({"deflate", "br, GZip;q=0.5"}));
  BOOST_TEST(takes_gzip({"*"}));
  BOOST_TEST(takes_gzip({"x-gzip"}));
  BOOST_TEST(!takes_gzip({}));
  BOOST_TEST(!takes_gzip({""}));
  BOOST_TEST(!takes_gzip({"identity"}));
  BOOST_TEST(!takes_gzip({"gzip;q=0"}));
  BOOST_TEST(!takes_gzip({"*, gzip; q=0.000"}));
  BOOST_TEST(!takes_gzip({"*;q=0"}));
}

BOOST_AUTO_TEST_CASE(a_browser_names_html_and_a_program_does_not) {
  BOOST_TEST(names_html({"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}));
  BOOST_TEST(names_html({"application/json", "Text/HTML ; charset=utf-8; q=0.1"}));
  BOOST_TEST(!names_html({}));
  BOOST_TEST(!names_html({"*/*"}));
  BOOST_TEST(!names_html({"text/*"}));
  BOOST_TEST(!names_html({"text/html5"}));
  BOOST_TEST(!names_html({"text/html;q=0"}));
  BOOST_TEST(!names_html({"application/json"}));
}

BOOST_AUTO_TEST_CASE(a_weight_is_told_in_thousandths) {
  BOOST_TEST(weight("text/plain").value() == 1'000u);
  BOOST_TEST(weight("text/plain;q=1.000").value() == 1'000u);
  BOOST_TEST(weight("text/plain;version=0.0.4;q=0.3").value() == 300u);
  BOOST_TEST(weight("text/plain; Q=0.125").value() == 125u);
  BOOST_TEST(weight("text/plain;q=0").value() == 0u);
  BOOST_TEST(weight("text/plain;q=0.000").value() == 0u);
  BOOST_TEST(weight("text/html, text/plain;q=0.5, text/plain").value() == 500u);
  BOOST_TEST(!weight("text/html"));
}

BOOST_AUTO_TEST_CASE(a_malformed_weight_is_ignored) {
  for (auto const* text : {"text/plain;q=", "text/plain;q=x", "text/plain;q=2", "text/plain;q=0.x", "text/plain;q=.5",
                           "text/plain;q=0.1234", "text/plain;q=1.5", "text/plain;q=01"})
    BOOST_TEST(weight(text).value() == 1'000u, text);
  for (auto const* text : {"", ",", ";", ",;,", ";q=0", " , "}) BOOST_TEST(!weight(text), text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
