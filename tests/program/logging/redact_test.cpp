// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/redact.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "petstore/api_key.hpp"

using petstore::program::append_without_keys;
using petstore::program::redact_secrets;

namespace {

std::string without_keys(std::string_view text) {
  std::string out;
  append_without_keys(out, text);
  return out;
}

std::string const a_key = petstore::make_api_key(petstore::environment::production, {1, 2, 3});

}  // namespace

BOOST_AUTO_TEST_SUITE(redact)

BOOST_AUTO_TEST_CASE(a_key_is_cut_to_its_prefix) {
  BOOST_TEST(without_keys("/v1/pets/" + a_key) == "/v1/pets/ps_live_***");
  BOOST_TEST(without_keys(a_key + "/" + a_key + "?") == "ps_live_***/ps_live_***?");
  BOOST_TEST(without_keys("ps_test_abc") == "ps_test_***");
}

BOOST_AUTO_TEST_CASE(a_part_of_a_key_and_a_key_with_something_behind_are_cut_too) {
  BOOST_TEST(without_keys(a_key.substr(0, 20)) == "ps_live_***");
  BOOST_TEST(without_keys(a_key + "XYZ") == "ps_live_***");
  BOOST_TEST(without_keys("xps_live_abc") == "xps_live_***");
}

BOOST_AUTO_TEST_CASE(a_percent_encoded_key_is_a_key) {
  std::string encoded;
  for (char const c : a_key) {
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(c));
    encoded += hex;
  }
  BOOST_TEST(without_keys("/" + encoded + "/") == "/ps_live_***/");
  auto underscores = a_key;
  underscores.replace(2, 1, "%5f");
  BOOST_TEST(without_keys(underscores) == "ps_live_***");
}

BOOST_AUTO_TEST_CASE(other_texts_stay) {
  for (auto const* text :
       {"", "/v1/pets", "ps_", "ps_liv", "%", "%7", "%70", "pets%20", "100%", "ppppp", "ps_life_abc"}) {
    BOOST_TEST(without_keys(text) == text);
  }
}

BOOST_AUTO_TEST_CASE(the_password_of_an_address_is_blotted_out) {
  BOOST_TEST(redact_secrets("redis://user:pw@host:6379/0") == "redis://user:***@host:6379/0");
  BOOST_TEST(redact_secrets("redis://:p@w/x@host") == "redis://:***@host");
  BOOST_TEST(redact_secrets("postgres://host/db?password=pw&sslmode=off") ==
             "postgres://host/db?password=***&sslmode=off");
  BOOST_TEST(redact_secrets("lmdb:/var/lib/petstore") == "lmdb:/var/lib/petstore");
  BOOST_TEST(redact_secrets("redis://user@host:6379") == "redis://user@host:6379");
}

BOOST_AUTO_TEST_SUITE_END()
