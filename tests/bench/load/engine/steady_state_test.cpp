// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// That a request costs no memory once its connection is open: what a tool does meanwhile, it does not send.
#include <boost/test/unit_test.hpp>
#include <string>

#include "bench/floor/served_floor.hpp"
#include "bench/load/engine/played.hpp"
#include "support/allocation_count.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_steady_state)

namespace {

constexpr std::size_t answer_bytes = 512;
constexpr std::uint64_t few = 2'000;
constexpr std::uint64_t many = 42'000;
/// Who looks on, and the end of each interval, take some. Of a request it would be 40,000.
constexpr std::uint64_t some = 4'000;

std::uint64_t allocations_of(std::string const& url, std::string_view rate, std::uint64_t requests) {
  auto plan = plan_of(url, rate, requests);
  plan.connections = 8;
  plan.played.keys.push_back({"key-1", "secret", {}});
  auto const before = tests::allocation_count();
  BOOST_TEST(answers_of(played(plan)) == requests);
  return tests::allocation_count() - before;
}

BOOST_AUTO_TEST_CASE(a_request_allocates_nothing) {
  if (!tests::allocations_are_counted()) {
    BOOST_TEST_MESSAGE("SKIPPED: the sanitizer has an allocator of its own");
    return;
  }
  bench::served_floor const floor(answer_bytes);
  auto const url = "http://127.0.0.1:" + std::to_string(floor.port()) + "/v1/pets";
  for (auto const rate : {"max", "20000"}) {
    auto const of_few = allocations_of(url, rate, few);
    auto const of_many = allocations_of(url, rate, many);
    BOOST_TEST(of_many < of_few + some, rate << ": " << of_few << " and " << of_many);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
