// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/api_key.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <set>

BOOST_AUTO_TEST_SUITE(api_key)

using namespace petstore;

namespace {

std::array<unsigned char, 32> secret_ending_in(unsigned char last) {
  std::array<unsigned char, 32> secret{};
  secret.back() = last;
  return secret;
}

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

}  // namespace

// Computed by another program (Python's integers and zlib).
BOOST_AUTO_TEST_CASE(fixed_secrets_make_fixed_keys) {
  std::array<unsigned char, 32> all_ones;
  all_ones.fill(0xFF);
  std::array<unsigned char, 32> ascending;
  std::iota(ascending.begin(), ascending.end(), static_cast<unsigned char>(0));
  BOOST_TEST(make_api_key(environment::production, {}) == "ps_live_000000000000000000000000000000000000000000003uTVy");
  BOOST_TEST(make_api_key(environment::production, ascending) ==
             "ps_live_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf0qmEsM");
  BOOST_TEST(make_api_key(environment::staging, all_ones) ==
             "ps_test_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13FZENG");
  BOOST_TEST(make_api_key(environment::staging, secret_ending_in(61)) ==
             "ps_test_000000000000000000000000000000000000000000z2YxqxA");
  BOOST_TEST(make_api_key(environment::production, secret_ending_in(62)) ==
             "ps_live_00000000000000000000000000000000000000000100TzhHn");
}

BOOST_AUTO_TEST_CASE(generated_keys_are_well_formed_and_differ) {
  std::set<std::string> keys;
  for (int i = 0; i < 200; ++i)
    for (auto e : {environment::production, environment::staging}) {
      auto const key = generate_api_key(e);
      BOOST_TEST(key.size() == api_key_size);
      BOOST_TEST(is_well_formed_api_key(key, e));
      keys.insert(key);
    }
  BOOST_TEST(keys.size() == 400u);
}

BOOST_AUTO_TEST_CASE(a_key_of_the_other_environment_is_not_one) {
  auto const key = generate_api_key(environment::staging);
  BOOST_TEST(!is_well_formed_api_key(key, environment::production));
}

BOOST_AUTO_TEST_CASE(any_one_wrong_character_is_noticed) {
  auto const key = make_api_key(environment::production, secret_ending_in(62));
  for (std::size_t at = 0; at < key.size(); ++at) {
    auto typo = key;
    for (char c : digits) {
      typo[at] = c;
      if (c != key[at]) BOOST_TEST(!is_well_formed_api_key(typo, environment::production), typo);
    }
    for (char c : {'-', '_', ' ', '\0', '\xC3', '/', ':', '@', '[', '`', '{'}) {
      typo[at] = c;
      if (c != key[at]) BOOST_TEST(!is_well_formed_api_key(typo, environment::production), typo);
    }
  }
}

BOOST_AUTO_TEST_CASE(swapped_neighbours_are_noticed) {
  auto const key = generate_api_key(environment::production);
  for (std::size_t at = 0; at + 1 < key.size(); ++at) {
    auto typo = key;
    std::swap(typo[at], typo[at + 1]);
    if (typo != key) BOOST_TEST(!is_well_formed_api_key(typo, environment::production), typo);
  }
}

BOOST_AUTO_TEST_CASE(another_length_is_not_a_key) {
  auto const key = generate_api_key(environment::production);
  for (std::size_t size = 0; size < key.size(); ++size)
    BOOST_TEST(!is_well_formed_api_key(std::string_view{key}.substr(0, size), environment::production));
  BOOST_TEST(!is_well_formed_api_key(key + "0", environment::production));
  BOOST_TEST(!is_well_formed_api_key(" " + key, environment::production));
}

BOOST_AUTO_TEST_CASE(environments_have_one_spelling) {
  BOOST_TEST((parse_environment("production") == environment::production));
  BOOST_TEST((parse_environment("staging") == environment::staging));
  BOOST_TEST(to_string(environment::production) == "production");
  BOOST_TEST(to_string(environment::staging) == "staging");
  for (auto text : {"", "Production", "prod", "test"}) BOOST_TEST(!parse_environment(text).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
