// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/redact.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(redact)

using petstore::program::redact_secrets;

BOOST_AUTO_TEST_CASE(a_key_is_cut_to_its_prefix) {
  BOOST_TEST(redact_secrets("`ps_test_abc` is not a whole number") == "`ps_test_***` is not a whole number");
}

BOOST_AUTO_TEST_CASE(the_password_of_an_address_is_blotted_out) {
  BOOST_TEST(redact_secrets("redis://user:pw@host:6379/0") == "redis://user:***@host:6379/0");
  BOOST_TEST(redact_secrets("redis://:p@w/x@host") == "redis://:***@host");
  BOOST_TEST(redact_secrets("postgres://host/db?password=pw&sslmode=off") ==
             "postgres://host/db?password=***&sslmode=off");
  BOOST_TEST(redact_secrets("lmdb:/var/lib/petstore") == "lmdb:/var/lib/petstore");
  BOOST_TEST(redact_secrets("redis://user@host:6379") == "redis://user@host:6379");
}

BOOST_AUTO_TEST_CASE(a_password_in_the_query_of_an_address_is_blotted_out_whatever_it_contains) {
  BOOST_TEST(redact_secrets("postgres://h/db?pass%77ord=pw&sslmode=off") ==
             "postgres://h/db?pass%77ord=***&sslmode=off");
  BOOST_TEST(redact_secrets("postgres://h/db?sslpassword=pw") == "postgres://h/db?sslpassword=***");
  BOOST_TEST(redact_secrets("postgres://u@h:5432/db?password=p@w") == "postgres://u@h:5432/db?password=***");
  BOOST_TEST(redact_secrets("postgres://h/db?password=p=w&password=&x=1") ==
             "postgres://h/db?password=***&password=***&x=1");
  BOOST_TEST(redact_secrets("postgres://h/db?passwords=2&passfile=/etc/p%") ==
             "postgres://h/db?passwords=2&passfile=/etc/p%");
  BOOST_TEST(redact_secrets("password=pw is wrong") == "password=*** is wrong");
  using petstore::program::redact_address;
  BOOST_TEST(redact_address("postgres://u:p w@h/db?password=one two&x=1") == "postgres://u:***@h/db?password=***&x=1");
  BOOST_TEST(redact_address("postgres://h/db?x=1&password=one two") == "postgres://h/db?x=1&password=***");
}

BOOST_AUTO_TEST_CASE(the_password_of_an_address_that_is_none_is_blotted_out_too) {
  BOOST_TEST(redact_secrets("postgres:/u:pw@h/db") == "postgres:***@h/db");
  BOOST_TEST(redact_secrets("u:pw@h/db") == "u:***@h/db");
  BOOST_TEST(redact_secrets("redis:/:p:w@h") == "redis:***@h");
  BOOST_TEST(redact_secrets("u:p w@h") == "u:***@h");
  BOOST_TEST(redact_secrets("http:///u:pw@h") == "http:///u:***@h");
  BOOST_TEST(redact_secrets("quota: `u:pw@h` is no address (from --quota)") ==
             "quota: `u:***@h` is no address (from --quota)");
  BOOST_TEST(redact_secrets("quota: `x` or `u:p`w@h`") == "quota: `x` or `u:***@h`");
  BOOST_TEST(redact_secrets("user@host:6379") == "user@host:6379");
  BOOST_TEST(redact_secrets("at 12:30:00") == "at 12:30:00");
}

BOOST_AUTO_TEST_CASE(the_query_of_an_address_can_be_left_out) {
  using petstore::program::without_query;
  BOOST_TEST(without_query("https://hooks.example.com/x?token=secret&b=c") == "https://hooks.example.com/x?***");
  BOOST_TEST(without_query("https://hooks.example.com/x") == "https://hooks.example.com/x");
  BOOST_TEST(without_query("hooks?token=secret") == "hooks?***");
}

BOOST_AUTO_TEST_SUITE_END()
