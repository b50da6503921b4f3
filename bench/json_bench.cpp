// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// What do bodies cost: to read one with all rules of the API, and to write a record? The baselines are Boost.JSON's
// parse, which checks the syntax and builds a value, and its serialize of an existing value. So our functions do more
// than their baselines.

#include <benchmark/benchmark.h>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <string_view>

#include "petstore/json.hpp"

namespace {

using namespace petstore;
namespace json = boost::json;

constexpr std::string_view pet_body = R"({"name":"Herr Nilsson","categoryId":3,"status":"available"})";
constexpr std::string_view order_body = R"({"petId":4711})";
constexpr std::string_view patch_body = R"({"status":"sold"})";
constexpr std::string_view faulty_body = R"({"name":"","categoryId":"dogs","status":"lost"})";

pet const a_pet{.id = 4711, .name = "Herr Nilsson", .category_id = 3, .status = pet_status::available};
order const an_order{.id = 17,
                     .pet_id = 4711,
                     .status = order_status::placed,
                     .created_at = unix_ms{std::chrono::milliseconds{1'795'262'400'123}},
                     .updated_at = unix_ms{std::chrono::milliseconds{1'795'262'400'123}}};

template <auto Decode>
void decode(benchmark::State& state, std::string_view body) {
  for (auto _ : state) {
    auto decoded = Decode(body);
    benchmark::DoNotOptimize(&decoded);
  }
  state.SetBytesProcessed(state.iterations() * std::ssize(body));
}

void boost_parse(benchmark::State& state, std::string_view body) {
  for (auto _ : state) {
    boost::system::error_code fault;
    auto value = json::parse(body, fault);
    benchmark::DoNotOptimize(&value);
  }
  state.SetBytesProcessed(state.iterations() * std::ssize(body));
}

/// The same baseline without an allocation, which is its fastest form.
void boost_parse_on_the_stack(benchmark::State& state, std::string_view body) {
  unsigned char buffer[4096];
  for (auto _ : state) {
    json::monotonic_resource memory{buffer};
    boost::system::error_code fault;
    auto value = json::parse(body, fault, &memory);
    benchmark::DoNotOptimize(&value);
  }
  state.SetBytesProcessed(state.iterations() * std::ssize(body));
}

template <class Record>
void encode(benchmark::State& state, Record const& record) {
  std::string out;
  for (auto _ : state) {
    out.clear();
    append_json(out, record);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * std::ssize(out));
}

/// Serializes the value that was parsed from our text of the record.
template <class Record>
void boost_serialize(benchmark::State& state, Record const& record) {
  auto const value = json::parse(to_json(record));
  std::size_t size = 0;
  for (auto _ : state) {
    std::string const out = json::serialize(value);
    benchmark::DoNotOptimize(out.data());
    size = out.size();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

}  // namespace

int main(int argc, char** argv) {
  auto const add = [](char const* name, auto run, auto const&... arguments) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) { run(state, arguments...); });
  };
  add("decode/new_pet", decode<decode_json<new_pet>>, pet_body);
  add("boost_parse/new_pet", boost_parse, pet_body);
  add("boost_parse_on_the_stack/new_pet", boost_parse_on_the_stack, pet_body);
  add("decode/new_order", decode<decode_json<new_order>>, order_body);
  add("boost_parse/new_order", boost_parse, order_body);
  add("boost_parse_on_the_stack/new_order", boost_parse_on_the_stack, order_body);
  add("decode/pet_patch", decode<decode_json<pet_patch>>, patch_body);
  add("boost_parse/pet_patch", boost_parse, patch_body);
  add("boost_parse_on_the_stack/pet_patch", boost_parse_on_the_stack, patch_body);
  add("decode/faulty_pet", decode<decode_json<new_pet>>, faulty_body);
  add("boost_parse/faulty_pet", boost_parse, faulty_body);

  add("encode/pet", encode<pet>, a_pet);
  add("boost_serialize/pet", boost_serialize<pet>, a_pet);
  add("encode/order", encode<order>, an_order);
  add("boost_serialize/order", boost_serialize<order>, an_order);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
