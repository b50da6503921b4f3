// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <openssl/evp.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "petstore/api_key.hpp"

BOOST_AUTO_TEST_SUITE(sha256_)

using namespace petstore;

namespace {

std::string hex(sha256_digest const& digest) {
  std::string text;
  for (unsigned byte : digest) {
    text.push_back("0123456789abcdef"[byte >> 4]);
    text.push_back("0123456789abcdef"[byte & 15]);
  }
  return text;
}

constexpr auto of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

}  // namespace

BOOST_AUTO_TEST_CASE(published_vectors_come_out) {
  BOOST_TEST(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(hex(sha256("abc")) == of_abc);
  BOOST_TEST(hex(sha256(std::string(1000, 'a'))) == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

/// Every way to fill the last block, and to need another one for the length.
BOOST_AUTO_TEST_CASE(texts_of_every_length_digest_as_by_openssl) {
  std::mt19937 random(5);
  std::string text;
  for (std::size_t size = 0; size <= 300; ++size) {
    sha256_digest expected;
    BOOST_TEST_REQUIRE(EVP_Digest(text.data(), text.size(), expected.data(), nullptr, EVP_sha256(), nullptr) == 1);
    BOOST_TEST_REQUIRE(hex(sha256(text)) == hex(expected));
    text.push_back(static_cast<char>(random()));
  }
}

BOOST_AUTO_TEST_CASE(threads_do_not_disturb_each_other) {
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (auto& count : wrong) {
    threads.emplace_back([&count] {
      for (int i = 0; i < 500; ++i) count += hex(sha256("abc")) != of_abc;
    });
  }
  for (auto& t : threads) t.join();
  for (int count : wrong) BOOST_TEST(count == 0);
}

BOOST_AUTO_TEST_SUITE_END()
