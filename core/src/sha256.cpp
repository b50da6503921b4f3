// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <openssl/evp.h>

#include <memory>
#include <stdexcept>

#include "petstore/api_key.hpp"
#ifdef __x86_64__
#include "sha256_x86.hpp"
#endif

namespace petstore {
namespace {

struct free_with_openssl {
  void operator()(EVP_MD* m) const noexcept { EVP_MD_free(m); }
  void operator()(EVP_MD_CTX* c) const noexcept { EVP_MD_CTX_free(c); }
};

/// Fetching an algorithm by name takes a lock and a look-up, several times the cost of digesting a key; so once.
EVP_MD const* algorithm() {
  static std::unique_ptr<EVP_MD, free_with_openssl> const fetched(EVP_MD_fetch(nullptr, "SHA2-256", nullptr));
  return fetched.get();
}

}  // namespace

sha256_digest sha256(std::string_view data) {
#ifdef __x86_64__
  static bool const directly = has_sha_instructions();
  if (directly) return sha256_by_instructions(data);
#endif
  thread_local std::unique_ptr<EVP_MD_CTX, free_with_openssl> const context(EVP_MD_CTX_new());
  sha256_digest digest;
  if (!context || EVP_DigestInit_ex2(context.get(), algorithm(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), data.data(), data.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
    throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }
  return digest;
}

}  // namespace petstore
