// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_digester.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace petstore {

BOOST_AUTO_TEST_SUITE(key_digests)

namespace {

BOOST_AUTO_TEST_CASE(a_key_is_digested_right_the_first_time_again_and_after_another) {
  auto const key_of = [](unsigned char byte) {
    std::array<unsigned char, 32> secret{};
    secret.fill(byte);
    return make_api_key(environment::production, secret);
  };
  auto const one = key_of(1);
  auto const other = key_of(2);
  key_digester digester{environment::production};
  for (auto const& key : {one, one, other, one, other, other}) {
    auto const* digest = digester.digest(key);
    BOOST_TEST_REQUIRE(digest != nullptr);
    BOOST_TEST((*digest == sha256(key)));
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_key_has_no_digest_whatever_came_before) {
  key_digester digester{environment::production};
  BOOST_TEST(digester.digest(std::string(api_key_size, '\0')) == nullptr);
  auto const key = make_api_key(environment::production, {});
  auto almost = key;
  almost.back() = almost.back() == 'a' ? 'b' : 'a';
  BOOST_TEST(digester.digest(key) != nullptr);
  BOOST_TEST(digester.digest(almost) == nullptr);
  BOOST_TEST(digester.digest(key.substr(1)) == nullptr);
  BOOST_TEST(digester.digest(make_api_key(environment::staging, {})) == nullptr);
  BOOST_TEST((*digester.digest(key) == sha256(key)));
}

BOOST_AUTO_TEST_CASE(no_byte_of_a_key_is_left_out_when_it_is_compared_with_the_last_one) {
  auto const key = make_api_key(environment::production, {});
  key_digester digester{environment::production};
  for (std::size_t i = 0; i < key.size(); ++i) {
    BOOST_TEST_REQUIRE(digester.digest(key) != nullptr);
    auto other = key;
    other[i] = static_cast<char>(other[i] ^ 1);
    BOOST_TEST(digester.digest(other) == nullptr, "byte " << i);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore
