// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/exemplars.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(exemplars_of_counters)

namespace {

using namespace std::chrono_literals;

constexpr limits::wall_time now{1'800'000'000s};

BOOST_AUTO_TEST_CASE(a_counter_has_no_exemplar_at_first) {
  exemplars const all{2};
  BOOST_TEST(!all.find(0));
  BOOST_TEST(!all.find(1));
}

BOOST_AUTO_TEST_CASE(a_counter_keeps_a_request_with_its_id_duration_and_time) {
  exemplars all{2};
  all.offer(1, "4d2a", 3ms, now);
  auto const kept = all.find(1);
  BOOST_REQUIRE(kept);
  BOOST_TEST(kept->request_id == "4d2a");
  BOOST_TEST((kept->duration == 3ms));
  BOOST_TEST((kept->time == now));
  BOOST_TEST(!all.find(0));
}

BOOST_AUTO_TEST_CASE(an_exemplar_stays_for_a_second) {
  exemplars all{1};
  all.offer(0, "first", 1ms, now);
  all.offer(0, "too-soon", 2ms, now + exemplars::interval - 1ns);
  BOOST_TEST(all.find(0)->request_id == "first");
  all.offer(0, "second", 2ms, now + exemplars::interval);
  BOOST_TEST(all.find(0)->request_id == "second");
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_set_back_replaces_the_exemplar) {
  exemplars all{1};
  all.offer(0, "of-tomorrow", 1ms, now + 24h);
  all.offer(0, "of-today", 1ms, now);
  BOOST_TEST(all.find(0)->request_id == "of-today");
}

BOOST_AUTO_TEST_CASE(an_id_that_is_empty_or_too_long_is_not_kept) {
  exemplars all{1};
  all.offer(0, "", 1ms, now);
  all.offer(0, std::string(exemplars::id_bytes_max + 1, 'a'), 1ms, now);
  BOOST_TEST(!all.find(0));
  std::string const longest(exemplars::id_bytes_max, 'a');
  all.offer(0, longest, 1ms, now);
  BOOST_TEST(all.find(0)->request_id == longest);
}

BOOST_AUTO_TEST_CASE(a_reader_on_another_thread_sees_whole_exemplars) {
  exemplars all{1};
  all.offer(0, "0", 0ms, now);
  std::jthread const writer([&](std::stop_token const& stop) {
    for (int i = 1; !stop.stop_requested(); ++i) all.offer(0, std::to_string(i), i * 1ms, now + i * 1s);
  });
  for (int reads = 0; reads < 1'000; ++reads) {
    auto const seen = all.find(0);
    auto const number = seen->duration / 1ms;
    if (seen->request_id != std::to_string(number) || seen->time != now + number * 1s)
      BOOST_FAIL(seen->request_id << " has the duration of " << number);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
