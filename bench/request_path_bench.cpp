// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What does the service cost without sockets: from a request value to an answer value, over animals in LMDB, with real
// keys and both quotas? There is one row for each usual request. Its baseline is the call of the store, if the answer
// needs one, and a copy of as many bytes as the answer has. The difference is the cost of finding the caller,
// admitting, routing and writing the fields. Twenty animals are another page each time: of a page that is asked for
// again the store keeps a copy.

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "petstore/cursor.hpp"
#include "petstore/limits/instant.hpp"
#include "server/served_shop.hpp"

namespace {

using namespace petstore;
using tests::parsed_request;

void check_status(server::response const& out, parsed_request const& asked) {
  if (out.status != asked.usual.status) throw std::logic_error("another answer than expected");
}

/// Handles a request at once; no request here has to wait.
void handle(server::service& service, parsed_request const& asked, server::response& out) {
  out.clear();
  if (service.handle(asked.head.request, out).valid()) throw std::logic_error("an answer that is waited for");
}

constexpr std::string_view list_name = "twenty_animals";

/// The pages that are asked for in turn follow an id from 1 to this. Each of them has twenty animals and a successor,
/// and they are too many for the store to keep one (list_cache).
constexpr std::int64_t last_page_start = tests::served_shop::animal_count - 21;

/// The requests of a row, which are made in turn: for many pages, or one request.
std::deque<parsed_request> requests_of_row(tests::usual_request const& usual) {
  std::deque<parsed_request> all;
  if (usual.name != list_name) {
    all.emplace_back(usual);
    return all;
  }
  constexpr std::string_view query = "limit=20";
  auto const end_of_query = usual.bytes.find(query) + query.size();
  for (std::int64_t id = 1; id <= last_page_start; ++id) {
    auto page = usual;
    page.bytes.insert(end_of_query, "&cursor=" + to_string(cursor{.after = id}));
    all.emplace_back(std::move(page));
  }
  return all;
}

void handle_in_turn(benchmark::State& state, server::service& service, std::deque<parsed_request> const& asked) {
  server::response out;
  handle(service, asked.front(), out);  // the key of the refused row uses its only token here
  auto next = asked.begin();
  for (auto _ : state) {
    handle(service, *next, out);
    if (++next == asked.end()) next = asked.begin();
  }
  check_status(out, asked.front());
  state.SetItemsProcessed(state.iterations());
}

void read_and_copy(benchmark::State& state, tests::served_shop& shop, parsed_request const& asked) {
  server::response out;
  handle(shop.service(), asked, out);
  handle(shop.service(), asked, out);
  check_status(out, asked);
  std::string const fields = out.fields;
  std::string const body = out.body;
  bool const reads_one = asked.usual.name.starts_with("one_animal") || asked.usual.name == "unknown_animal";
  bool const reads_many = asked.usual.name == list_name;
  std::int64_t const id = asked.usual.name == "unknown_animal" ? 4711 : tests::served_shop::an_animal;
  list_query page{.after = 1};
  std::string copied_fields, copied_body;
  for (auto _ : state) {
    copied_fields.clear();
    copied_body.clear();
    if (reads_one) {
      auto const tag = shop.store().read(record_kind::pet, id, copied_body);
      benchmark::DoNotOptimize(&tag);
    } else if (reads_many) {
      auto const end = shop.store().list(page, copied_body);
      page.after = page.after % last_page_start + 1;
      benchmark::DoNotOptimize(&end);
    } else {
      copied_body.append(body);
    }
    copied_fields.append(fields);
    benchmark::DoNotOptimize(copied_fields.data());
    benchmark::DoNotOptimize(copied_body.data());
  }
  state.SetItemsProcessed(state.iterations());
}

/// Google Benchmark chooses the number of iterations by the clock, so the instructions of two runs could not be
/// compared.
/// `--iterations=N` fixes the number.
benchmark::IterationCount take_iterations(int& argc, char** argv) {
  constexpr std::string_view flag = "--iterations=";
  benchmark::IterationCount n = 0;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    std::string_view const text = argv[i];
    if (text.starts_with(flag)) {
      std::from_chars(text.data() + flag.size(), text.data() + text.size(), n);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  auto const iterations = take_iterations(argc, argv);
  tests::served_shop shop{limits::now};
  std::deque<std::deque<parsed_request>> requests;
  for (auto const& usual : shop.requests()) {
    auto const& asked = requests.emplace_back(requests_of_row(usual));
    std::string const name{usual.name};
    std::array const rows{
        benchmark::RegisterBenchmark(name.c_str(),
                                     [&](benchmark::State& state) { handle_in_turn(state, shop.service(), asked); }),
        benchmark::RegisterBenchmark((name + "/baseline").c_str(),
                                     [&](benchmark::State& state) { read_and_copy(state, shop, asked.front()); }),
    };
    if (iterations > 0)
      for (auto* row : rows) row->Iterations(iterations);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
