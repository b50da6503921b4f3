// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What does it cost the store to create animals, with few or many at a time, with and without an Idempotency-Key? The
// baseline is LMDB alone, which puts the same number into one transaction. Both sync each transaction. With
// TMPDIR=/dev/shm a sync costs nothing and the processor's part is left; on a disk, the disk's part dominates.

#include <benchmark/benchmark.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bare_store.hpp"
#include "filled_shop.hpp"
#include "petstore/api_key.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::bench {
namespace {

namespace asio = boost::asio;

enum class repeatable : bool { no, yes };

unix_ms now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

asio::awaitable<void> create(ports::store& store, std::optional<ports::idempotency> request) {
  new_pet rex{.name = "Rex", .category_id = 1, .status = pet_status::available};
  auto write = store.create_pet(std::move(rex), false, std::move(request), now());
  auto const made = co_await std::move(write);
  if (!made) throw std::runtime_error("an animal was refused");
}

/// One iteration creates as many animals as the argument says, all at the same time.
void create_in_store(benchmark::State& state, repeatable kind) {
  tests::temporary_directory const directory;
  auto const store = open_shop(directory.path());
  auto const at_once = static_cast<std::size_t>(state.range(0));
  auto const digest = sha256("the body of a request");
  std::uint64_t requests = 0;
  asio::io_context context{1};
  for (auto _ : state) {
    context.restart();
    std::vector<std::future<void>> done;
    done.reserve(at_once);
    for (std::size_t i = 0; i < at_once; ++i) {
      std::optional<ports::idempotency> request;
      if (kind == repeatable::yes) request = {.identity = 1, .key = std::to_string(++requests), .body_digest = digest};
      auto work = create(*store, std::move(request));
      done.push_back(asio::co_spawn(context, std::move(work), asio::use_future));
    }
    context.run();
    for (auto& d : done) d.get();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void commit_bare(benchmark::State& state) {
  tests::temporary_directory const directory;
  bare_writer writer(directory.path().c_str());
  for (auto _ : state) writer.commit(static_cast<std::size_t>(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void at_once(benchmark::internal::Benchmark* b) {
  b->Arg(1)->Arg(64)->Arg(512)->UseRealTime()->MeasureProcessCPUTime();
}

}  // namespace

BENCHMARK(commit_bare)->Name("create/baseline")->Apply(at_once);
BENCHMARK_CAPTURE(create_in_store, plain, repeatable::no)->Name("create/store")->Apply(at_once);
BENCHMARK_CAPTURE(create_in_store, repeatable, repeatable::yes)
    ->Name("create/store_with_idempotency_key")
    ->Apply(at_once);

}  // namespace petstore::bench

BENCHMARK_MAIN();
