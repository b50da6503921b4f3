// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// A node whose thread finds no memory now and then: requests may fail for it, and the node goes on.
#include <boost/system/system_error.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <new>
#include <vector>

#include "model_runner.hpp"
#include "quota_node.hpp"
#include "source.hpp"
#include "support/failing_allocations.hpp"
#include "support/sanitizers.hpp"

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;
namespace ports = petstore::ports;

namespace {

struct forgetful_world {
  model_server server;

  limits::instant now() const {
    std::chrono::microseconds const wall{server.clock_us.load()};
    return {.boot = limits::boot_time{wall - 1'780'315'000s}, .wall = limits::wall_time{wall}};
  }
  void pass(std::chrono::microseconds time) { server.clock_us += time.count(); }

  std::unique_ptr<node> make_node() {
    redis_options options;
    options.on_failure = failure_policy::closed;
    options.deadline = 200ms;
    options.clock = [this] { return now(); };
    return std::make_unique<node>(std::move(options), [this](redis_options o) {
      auto runner = std::make_unique<model_runner>(server, o.executor.get());
      return open_shared_quota(std::move(o), std::move(runner));
    });
  }
  /// False for who was refused, and for who could not be told.
  bool is_admitted(node& by, ports::payer const& who) {
    try {
      return by.charge(who, now()).admitted();
    } catch (boost::system::system_error const& told) {
    } catch (std::bad_alloc const& told) {
    } catch (std::future_error const& could_not_be_told) {
    }
    return false;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_memory, forgetful_world)

/// How many test cases share the allocations, so that each is short where everything is slow.
constexpr std::uint64_t slices = 8;
/// ThreadSanitizer looks for threads that meet, which they do likewise after each failure.
constexpr std::uint64_t slices_tried = PETSTORE_TESTS_HAVE_TSAN ? 2 : slices;

/// Each of the slice's allocations on the node's thread in turn, on as many nodes at a time as rounds and heartbeats
/// are waited for at once.
BOOST_DATA_TEST_CASE(one_failure_wherever_it_comes_ends_no_quota_no_round_and_no_heartbeat,
                     boost::unit_test::data::xrange(slices_tried), slice) {
  constexpr std::uint64_t at_once = 25;
  struct tried {
    std::unique_ptr<node> one;
    std::uint64_t key = 0;  ///< and which allocation
    std::uint64_t admitted = 0;
  };
  for (std::uint64_t first = slice + 1;; first += at_once * slices) {
    auto const failures = petstore::tests::failed_allocations();
    std::vector<tried> all;
    for (std::uint64_t n = first; n < first + at_once * slices; n += slices) {
      auto& [a, key, admitted] = all.emplace_back(tried{make_node(), n});
      auto const who = a->identity(free_plan, n);
      a->run_there([n] { petstore::tests::fail_allocation(n); });
      for (int i = 0; i < 12; ++i) {
        admitted += is_admitted(*a, who) ? 1u : 0u;
        is_admitted(*a, node::address(static_cast<unsigned char>(n), static_cast<unsigned char>(i)));
        pass(20ms);
      }
      a->run_there([] { petstore::tests::fail_allocation(0); });
    }
    for (auto& [a, key, admitted] : all) {
      auto const who = a->identity(free_plan, key);
      wait_until([&] { return is_admitted(*a, who) && ++admitted != 0; });
      BOOST_TEST(!a->counters().breaker_open);
    }
    // Leases become idle while time passes, but not so much that the minute ends which the first of them opened.
    auto may_pass = 30'000ms;
    for (auto& [a, key, admitted] : all) {
      // Rounds give back what is not used, and what nobody was told of. One may be admitted and not be told. A node
      // keeps a refusal, so a new one asks each time.
      wait_until([&] {
        if (may_pass > 0ms) pass(100ms), may_pass -= 100ms;
        auto const b = make_node();
        while (admitted <= 60u && is_admitted(*b, b->identity(free_plan, key))) ++admitted;
        return admitted >= 59u;
      });
      BOOST_TEST_REQUIRE(admitted <= 60u, "after failure " << key << ": " << admitted);
      wait_until([&] { return a->counters().nodes >= 2; });  // its heart beats
    }
    all.clear();
    pass(2min);
    if (petstore::tests::failed_allocations() != failures) continue;
    BOOST_TEST_MESSAGE("allocations: less than " << first);
    break;
  }
}

BOOST_AUTO_TEST_SUITE_END()
