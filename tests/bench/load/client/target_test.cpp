// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/target.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_target)

namespace {

target read(std::string_view url) {
  auto const t = parse_target(url);
  BOOST_TEST_REQUIRE(t.value.has_value(), t.mistake);
  return *t.value;
}

/// Of an address there is one.
bool is_loopback(std::string_view url) {
  auto const found = resolve(read(url)).value.value();
  return found.at(0).is_loopback();
}

BOOST_AUTO_TEST_CASE(a_url_is_scheme_host_port_and_path) {
  BOOST_TEST((read("http://127.0.0.1:8080/v1/pets?limit=5") ==
              target{false, "127.0.0.1", 8080, "127.0.0.1:8080", "/v1/pets?limit=5"}));
  BOOST_TEST((read("HTTPS://shop.example") == target{true, "shop.example", 443, "shop.example", "/"}));
  BOOST_TEST((read("http://shop.example:80/a") == target{false, "shop.example", 80, "shop.example", "/a"}));
  BOOST_TEST((read("https://shop.example:80") == target{true, "shop.example", 80, "shop.example:80", "/"}));
  BOOST_TEST((read("http://[::1]:8080/") == target{false, "::1", 8080, "[::1]:8080", "/"}));
  BOOST_TEST((read("http://[::1]") == target{false, "::1", 80, "[::1]", "/"}));
  BOOST_TEST((read("localhost:8080") == target{false, "localhost", 8080, "localhost:8080", "/"}));
  BOOST_TEST(read("http://a?b=c").path == "/?b=c");
}

BOOST_AUTO_TEST_CASE(what_is_no_url_is_told_with_what_it_was) {
  for (auto const url : {"ftp://a/", "http://", "http:///a", "http://:80/", "http://a:0/", "http://a:65536/",
                         "http://a:8o/", "http://[::1/", "http://[::1]8080/", "http://user:word@a/", "http://a/#b",
                         "http://a/b c", "http://a/\r\nX: y", "http://a/\xc3\xa4"})
    BOOST_TEST(!parse_target(url).value.has_value(), url);
  BOOST_TEST(parse_target("ftp://a/").mistake.find("'ftp://a/'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(loopback_is_known_in_all_its_forms) {
  for (auto const url : {"http://127.0.0.1", "http://127.8.9.10:80", "http://[::1]", "http://[::ffff:127.0.0.1]"})
    BOOST_TEST(is_loopback(url), url);
  for (auto const url : {"http://192.0.2.1", "http://0.0.0.0", "http://[2001:db8::1]", "http://[::ffff:192.0.2.1]"})
    BOOST_TEST(!is_loopback(url), url);
}

BOOST_AUTO_TEST_CASE(an_address_is_told_with_its_port) {
  BOOST_TEST(resolve(read("http://127.0.0.1:8080")).value.value().front().text() == "127.0.0.1:8080");
  BOOST_TEST(resolve(read("http://[::1]:8080")).value.value().front().text() == "[::1]:8080");
}

BOOST_AUTO_TEST_CASE(a_host_that_nobody_knows_is_told) {
  // A name that no resolver may know: RFC 6761 section 6.4.
  auto const found = resolve(read("http://nobody.invalid"));
  BOOST_TEST(!found.value.has_value());
  BOOST_TEST(found.mistake.find("nobody.invalid") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
