// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What does it cost to find and charge the identity of a key among a million identities? Their requests are uniformly
// distributed, or by Zipf's law (exponent 1). The baseline is the obvious way: a map in parts, each under a mutex that
// is held while an account in it is charged.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>
#include <vector>

#include "limits_rivals.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/quota/local.hpp"

namespace {

using namespace petstore;
using namespace std::chrono_literals;
using limits::instant;

constexpr std::size_t identities = 1'000'000;
constexpr std::size_t draws = 1 << 20;
constexpr limits::plan terms{limits::per_minute(limits::short_tokens_max), limits::per_day(limits::long_tokens_max)};
constexpr limits::ban_policy bans;
constexpr instant noon{.boot = limits::boot_time{1'000s}, .wall = limits::wall_time{1'780'315'200s}};
constexpr unix_ms noon_ms{1'780'315'200'000ms};

/// The digest is computed when it is needed, as in the service. An array of a million digests would add cache misses.
sha256_digest digest_of(std::uint64_t number) noexcept {
  std::array<std::uint64_t, 4> words;
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    std::uint64_t x = (number * words.size() + i + 1) * 0x9E37'79B9'7F4A'7C15;
    x = (x ^ x >> 30) * 0xBF58'476D'1CE4'E5B9;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EB;
    words[i] = x ^ x >> 31;
  }
  sha256_digest digest;
  std::memcpy(digest.data(), words.data(), sizeof words);
  return digest;
}

enum class distribution { uniform, zipf };

/// The sender of each request. Numbers begin at 1.
std::vector<std::uint32_t> draw(distribution d) {
  std::mt19937_64 random(17);
  std::vector<std::uint32_t> drawn(draws);
  if (d == distribution::uniform) {
    std::uniform_int_distribution<std::uint32_t> any(1, identities);
    for (auto& number : drawn) number = any(random);
    return drawn;
  }
  std::vector<double> shares(identities);
  double sum = 0;
  for (std::size_t rank = 1; rank <= identities; ++rank) shares[rank - 1] = sum += 1.0 / static_cast<double>(rank);
  std::uniform_real_distribution<double> any(0, sum);
  for (auto& number : drawn) {
    auto const found = std::lower_bound(shares.begin(), shares.end(), any(random));
    number = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(found - shares.begin(), identities - 1) + 1);
  }
  return drawn;
}

std::size_t allocated_bytes() {
  struct mallinfo2 const now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

/// The service's way: the key table of `petstore::core` over the accounts of the quota source.
class service_tables {
 public:
  service_tables() {
    std::size_t const before = allocated_bytes();
    std::vector<limits::account*> accounts(identities + 1);
    for (std::uint64_t n = 1; n <= identities; ++n) accounts[n] = &quotas_->account_of(n, terms);
    account_bytes = static_cast<double>(allocated_bytes() - before - accounts.capacity() * sizeof(void*)) / identities;

    key_directory directory;
    for (std::uint64_t n = 1; n <= identities; ++n) {
      key_record key;
      key.number = key.identity = n;
      key.digest = digest_of(n);
      directory.keys.push_back(std::move(key));
      identity_record identity;
      identity.number = n;
      identity.plan = "free";
      directory.identities.push_back(std::move(identity));
    }
    std::size_t const before_keys = allocated_bytes();
    keys_ = std::make_unique<key_snapshot>(
        directory, plan_table{{"free", terms}},
        [&](std::uint64_t n, limits::plan const&, std::uint64_t) -> limits::account& { return *accounts[n]; });
    key_bytes = static_cast<double>(allocated_bytes() - before_keys) / identities;
  }

  limits::verdict charge(sha256_digest const& digest, instant now) {
    key_entry const* const entry = keys_->find(digest, noon_ms);
    return entry->account->charge(entry->plan, bans, now);
  }

  double account_bytes = 0;  ///< memory of each identity, by malloc's count
  double key_bytes = 0;

 private:
  std::unique_ptr<quota::local_quota> quotas_ = quota::open_local_quota({});
  std::unique_ptr<key_snapshot> keys_;
};

class sharded_map {
 public:
  sharded_map() {
    std::size_t const before = allocated_bytes();
    for (auto& s : shards_) s.accounts.reserve(identities / shards_.size());
    for (std::uint64_t n = 1; n <= identities; ++n) {
      auto const digest = digest_of(n);
      shard_of(digest).accounts.try_emplace(digest);
    }
    account_bytes = static_cast<double>(allocated_bytes() - before) / identities;
  }

  limits::verdict charge(sha256_digest const& digest, instant now) {
    shard& s = shard_of(digest);
    std::lock_guard const lock(s.mutex);
    entry& found = s.accounts.find(digest)->second;
    if (limits::detail::boot_at(found.ban_until_ms) > now.boot) return {.decision = limits::decision::banned};
    auto const next = limits::detail::take(found.words, found.plan, now);
    if (next) found.words = *next;
    auto const decided = next ? limits::decision::admitted : limits::decision::rate_limited;
    return limits::detail::verdict_on(found.words, decided, limits::occasion::charge, found.plan, now);
  }

  double account_bytes = 0;
  double key_bytes = 0;

 private:
  struct entry {
    limits::detail::word_pair words;
    std::int64_t ban_until_ms = 0;
    limits::plan plan = terms;
  };
  struct hash {
    std::size_t operator()(sha256_digest const& digest) const noexcept {
      std::size_t value = 0;
      std::memcpy(&value, digest.data() + 8, sizeof value);
      return value;
    }
  };
  struct alignas(64) shard {
    std::mutex mutex;
    std::unordered_map<sha256_digest, entry, hash> accounts;
  };

  shard& shard_of(sha256_digest const& digest) { return shards_[digest[0] % shards_.size()]; }

  std::array<shard, 64> shards_;
};

template <class Tables, distribution Distribution>
void found_and_charged(benchmark::State& state) {
  static Tables tables;
  static std::vector<std::uint32_t> const drawn = draw(Distribution);
  // Threads begin at distant positions of the same list.
  std::size_t at = draws / 2 * static_cast<std::size_t>(state.thread_index());
  std::int64_t i = 0;
  for (auto _ : state) {
    auto const digest = digest_of(drawn[at++ % draws]);
    instant const now{noon.boot + ++i * 1us, noon.wall + i * 1us};
    benchmark::DoNotOptimize(tables.charge(digest, now));
  }
  if (state.thread_index() != 0) return;
  state.counters["account_bytes"] = tables.account_bytes;
  state.counters["key_bytes"] = tables.key_bytes;
}
BENCHMARK(found_and_charged<service_tables, distribution::uniform>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(found_and_charged<sharded_map, distribution::uniform>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(found_and_charged<service_tables, distribution::zipf>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(found_and_charged<sharded_map, distribution::zipf>)->ThreadRange(1, 2)->UseRealTime();

// How much of the above is the cost of drawing the sender?
template <distribution Distribution>
void only_drawn(benchmark::State& state) {
  static std::vector<std::uint32_t> const drawn = draw(Distribution);
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(digest_of(drawn[at++ % draws]));
}
BENCHMARK(only_drawn<distribution::uniform>);

}  // namespace

BENCHMARK_MAIN();
