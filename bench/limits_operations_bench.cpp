// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What do the limiter's operations cost if an identity is found by its name: to take several tokens, to look, to give
// back, to reserve? What does the clock add to a charge? And what does a new identity cost if the table is full? The
// baseline is the obvious way: maps in parts, each under a mutex that is held while the two quotas in it are changed.
// Every row has the same number of rounds, so that their instructions can be compared, too (README.md).
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "limits_rivals.hpp"
#include "petstore/limits/coarse_clock.hpp"
#include "petstore/limits/limiter.hpp"

namespace {

using namespace petstore::limits;
using namespace std::chrono_literals;

constexpr plan large{per_minute(short_tokens_max), per_day(long_tokens_max)};
constexpr std::size_t table_size = 65'536;
constexpr benchmark::IterationCount rounds = 1'000'000;

/// The clock advances a little with each request, so that periods end sometimes and quotas never run out.
instant moment(std::int64_t i) {
  constexpr instant noon{.boot = boot_time{1'000s}, .wall = wall_time{1'780'315'200s}};
  return noon + i * 10us;
}

/// A bounded map, as usual: the least recently used identity is removed, and has a full quota when it comes back.
class map_in_parts {
 public:
  explicit map_in_parts(std::size_t identities_max) : part_max_{identities_max / parts_.size()} {}

  verdict charge(std::string const& key, cost tokens, instant now) {
    part& p = part_of(key);
    std::lock_guard const lock(p.mutex);
    return quotas_of(p, key).charge(large, no_bans, tokens, now);
  }
  verdict peek(std::string const& key, cost tokens, instant now) {
    part& p = part_of(key);
    std::lock_guard const lock(p.mutex);
    return quotas_of(p, key).peek(large, tokens, now);
  }
  verdict refund(std::string const& key, verdict const& charged, instant now) {
    part& p = part_of(key);
    std::lock_guard const lock(p.mutex);
    return quotas_of(p, key).refund(charged, large, now);
  }

 private:
  struct entry {
    std::string key;
    rivals::unguarded quotas;
  };
  struct alignas(64) part {
    std::mutex mutex;
    std::list<entry> latest_first;
    std::unordered_map<std::string, std::list<entry>::iterator> by_key;
  };

  part& part_of(std::string const& key) { return parts_[std::hash<std::string>{}(key) % parts_.size()]; }

  rivals::unguarded& quotas_of(part& p, std::string const& key) {
    auto const [found, is_new] = p.by_key.try_emplace(key);
    if (is_new) {
      p.latest_first.emplace_front().key = key;
      found->second = p.latest_first.begin();
      if (p.by_key.size() > part_max_) {
        p.by_key.erase(p.latest_first.back().key);
        p.latest_first.pop_back();
      }
    } else {
      p.latest_first.splice(p.latest_first.begin(), p.latest_first, found->second);
    }
    return p.latest_first.front().quotas;
  }

  std::array<part, 64> parts_;
  std::size_t part_max_;
};

class own_limiter : public limiter<std::string> {
 public:
  explicit own_limiter(std::size_t identities_max) : limiter({.plan = large, .identities_max = identities_max}) {}
};

/// As many customers as the table has space for. `fill` charges each of them once.
std::vector<std::string> const& customers() {
  static auto const all = [] {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < table_size; ++i) names.push_back("customer-" + std::to_string(i));
    return names;
  }();
  return all;
}

template <class Table>
std::unique_ptr<Table> table;

/// A separate function, so that a tool that counts instructions can separate it from the measured part.
template <class Table, std::size_t IdentitiesMax>
void fill(benchmark::State const&) {
  table<Table> = std::make_unique<Table>(IdentitiesMax);
  for (auto const& name : customers()) (void)table<Table>->charge(name, 1, moment(0));
}
void fill_by_the_clock(benchmark::State const& state) {
  auto const count = static_cast<std::size_t>(state.range(0));
  table<own_limiter> = std::make_unique<own_limiter>(2 * count);
  for (std::size_t i = 0; i < count; ++i) (void)table<own_limiter>->charge(customers()[i], 1, now());
}
template <class Table>
void clear(benchmark::State const&) {
  table<Table>.reset();
}

template <class Table>
void among_all(benchmark::internal::Benchmark* b) {
  b->Setup(fill<Table, 4 * table_size>)->Teardown(clear<Table>)->Iterations(rounds)->ThreadRange(1, 2)->UseRealTime();
}
template <class Table>
void against_a_full_table(benchmark::internal::Benchmark* b) {
  b->Setup(fill<Table, table_size>)->Teardown(clear<Table>)->Iterations(rounds);
}

/// Measures `use` for one customer after the other of the first `among`, in an order that no prefetcher follows.
/// Threads use different customers.
template <class Table, class Use, class Clock>
void operation(benchmark::State& state, Use use, Clock clock, std::size_t among = table_size) {
  auto at = static_cast<std::uint32_t>(state.thread_index()) * 77'777;
  for (auto _ : state) {
    at = at * 1'664'525 + 1'013'904'223;
    benchmark::DoNotOptimize(use(*table<Table>, customers()[(at >> 16) % among], clock()));
  }
}
/// The same without a clock.
template <class Table, class Use>
void operation(benchmark::State& state, Use use) {
  operation<Table>(state, use, [i = std::int64_t{0}]() mutable { return moment(++i); });
}

