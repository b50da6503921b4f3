// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/script.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace petstore::redis {
namespace {

/// Redis identifies a script by its SHA-1. It is not used for security.
std::string sha1_hex(std::string const& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL has no SHA-1, by which Redis knows scripts.");
  }
  constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex.push_back(digits[digest[i] >> 4]);
    hex.push_back(digits[digest[i] & 15]);
  }
  return hex;
}

}  // namespace

script::script(std::string text) : text_{std::move(text)}, digest_{sha1_hex(text_)} {}

}  // namespace petstore::redis
