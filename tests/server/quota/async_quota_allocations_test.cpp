// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// A program of its own, since it counts every allocation.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>

#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/local_quota.hpp"
#include "support/allocation_count.hpp"

using namespace petstore;
namespace asio = boost::asio;

namespace {

/// Each handler begins the next charge, as a connection does. Returns the allocations of the last hundred.
template <class Executor>
std::uint64_t allocations_of_charges(limits::plan const& plan, limits::cost tokens) {
  asio::io_context context{1};
  std::shared_ptr<quota::local_quota> const source = quota::make_local_quota({});
  ports::basic_async_quota<Executor> quota{Executor{context.get_executor()}, source, plan};
  struct charges {
    ports::basic_async_quota<Executor>& quota;
    limits::cost tokens;
    int count = 0;
    std::uint64_t before = 0;
    std::uint64_t after = 0;

    void next() {
      if (count == 10) before = tests::allocation_count();  // the first ones leave Asio the memory for the others
      if (count == 110) after = tests::allocation_count();
      if (count++ == 110) return;
      quota.async_charge(7, tokens, [this](boost::system::error_code failed, limits::verdict const&) {
        BOOST_REQUIRE(!failed);
        next();
      });
    }
  } all{quota, tokens};
  asio::post(context, [&all] { all.next(); });
  context.run();
  return all.after - all.before;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(async_quota_allocations)

BOOST_AUTO_TEST_CASE(a_charge_of_a_local_source_takes_no_memory_whether_it_is_admitted_or_refused) {
  if (!tests::allocations_are_counted()) return;
  using own = asio::io_context::executor_type;
  for (limits::cost const tokens : {limits::cost{1}, limits::cost{5}})
    for (auto const& plan : {limits::plan{limits::per_minute(1'000)}, limits::plan{limits::per_minute(20)}}) {
      BOOST_TEST(allocations_of_charges<own>(plan, tokens) == 0u);
      BOOST_TEST(allocations_of_charges<asio::any_io_executor>(plan, tokens) == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