template <class Table>
void charged_one(benchmark::State& state) {
  operation<Table>(state, [](Table& t, auto const& who, instant now) { return t.charge(who, 1, now); });
}
template <class Table>
void charged_five(benchmark::State& state) {
  operation<Table>(state, [](Table& t, auto const& who, instant now) { return t.charge(who, 5, now); });
}
template <class Table>
void peeked(benchmark::State& state) {
  operation<Table>(state, [](Table& t, auto const& who, instant now) { return t.peek(who, 5, now); });
}
template <class Table>
void charged_and_refunded(benchmark::State& state) {
  operation<Table>(state,
                   [](Table& t, auto const& who, instant now) { return t.refund(who, t.charge(who, 5, now), now); });
}
BENCHMARK(charged_one<own_limiter>)->Apply(among_all<own_limiter>);
BENCHMARK(charged_one<map_in_parts>)->Apply(among_all<map_in_parts>);
BENCHMARK(charged_five<own_limiter>)->Apply(among_all<own_limiter>);
BENCHMARK(charged_five<map_in_parts>)->Apply(among_all<map_in_parts>);
BENCHMARK(peeked<own_limiter>)->Apply(among_all<own_limiter>);
BENCHMARK(peeked<map_in_parts>)->Apply(among_all<map_in_parts>);
BENCHMARK(charged_and_refunded<own_limiter>)->Apply(among_all<own_limiter>);
BENCHMARK(charged_and_refunded<map_in_parts>)->Apply(among_all<map_in_parts>);

// The same charge with the time read for it, where the rows above compute the time. How much of it is the wait for
// memory shows in the number of identities: the accounts of 4,096 are half a MiB, those of 65,536 are 8 MiB.
template <class Clock>
void charge_by_clock(benchmark::State& state, Clock clock) {
  operation<own_limiter>(
      state, [](own_limiter& t, auto const& who, instant at) { return t.charge(who, 1, at); }, clock,
      static_cast<std::size_t>(state.range(0)));
}
void among_all_by_the_clock(benchmark::internal::Benchmark* b) {
  b->ArgName("identities")->Arg(4'096)->Arg(16'384)->Arg(table_size);
  b->Setup(fill_by_the_clock)->Teardown(clear<own_limiter>)->Iterations(rounds)->ThreadRange(1, 2)->UseRealTime();
}
BENCHMARK_CAPTURE(charge_by_clock, now, &now)->Apply(among_all_by_the_clock);
BENCHMARK_CAPTURE(charge_by_clock, frequent, frequent_clock{})->Apply(among_all_by_the_clock);
BENCHMARK_CAPTURE(charge_by_clock, coarse, [] {
  static coarse_clock const clock;
  return clock();
})->Apply(among_all_by_the_clock);

// A reservation finds its identity once. The baseline does the same with the map: a charge, or a charge and a refund.
void reserved_and_committed(benchmark::State& state) {
  operation<own_limiter>(state, [](own_limiter& t, auto const& who, instant now) {
    auto held = t.reserve(who, 5, [now] { return now; });
    held.commit();
    return held.verdict();
  });
}
void reserved_and_used_in_part(benchmark::State& state) {
  operation<own_limiter>(state, [](own_limiter& t, auto const& who, instant now) {
    auto held = t.reserve(who, 5, [now] { return now; });
    return held.commit(2);
  });
}
BENCHMARK(reserved_and_committed)->Apply(among_all<own_limiter>);
BENCHMARK(reserved_and_used_in_part)->Apply(among_all<own_limiter>);

// What does a new identity cost if the table is full, of identities that have used tokens or of identities that may be
// forgotten? A map that removes the oldest does not distinguish the two.
enum class others { in_use, forgettable };

template <class Table, others Others>
void newcomer(benchmark::State& state) {
  instant const first = Others == others::in_use ? moment(1) : moment(0) + 25h;
  auto const step = Others == others::in_use ? 10us : std::chrono::microseconds{1min};
  std::string name = "visitor-00000000";
  std::uint64_t n = 0;
  for (auto _ : state) {
    ++n;
    for (std::size_t digit = 0; digit < 8; ++digit) name[8 + digit] = static_cast<char>('a' + (n >> (4 * digit)) % 16);
    benchmark::DoNotOptimize(table<Table>->charge(name, 1, first + step * n));
  }
}
BENCHMARK(newcomer<own_limiter, others::in_use>)->Apply(against_a_full_table<own_limiter>);
BENCHMARK(newcomer<map_in_parts, others::in_use>)->Apply(against_a_full_table<map_in_parts>);
BENCHMARK(newcomer<own_limiter, others::forgettable>)->Apply(against_a_full_table<own_limiter>);
BENCHMARK(newcomer<map_in_parts, others::forgettable>)->Apply(against_a_full_table<map_in_parts>);

}  // namespace

BENCHMARK_MAIN();
