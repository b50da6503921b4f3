// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/worker.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>

#include "bench/load/answering_server.hpp"
#include "bench/load/engine/played.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_worker)

namespace {

using namespace std::chrono_literals;

/// Of one worker whose run began so long ago: it is late with everything.
results played_late(std::string const& url, std::chrono::nanoseconds duration, std::chrono::nanoseconds late) {
  auto plan = plan_of(url, "100", 1);
  plan.requests = std::nullopt;
  plan.duration = duration;
  script const text(plan.played, {{plan.destinations.front().to.authority, "/"}}, true);
  worker w({plan, text, nullptr, {0, 1}, std::chrono::steady_clock::now() - late}, nullptr);
  w.run();
  recorder const* const figures = &w.figures();
  return collect({}, {}, {&figures, 1}, w.ended());
}

BOOST_AUTO_TEST_CASE(what_was_due_and_is_far_too_late_is_unsent_and_missing_from_nothing) {
  answering_server server(ok_to_all);
  auto const found = played_late(server.url(), 2s, 1h);
  BOOST_TEST(found.due == 200u);
  BOOST_TEST(errors_of(found, error_kind::unsent) == 200u);
  BOOST_TEST(server.requests() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_a_little_late_at_the_end_is_sent_and_its_lateness_counted) {
  answering_server server(ok_to_all);
  auto const found = played_late(server.url(), 200ms, 190ms);
  BOOST_TEST(found.due == 20u);
  BOOST_TEST(answers_of(found) + errors_of(found, error_kind::unsent) == 20u);
  BOOST_TEST((latency_of(found).max() >= 150ms || errors_of(found, error_kind::unsent) > 0));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
