// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What does it cost to find the caller of a request? A key is checked for its form, hashed, and looked up by the hash;
// for any other token the check of its form is the end. The baselines are OpenSSL's one-shot digest and its
// constant-time comparison, and the look-up in a std::unordered_map of the same keys.

#include <benchmark/benchmark.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/key_digester.hpp"
#include "petstore/key_registry.hpp"

namespace {

using namespace petstore;

std::string make_key(std::uint64_t n) {
  std::array<unsigned char, 32> secret{};
  std::memcpy(secret.data(), &n, sizeof n);
  return make_api_key(environment::production, secret);
}

void key_that_is_well_formed(benchmark::State& state) {
  std::string const key = make_key(1);
  for (auto _ : state) benchmark::DoNotOptimize(is_well_formed_api_key(key, environment::production));
}
BENCHMARK(key_that_is_well_formed);

void key_with_a_wrong_checksum(benchmark::State& state) {
  std::string key = make_key(1);
  key.back() = key.back() == '0' ? '1' : '0';
  for (auto _ : state) benchmark::DoNotOptimize(is_well_formed_api_key(key, environment::production));
}
BENCHMARK(key_with_a_wrong_checksum);

void hash(benchmark::State& state) {
  std::string const key = make_key(1);
  for (auto _ : state) benchmark::DoNotOptimize(sha256(key));
}
BENCHMARK(hash);

void hash_by_evp_digest(benchmark::State& state) {
  std::string const key = make_key(1);
  sha256_digest digest;
  for (auto _ : state) {
    if (EVP_Digest(key.data(), key.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("OpenSSL cannot compute SHA-256");
    benchmark::DoNotOptimize(digest.data());
  }
}
BENCHMARK(hash_by_evp_digest);

/// The cost of a key that the same connection sent before.
void digest_of_the_last_key(benchmark::State& state) {
  std::string const key = make_key(1);
  key_digester digester{environment::production};
  for (auto _ : state) benchmark::DoNotOptimize(digester.digest(key));
}
BENCHMARK(digest_of_the_last_key);

void last_key_by_crypto_memcmp(benchmark::State& state) {
  std::string const key = make_key(1);
  std::string const last = key;
  for (auto _ : state) benchmark::DoNotOptimize(CRYPTO_memcmp(key.data(), last.data(), last.size()));
}
BENCHMARK(last_key_by_crypto_memcmp);

/// The digests of the row's number of keys, and the order of look-ups, which no cache or branch predictor can learn.
std::vector<sha256_digest> make_digests(std::int64_t n) {
  std::vector<sha256_digest> digests;
  for (std::int64_t i = 0; i < n; ++i) digests.push_back(sha256(make_key(static_cast<std::uint64_t>(i + 1))));
  return digests;
}

std::size_t next_index(std::size_t& state, std::size_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

constexpr unix_ms noon{std::chrono::milliseconds{1'795'262'400'000}};

void find(benchmark::State& state) {
  auto const digests = make_digests(state.range(0));
  key_directory directory;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    auto& key = directory.keys.emplace_back();
    key.number = key.identity = i + 1;
    key.digest = digests[i];
    auto& identity = directory.identities.emplace_back();
    identity.number = i + 1;
    identity.plan = "free";
  }
  limits::account account;
  plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}}};
  auto const account_of = [&](std::uint64_t, limits::plan const&, std::uint64_t) -> limits::account& {
    return account;
  };
  key_registry registry;
  registry.publish(std::make_shared<key_snapshot const>(directory, plans, account_of));
  key_registry::reader reader{registry};
  std::size_t walk = 1;
  for (auto _ : state) {
    auto const& digest = digests[next_index(walk, digests.size())];
    benchmark::DoNotOptimize(reader.get().find(digest, noon));
  }
}
BENCHMARK(find)->Arg(100)->Arg(100'000);

void find_in_unordered_map(benchmark::State& state) {
  struct first_bytes {
    std::size_t operator()(sha256_digest const& d) const noexcept {
      std::size_t value = 0;
      std::memcpy(&value, d.data(), sizeof value);
      return value;
    }
  };
  auto const digests = make_digests(state.range(0));
  std::unordered_map<sha256_digest, key_entry, first_bytes> keys;
  for (std::size_t i = 0; i < digests.size(); ++i) keys[digests[i]].key = i + 1;
  std::size_t walk = 1;
  for (auto _ : state) {
    auto const& digest = digests[next_index(walk, digests.size())];
    benchmark::DoNotOptimize(keys.find(digest));
  }
}
BENCHMARK(find_in_unordered_map)->Arg(100)->Arg(100'000);

}  // namespace

BENCHMARK_MAIN();
