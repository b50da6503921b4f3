// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/webhook_address.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "config/values.hpp"

using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(webhook_addresses)

BOOST_AUTO_TEST_CASE(an_address_has_a_scheme_a_host_and_maybe_more) {
  auto const full = parse_webhook_address("https://hooks.example.com:8443/petstore/events?token=x&y=1");
  BOOST_TEST(full.is_encrypted);
  BOOST_TEST(full.host == "hooks.example.com");
  BOOST_TEST(full.port == 8443);
  BOOST_TEST(full.authority == "hooks.example.com:8443");
  BOOST_TEST(full.target == "/petstore/events?token=x&y=1");

  auto const bare = parse_webhook_address("http://hooks.example.com");
  BOOST_TEST(!bare.is_encrypted);
  BOOST_TEST(bare.port == 80);
  BOOST_TEST(bare.target == "/");
  BOOST_TEST(parse_webhook_address("https://a").port == 443);
  BOOST_TEST(parse_webhook_address("https://a?q").target == "/?q");
}

BOOST_AUTO_TEST_CASE(an_address_in_numbers_may_be_the_host) {
  auto const v6 = parse_webhook_address("http://[::1]:9000/x");
  BOOST_TEST(v6.host == "::1");
  BOOST_TEST(v6.port == 9000);
  BOOST_TEST(v6.authority == "[::1]:9000");
  BOOST_TEST(parse_webhook_address("https://[2001:db8::1]").port == 443);
  BOOST_TEST(parse_webhook_address("http://127.0.0.1:8080").host == "127.0.0.1");
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
  for (std::string const text : {"",
                                 "hooks.example.com",
                                 "ftp://a",
                                 "http://",
                                 "http:///x",
                                 "http://:80",
                                 "http://a:0",
                                 "http://a:65536",
                                 "http://a:x",
                                 "http://a:",
                                 "http://[::1",
                                 "http://[::1]x",
                                 "http://[a]",
                                 "http://user@a",
                                 "http://u:p@a/",
                                 "http://a b",
                                 "http://a/b c",
                                 "http://a/\r\nX: y",
                                 "http://a/#part",
                                 "http://a\r\n/",
                                 "HTTP://a"})
    BOOST_CHECK_THROW(parse_webhook_address(text), value_error);
}

BOOST_AUTO_TEST_SUITE_END()
