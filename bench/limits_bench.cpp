// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <benchmark/benchmark.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "limits_rivals.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/coarse_clock.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/limiter.hpp"

namespace {

using namespace petstore::limits;
using namespace std::chrono_literals;

constexpr plan large{per_minute(short_tokens_max), per_day(long_tokens_max)};
constexpr plan small{per_minute(60), per_day(1'000)};
constexpr ban_policy bans;
constexpr instant noon{.boot = boot_time{1'000s}, .wall = wall_time{1'780'315'200s}};

/// The clock advances a little with each request, so that periods end sometimes and quotas never run out.
instant moment(std::int64_t i) {
  return {noon.boot + i * 10us, noon.wall + i * 10us};
}

// What does one admission cost, with one thread and with two threads on the same key? The baselines are other ways to
// do it.
template <class Account>
void admission(benchmark::State& state) {
  struct alignas(64) own_lines {
    Account account;
  };
  static std::unique_ptr<own_lines> shared;
  if (state.thread_index() == 0) shared = std::make_unique<own_lines>();
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(shared->account.charge(large, bans, moment(++i)));
}
BENCHMARK(admission<account>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(admission<rivals::mutex_pair>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(admission<rivals::one_mutex>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(admission<rivals::two_swaps>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(admission<rivals::two_buckets<rivals::floating_bucket>>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(admission<rivals::two_buckets<rivals::gcra_bucket>>)->ThreadRange(1, 2)->UseRealTime();

// What does one limit cost, where an account has two? The rivals say yes or no, and count neither days nor bans.
void one_limit_of_an_account(benchmark::State& state) {
  account a;
  plan const minute{.short_window = per_minute(short_tokens_max), .short_refill = refill::continuous};
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(a.charge(minute, bans, moment(++i)));
}
BENCHMARK(one_limit_of_an_account);

template <class Bucket>
void one_limit(benchmark::State& state) {
  Bucket bucket;
  auto const rate = Bucket::rate_of(short_tokens_max, 60s);
  rivals::word after = 0;
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(bucket.take(rate, moment(++i), after));
}
BENCHMARK(one_limit<rivals::floating_bucket>);
BENCHMARK(one_limit<rivals::gcra_bucket>);

// Does a full bucket admit exactly its quota? The counter has the tokens that one moment admits, beyond the quota that
// is the argument. The clock shows a week since the start of the machine.
constexpr instant after_a_week{.boot = boot_time{168h}, .wall = noon.wall};

template <class Take>
void count_beyond(benchmark::State& state, Take take) {
  std::int64_t admitted = 0;
  for (auto _ : state)
    for (admitted = 0; take(); ++admitted) {
    }
  state.counters["beyond"] = static_cast<double>(admitted - state.range(0));
}

void tokens_of_an_account(benchmark::State& state) {
  account a;
  plan const p = plan::of(per_minute(state.range(0)), {}, refill::continuous).value();
  count_beyond(state, [&] { return a.charge(p, no_bans, after_a_week).admitted(); });
}
BENCHMARK(tokens_of_an_account)->Arg(7)->Arg(60)->Arg(1'000)->Arg(16'777'215)->Iterations(1);

template <class Bucket>
void tokens_of(benchmark::State& state) {
  Bucket bucket;
  auto const rate = Bucket::rate_of(static_cast<std::uint64_t>(state.range(0)), 60s);
  rivals::word after = 0;
  count_beyond(state, [&] { return bucket.take(rate, after_a_week, after); });
}
BENCHMARK(tokens_of<rivals::floating_bucket>)->Arg(7)->Arg(60)->Arg(1'000)->Arg(16'777'215)->Iterations(1);
BENCHMARK(tokens_of<rivals::gcra_bucket>)->Arg(7)->Arg(60)->Arg(1'000)->Arg(16'777'215)->Iterations(1);

// What does it cost with continuous refill of the minute, which needs a division?
void admission_continuous(benchmark::State& state) {
  account a;
  plan p = large;
  p.short_refill = refill::continuous;
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(a.charge(p, bans, moment(++i)));
}
BENCHMARK(admission_continuous);

// What does it cost to take several tokens? It should cost as much as one, above.
template <class Account>
void admission_of_three(benchmark::State& state) {
  Account a;
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(a.charge(large, bans, 3, moment(++i)));
}
BENCHMARK(admission_of_three<account>);
BENCHMARK(admission_of_three<rivals::mutex_pair>);

// What does it cost in addition to find the account of a key? With one thread, and with two threads on the same key or
// on different keys. The baseline is the usual way: a map of buckets under a mutex.
enum class keys { one, own };
template <keys Which>
std::string key_of(int thread) {
  return "customer-" + std::to_string(Which == keys::own ? 4'711 + thread : 4'711);
}

template <keys Which>
void known_key(benchmark::State& state) {
  static std::unique_ptr<limiter<std::string>> shared;
  if (state.thread_index() == 0) shared = std::make_unique<limiter<std::string>>(limiter_options{.plan = large});
  std::string const key = key_of<Which>(state.thread_index());
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(shared->charge(key, moment(++i)));
}
BENCHMARK(known_key<keys::one>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(known_key<keys::own>)->Threads(2)->UseRealTime();

template <keys Which>
void known_key_behind_a_mutex(benchmark::State& state) {
  struct behind_a_mutex {
    std::mutex mutex;
    std::unordered_map<std::string, account> accounts;
  };
  static std::unique_ptr<behind_a_mutex> shared;
  if (state.thread_index() == 0) shared = std::make_unique<behind_a_mutex>();
  std::string const key = key_of<Which>(state.thread_index());
  std::int64_t i = 0;
  for (auto _ : state) {
    std::lock_guard const lock(shared->mutex);
    benchmark::DoNotOptimize(shared->accounts[key].charge(large, bans, moment(++i)));
  }
}
BENCHMARK(known_key_behind_a_mutex<keys::one>)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(known_key_behind_a_mutex<keys::own>)->Threads(2)->UseRealTime();

// What does the clock add to a charge of a known key? The baseline reads the clocks of the machine each time.
template <class Clock>
void known_key_by_clock(benchmark::State& state, Clock clock) {
  limiter<std::string> l({.plan = large});
  std::string const key = key_of<keys::one>(0);
  for (auto _ : state) benchmark::DoNotOptimize(l.charge(key, clock()));
}
BENCHMARK_CAPTURE(known_key_by_clock, now, &now);
BENCHMARK_CAPTURE(known_key_by_clock, frequent, frequent_clock{});
BENCHMARK_CAPTURE(known_key_by_clock, coarse, [] {
  static coarse_clock const clock(noon);
  return clock();
});

// What does a refusal cost? A refusal by a ban must not cost more, since attackers get many of them.
void refusal(benchmark::State& state) {
  account a;
  for (int i = 0; i < 60; ++i) (void)a.charge(small, bans, noon);
  for (auto _ : state) benchmark::DoNotOptimize(a.charge(small, bans, noon));
}
BENCHMARK(refusal);

void banned_refusal(benchmark::State& state) {
  account a;
  a.impose_ban(noon.wall + 1h, noon);
  for (auto _ : state) benchmark::DoNotOptimize(a.charge(small, bans, noon));
}
BENCHMARK(banned_refusal);

// What does a request without a key cost, from an address in the table, and from a new one while the table is full, as
// in a flood? The baseline is the account without a table, above.
void known_address(benchmark::State& state) {
  address_table table(65'536, 1);
  address a;
  a.bytes[0] = 0x20;
  std::int64_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(table.charge(a, large, bans, moment(++i)));
}
BENCHMARK(known_address);

void new_address_against_a_full_table(benchmark::State& state) {
  constexpr plan anonymous{per_minute(60)};
  address_table table(65'536, 1);
  std::uint64_t n = 0;
  auto const next = [&n] {
    address a;
    ++n;
    for (std::size_t i = 0; i < 8; ++i) a.bytes[i] = static_cast<unsigned char>(n >> (8 * i));
    return a;
  };
  while (n < 4 * 65'536) (void)table.charge(next(), anonymous, bans, noon);
  // A part of the table that found nothing to evict searches again after a millisecond, so the clock has to advance.
  // The iterations end before the minute of the entries does.
  std::int64_t i = 0;
  for (auto _ : state) {
    auto const passed = ++i * 1us;
    instant const now{noon.boot + passed, noon.wall + passed};
    benchmark::DoNotOptimize(table.charge(next(), anonymous, bans, now));
  }
}
BENCHMARK(new_address_against_a_full_table)->Iterations(1'000'000);

// What do the header fields of one answer cost, including their numbers? The baseline copies the same number of bytes.
void rate_fields(benchmark::State& state) {
  account a;
  verdict const v = a.charge(small, bans, noon);
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_headers(out, v, rate_limit_fields::draft11);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(rate_fields);

void rate_fields_copied(benchmark::State& state) {
  account a;
  std::string fields;
  append_headers(fields, a.charge(small, bans, noon), rate_limit_fields::draft11);
  std::string out;
  for (auto _ : state) {
    out.clear();
    out.append(fields);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(rate_fields_copied);

}  // namespace

BENCHMARK_MAIN();
