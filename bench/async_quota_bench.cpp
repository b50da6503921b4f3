// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What does a charge as an Asio operation cost, where the source is on this node? The baseline is a post of the same
// handler, which every operation needs that does not complete within its initiation. The charge itself is beside them.
// Each handler begins the next operation, on one thread, so that Asio has the memory of the operation before.
#include <benchmark/benchmark.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>

#include "petstore/limits/coarse_clock.hpp"
#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/local_quota.hpp"

namespace {

using namespace petstore;
namespace asio = boost::asio;

constexpr limits::plan large{limits::per_minute(limits::short_tokens_max), limits::per_day(limits::long_tokens_max)};
constexpr std::uint64_t customer = 7;

/// Runs `begin(handler)` again from each handler, until the benchmark has enough.
template <class Begin>
struct chain {
  benchmark::State& state;
  Begin begin;

  struct handler {
    chain* of;
    template <class... Results>
    void operator()(Results const&...) const {
      of->next();
    }
  };
  void next() {
    if (state.KeepRunning()) begin(handler{this});
  }
};

template <class Begin>
void run(benchmark::State& state, asio::io_context& context, Begin begin) {
  chain<Begin> operations{state, begin};
  asio::post(context, [&operations] { operations.next(); });
  context.run();
}

template <class Executor>
void post(benchmark::State& state) {
  asio::io_context context{1};
  Executor const executor = context.get_executor();
  run(state, context, [&](auto handler) { asio::post(executor, handler); });
}

/// Under a plan this large each minute has tokens for every charge.
template <class Executor>
void charge(benchmark::State& state, std::function<limits::instant()> clock, limits::cost tokens) {
  asio::io_context context{1};
  std::shared_ptr<quota::local_quota> const source = quota::make_local_quota({.clock = clock});
  ports::basic_async_quota<Executor> quota{Executor{context.get_executor()}, source, large, clock};
  run(state, context, [&](auto handler) { quota.async_charge(customer, tokens, handler); });
}
template <class Executor>
void charge_by_the_system_clocks(benchmark::State& state) {
  charge<Executor>(state, limits::now, 1);
}
template <class Executor>
void charge_by_a_coarse_clock(benchmark::State& state) {
  limits::coarse_clock const clock;
  charge<Executor>(
      state, [&clock] { return clock(); }, 1);
}
template <class Executor>
void charge_of_five_tokens(benchmark::State& state) {
  limits::coarse_clock const clock;
  charge<Executor>(
      state, [&clock] { return clock(); }, 5);
}

/// What the source itself takes of that.
void charge_without_an_operation(benchmark::State& state) {
  auto const source = quota::make_local_quota({});
  ports::payer who;
  who.kind = ports::payer::kind::identity;
  who.account = &source->account_of(customer, large);
  who.plan = large;
  limits::instant const now = limits::now();
  for (auto _ : state) benchmark::DoNotOptimize(source->charge(who, now).take());
}

using any = asio::any_io_executor;
using own = asio::io_context::executor_type;
BENCHMARK(post<own>);
BENCHMARK(charge_by_a_coarse_clock<own>);
BENCHMARK(charge_of_five_tokens<own>);
BENCHMARK(charge_by_the_system_clocks<own>);
BENCHMARK(post<any>);
BENCHMARK(charge_by_a_coarse_clock<any>);
BENCHMARK(charge_by_the_system_clocks<any>);
BENCHMARK(charge_without_an_operation);

}  // namespace

BENCHMARK_MAIN();
