// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <benchmark/benchmark.h>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string>

#include "petstore/api_key.hpp"

namespace {

using namespace petstore;

std::string key() {
  std::array<unsigned char, 32> secret;
  secret.fill(0x5A);
  return make_api_key(environment::production, secret);
}

// What does it cost to check that a token is a well-formed key, before it is looked up? A flood of wrong tokens costs
// the second row.
void key_is_well_formed(benchmark::State& state) {
  std::string const text = key();
  for (auto _ : state) benchmark::DoNotOptimize(is_well_formed_api_key(text, environment::production));
}
BENCHMARK(key_is_well_formed);

void key_with_a_wrong_checksum(benchmark::State& state) {
  std::string text = key();
  text.back() = text.back() == 'a' ? 'b' : 'a';
  for (auto _ : state) benchmark::DoNotOptimize(is_well_formed_api_key(text, environment::production));
}
BENCHMARK(key_with_a_wrong_checksum);

// What does its digest cost? No table can save this part, since keys are stored only by their hash. The baseline is
// OpenSSL's EVP with the algorithm fetched once and one context for all.
void key_digest(benchmark::State& state) {
  std::string const text = key();
  for (auto _ : state) benchmark::DoNotOptimize(sha256(text));
}
BENCHMARK(key_digest);

void key_digest_by_openssl(benchmark::State& state) {
  std::string const text = key();
  std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> const algorithm(EVP_MD_fetch(nullptr, "SHA2-256", nullptr),
                                                                  &EVP_MD_free);
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> const context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  sha256_digest digest;
  for (auto _ : state) {
    EVP_DigestInit_ex2(context.get(), algorithm.get(), nullptr);
    EVP_DigestUpdate(context.get(), text.data(), text.size());
    EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
    benchmark::DoNotOptimize(digest);
  }
}
BENCHMARK(key_digest_by_openssl);

}  // namespace

BENCHMARK_MAIN();
