// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_trace.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdio>

#include "petstore/api_key.hpp"

BOOST_AUTO_TEST_SUITE(key_traces)

using namespace petstore;

namespace {

std::string without_keys(std::string_view text) {
  std::string out;
  append_without_keys(out, text);
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (char const c : text) {
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(c));
    out += hex;
  }
  return out;
}

// Its first bytes are not zero, so that it begins with other characters than zeros.
std::string const a_key = make_api_key(environment::production, {0xd3, 0x5b, 0x11, 0x9a, 0x20, 0x77, 0xee, 0x01, 0x5a,
                                                                 0xc4, 0x99, 0x3b, 0x62, 0x1f, 0x8d, 0x70, 0x42, 0xb6});
std::string const secret_alone = a_key.substr(8, 43);

}  // namespace

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
  BOOST_TEST(without_keys("/" + percent_encoded(a_key) + "/") == "/ps_live_***/");
  auto underscores = a_key;
  underscores.replace(2, 1, "%5f");
  BOOST_TEST(without_keys(underscores) == "ps_live_***");
}

BOOST_AUTO_TEST_CASE(the_secret_characters_are_known_without_their_prefix) {
  BOOST_TEST(without_keys("/" + secret_alone + "?x") == "/***?x");
  BOOST_TEST(without_keys("/" + percent_encoded(secret_alone)) == "/***");
  BOOST_TEST(without_keys("PS_LIVE_" + a_key.substr(8)) == "PS_LIVE_***");
  BOOST_TEST(without_keys(a_key.substr(28)) == "***");
  BOOST_TEST(without_keys(secret_alone + a_key) == "***ps_live_***");
}

BOOST_AUTO_TEST_CASE(a_text_mentions_a_key_where_there_is_a_trace) {
  BOOST_TEST(mentions_api_key("id-" + a_key));
  BOOST_TEST(mentions_api_key(percent_encoded(a_key)));
  BOOST_TEST(mentions_api_key(secret_alone));
  BOOST_TEST(!mentions_api_key(secret_alone.substr(0, key_trace_digits_min - 1)));
  BOOST_TEST(!mentions_api_key(""));
}

BOOST_AUTO_TEST_CASE(other_texts_stay) {
  for (auto const* text : {"", "/v1/pets", "ps_", "ps_liv", "%", "%7", "%70", "pets%20", "100%", "ppppp", "ps_life_abc",
                           "123e4567-e89b-12d3-a456-426614174000",                              // UUID
                           "4bf92f3577b34da6a3ce929d0e0e4736",                                  // trace id
                           "01ARZ3NDEKTSV4RRFFQ69G5FAV",                                        // ULID
                           "0ujtsYcgvSTl8PAuAdqWYSMnLOv",                                       // KSUID
                           "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",  // SHA-256
                           "Root=1-67891233-abcdef012345678912345678", "/var/lib/petstore/data.mdb"}) {
    BOOST_TEST(without_keys(text) == text);
    BOOST_TEST(!mentions_api_key(text));
  }
}

BOOST_AUTO_TEST_SUITE_END()
