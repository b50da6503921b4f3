// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// OpenSSL 3 recommends EVP, which allocates memory for every digest and takes a quarter longer for the text of a key.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/sha.h>

#include "petstore/api_key.hpp"

namespace petstore {

sha256_digest sha256(std::string_view data) noexcept {
  sha256_digest digest;
  SHA256_CTX state;
  // None of the three can fail.
  SHA256_Init(&state);
  SHA256_Update(&state, data.data(), data.size());
  SHA256_Final(digest.data(), &state);
  return digest;
}

}  // namespace petstore
