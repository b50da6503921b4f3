// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <benchmark/benchmark.h>

#include <array>
#include <string>

#include "petstore/api_key.hpp"

namespace {

using namespace petstore;

std::string key() {
  std::array<unsigned char, 32> secret;
  secret.fill(0x5A);
  return make_api_key(environment::production, secret);
}

// What does it cost to see that a token is a key, before it is looked up? A flood of wrong ones pays the second.
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

// What does its digest cost? The part that no table can save: keys are known by their hash alone.
void key_digest(benchmark::State& state) {
  std::string const text = key();
  for (auto _ : state) benchmark::DoNotOptimize(sha256(text));
}
BENCHMARK(key_digest);

}  // namespace

BENCHMARK_MAIN();
