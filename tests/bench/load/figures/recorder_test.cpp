// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/recorder.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "figures/results.hpp"
#include "figures/sample_run.hpp"
#include "support/allocation_count.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_recorder)

namespace {

using namespace std::chrono_literals;

recording one_operation() {
  return {{"get"}, {}, sample_begin, 1s};
}

results collected(recorder const& r, std::chrono::nanoseconds duration) {
  std::array<recorder const*, 1> const all{&r};
  return collect({}, {}, all, sample_begin + duration);
}

BOOST_AUTO_TEST_CASE(latency_counts_from_when_a_request_was_due_and_service_from_when_it_was_sent) {
  recorder r(one_operation());
  auto a = answer_of(sample_begin, 0s, 500ms);
  a.sent = a.intended + 400ms;
  r.record(a);
  auto const found = collected(r, 1s);
  BOOST_TEST((latency_of(found).max() == 500ms));
  BOOST_TEST((service_of(found).max() == 100ms));
}

BOOST_AUTO_TEST_CASE(latency_is_told_apart_by_status) {
  recorder first(one_operation());
  recorder second(one_operation());
  for (auto* const r : {&first, &second}) {
    r->record(answer_of(sample_begin, 0s, 500ms));
    auto refused = answer_of(sample_begin, 0s, 3ms);
    refused.status = 503;
    refused.is_untold = true;
    r->record(refused);
  }
  std::array<recorder const*, 2> const all{&first, &second};
  auto const found = collect({}, {}, all, sample_begin + 1s);
  BOOST_TEST(found.latency_by_status.at(200).count() == 2u);
  BOOST_TEST((found.latency_by_status.at(200).max() == 500ms));
  BOOST_TEST((found.latency_by_status.at(503).max() == 3ms));
  BOOST_TEST(found.untold_refusals == 2u);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_tried_again_is_due_once_and_has_waited_since_it_was_first_due) {
  recorder r(one_operation());
  auto refused = answer_of(sample_begin, 0s, 4ms);
  refused.status = 503;
  refused.is_final = false;
  refused.is_untold = true;
  r.record(refused);
  auto at_last = answer_of(sample_begin, 0s, 2'004ms);
  at_last.sent = sample_begin + 2s;
  r.record(at_last);
  auto const found = collected(r, 3s);
  auto const counted = totals_of(found);
  BOOST_TEST(found.due == 1u);
  BOOST_TEST(counted.answers == 1u);
  BOOST_TEST(counted.retried == 1u);
  BOOST_TEST(counted.errors == 0u);
  BOOST_TEST(latency_of(found).count() == 1u);
  BOOST_TEST((latency_of(found).max() == 2'004ms));
  BOOST_TEST((service_of(found).max() == 4ms));
  // All answers are there, with the bytes of both.
  BOOST_TEST(statuses_of(found).at(503) == 1u);
  BOOST_TEST(counted.classes[5] == 1u);
  BOOST_TEST(counted.bytes_in == 1'400u);
  BOOST_TEST(found.untold_refusals == 1u);
  BOOST_TEST(!found.latency_by_status.contains(503));
}

BOOST_AUTO_TEST_CASE(attempts_in_the_warm_up_are_one_request) {
  recorder r(one_operation());
  auto a = answer_of(sample_begin, -1s, 1ms);
  a.is_final = false;
  r.record(a);
  a.is_final = true;
  r.record(a);
  BOOST_TEST(collected(r, 1s).warm_up_requests == 1u);
}

BOOST_AUTO_TEST_CASE(statuses_beyond_what_is_told_apart_count_in_all_totals) {
  recorder r(one_operation());
  for (std::uint16_t status = 200; status < 300; ++status) {
    auto a = answer_of(sample_begin, 0s, 1ms);
    a.status = status;
    r.record(a);
  }
  auto const found = collected(r, 1s);
  BOOST_TEST(found.latency_by_status.size() == timed_statuses_max);
  BOOST_TEST(statuses_of(found).size() == 100u);
}

BOOST_AUTO_TEST_CASE(what_is_withheld_is_due_and_is_neither_an_answer_nor_an_error) {
  recorder r(one_operation());
  r.record_withheld(sample_begin - 1ns);
  r.record_withheld(sample_begin + 1'500ms);
  auto const found = collected(r, 2s);
  BOOST_TEST(found.withheld == 1u);
  BOOST_TEST(found.due == 1u);
  BOOST_TEST(found.intervals.at(1).due == 1u);
  BOOST_TEST(totals_of(found).answers == 0u);
  BOOST_TEST(totals_of(found).errors == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_due_in_the_warm_up_does_not_count) {
  recorder r(one_operation());
  r.record(answer_of(sample_begin, -1ns, 1ms));
  r.record(answer_of(sample_begin, 0ns, 1ms));
  auto const found = collected(r, 1s);
  BOOST_TEST(found.warm_up_requests == 1);
  BOOST_TEST(found.due == 1);
  BOOST_TEST(totals_of(found).answers == 1);
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_request_of_the_warm_up_is_part_of_the_rate_of_the_run) {
  recorder r(one_operation());
  auto of_warm_up = answer_of(sample_begin, -1s, 1'500ms);
  r.record(of_warm_up);
  of_warm_up.error = error_kind::unexpected_status;
  r.record(of_warm_up);
  of_warm_up.status = 0;
  r.record(of_warm_up);
  r.record(answer_of(sample_begin, -1s, 999ms));
  r.record(answer_of(sample_begin, 0s, 1ms));
  auto const found = collected(r, 1s);
  BOOST_TEST(found.warm_up_requests == 4u);
  BOOST_TEST(found.due == 1u);
  BOOST_TEST(totals_of(found).answers == 1u);
  BOOST_TEST(rate_of(found) == 3.0);
  BOOST_TEST(within_duration(found).unexpected == 1u);
  BOOST_TEST(latency_of(found).count() == 1u);
}

BOOST_AUTO_TEST_CASE(
    an_answer_belongs_to_the_interval_in_which_it_is_complete_and_its_latency_to_that_in_which_it_was_due) {
  recorder r(one_operation());
  r.record(answer_of(sample_begin, 100ms, 1ms));
  r.record(answer_of(sample_begin, 900ms, 1'200ms));
  auto const found = collected(r, 3s);
  BOOST_REQUIRE_EQUAL(found.intervals.size(), 3);
  BOOST_TEST(found.intervals[0].due == 2);
  BOOST_TEST(found.intervals[0].counted.answers == 1);
  BOOST_TEST(found.intervals[1].counted.answers == 0);
  BOOST_TEST(found.intervals[2].counted.answers == 1);
  BOOST_TEST((found.intervals[0].latency.max == 1'200ms));
  BOOST_TEST((found.intervals[0].latency.p50 >= 1ms && found.intervals[0].latency.p50 < 2ms));
  BOOST_TEST((found.intervals[2].latency.max == 0ms));
}

BOOST_AUTO_TEST_CASE(a_freeze_shows_where_it_began) {
  auto about = one_operation();
  about.interval = 100ms;
  recorder r(about);
  // Of ten requests in each tenth of a second, those that are due from 1 s to 2 s are answered at 2 s.
  for (int i = 0; i < 300; ++i) {
    auto const due = i * 10ms;
    r.record(answer_of(sample_begin, due, due >= 1s && due < 2s ? 2s - due : 1ms));
  }
  auto const found = collected(r, 3s);
  BOOST_REQUIRE_EQUAL(found.intervals.size(), 30);
  BOOST_TEST((found.intervals[9].latency.max == 1ms));
  BOOST_TEST((found.intervals[10].latency.max == 1s));
  BOOST_TEST((found.intervals[19].latency.max == 100ms));
  BOOST_TEST((found.intervals[20].latency.max == 1ms));
  BOOST_TEST((found.intervals[10].latency.p50 >= 950ms && found.intervals[10].latency.p50 < 970ms));
  BOOST_TEST(found.intervals[10].counted.answers == 0u);
}

BOOST_AUTO_TEST_CASE(errors_over_time_are_told_apart_by_kind_and_belong_where_they_became_known) {
  recorder r(one_operation());
  auto a = answer_of(sample_begin, 100ms, 2s);
  a.status = 0;
  a.error = error_kind::timeout;
  r.record(a);
  a = answer_of(sample_begin, 2'200ms, 1ms);
  a.error = error_kind::unexpected_status;
  r.record(a);
  r.record(a);
  auto const found = collected(r, 3s);
  using kinds = std::map<error_kind, std::uint64_t>;
  BOOST_TEST(found.intervals[0].errors.empty());
  BOOST_TEST((found.intervals[2].errors == kinds{{error_kind::timeout, 1}, {error_kind::unexpected_status, 2}}));
}

BOOST_AUTO_TEST_CASE(quantiles_of_the_last_interval_are_there_although_it_never_ended) {
  recorder r(one_operation());
  r.record(answer_of(sample_begin, 100ms, 3ms));
  auto const found = collected(r, 1s);
  BOOST_TEST((found.intervals.back().latency.p50 == 3ms));
  BOOST_TEST((found.intervals.back().latency.max == 3ms));
}

BOOST_AUTO_TEST_CASE(quantiles_of_an_interval_are_within_a_hundredth) {
  recorder r(one_operation());
  for (int i = 1; i <= 1'000; ++i) r.record(answer_of(sample_begin, 0ms, std::chrono::microseconds(i)));
  r.advance(sample_begin + 5s);
  auto const found = collected(r, 5s);
  auto const p99 = static_cast<double>(found.intervals[0].latency.p99.count());
  BOOST_TEST(p99 >= 990e3);
  BOOST_TEST(p99 <= 990e3 * 1.01);
  BOOST_TEST((found.intervals[0].latency.max == 1ms));
}

BOOST_AUTO_TEST_CASE(a_clock_read_before_an_interval_ended_does_not_reopen_it) {
  recorder r(one_operation());
  r.advance(sample_begin + 2'500ms);
  r.record(answer_of(sample_begin, 100ms, 1ms));
  auto const found = collected(r, 3s);
  BOOST_TEST(found.intervals[0].counted.answers == 0);
  BOOST_TEST(found.intervals[2].counted.answers == 1);
  BOOST_TEST(totals_of(found).answers == 1);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_given_up_has_waited_at_least_so_long) {
  recorder r(one_operation());
  auto given_up = answer_of(sample_begin, 0s, 2s);
  given_up.status = 0;
  given_up.first_byte = {};
  given_up.error = error_kind::timeout;
  r.record(given_up);
  auto const found = collected(r, 3s);
  BOOST_TEST((latency_of(found).max() == 2s));
  BOOST_TEST(found.first_byte.empty());
}

BOOST_AUTO_TEST_CASE(whatever_ends_a_wait_without_an_answer_has_a_latency) {
  recorder r(one_operation());
  constexpr std::array ends{error_kind::connect_timeout, error_kind::tls,       error_kind::closed,
                            error_kind::malformed,       error_kind::too_large, error_kind::unfinished};
  for (auto const kind : ends) {
    auto failed = answer_of(sample_begin, 0s, 1s);
    failed.status = 0;
    failed.sent = failed.first_byte = {};
    failed.error = kind;
    r.record(failed);
  }
  auto const found = collected(r, 2s);
  BOOST_TEST(latency_of(found).count() == ends.size());
  BOOST_TEST((latency_of(found).quantile(0.5) >= 1s));
  BOOST_TEST(service_of(found).empty());
}

BOOST_AUTO_TEST_CASE(a_connection_that_was_not_made_at_once_does_not_make_the_service_look_fast) {
  recorder r(one_operation());
  constexpr std::array ends{error_kind::refused, error_kind::unreachable, error_kind::no_descriptor,
                            error_kind::unsent};
  for (auto const kind : ends) {
    auto refused = answer_of(sample_begin, 0s, 20us);
    refused.status = 0;
    refused.error = kind;
    r.record(refused);
  }
  auto const found = collected(r, 1s);
  BOOST_TEST(latency_of(found).empty());
  BOOST_TEST(totals_of(found).errors == ends.size());
  BOOST_TEST(totals_of(found).unanswered == ends.size());
}

BOOST_AUTO_TEST_CASE(the_first_example_of_each_kind_of_error_is_kept_and_all_are_counted) {
  recorder r(one_operation());
  for (auto const* what : {"the first", "the second"}) {
    auto a = answer_of(sample_begin, 0s, 1ms);
    a.error = error_kind::malformed;
    a.status = 0;
    a.what = what;
    r.record(a);
  }
  auto const found = collected(r, 1s);
  BOOST_REQUIRE(found.errors.contains(error_kind::malformed));
  BOOST_TEST(found.errors.at(error_kind::malformed).count == 2);
  BOOST_TEST(found.errors.at(error_kind::malformed).example == "the first");
}

BOOST_AUTO_TEST_CASE(statuses_are_counted_one_by_one_and_429_apart_from_its_class) {
  recorder r(one_operation());
  for (int const status : {200, 201, 404, 429, 429, 503, 999}) {
    auto a = answer_of(sample_begin, 0s, 1ms);
    a.status = static_cast<std::uint16_t>(status);
    r.record(a);
  }
  auto const found = collected(r, 1s);
  auto const counted = totals_of(found);
  BOOST_TEST(counted.answers == 7);
  BOOST_TEST(counted.classes[2] == 2);
  BOOST_TEST(counted.classes[4] == 1);
  BOOST_TEST(counted.too_many == 2);
  BOOST_TEST(counted.classes[5] == 1);
  BOOST_TEST(counted.classes[0] == 1);
  BOOST_TEST(statuses_of(found).at(429) == 2);
  BOOST_TEST(statuses_of(found).at(999) == 1);
}

BOOST_AUTO_TEST_CASE(answers_after_the_end_count_in_all_totals_but_not_in_the_rate) {
  recorder r(one_operation());
  for (int i = 0; i < 20; ++i) r.record(answer_of(sample_begin, i * 100ms, 1ms));
  r.record(answer_of(sample_begin, 1'999ms, 1'500ms));
  auto const found = collected(r, 2s);
  BOOST_TEST(totals_of(found).answers == 21);
  BOOST_TEST(rate_of(found) == 10.0);
}

BOOST_AUTO_TEST_CASE(what_was_due_and_what_came_within_the_run_is_counted_with_what_was_not_expected) {
  recorder r(one_operation());
  for (int i = 0; i < 20; ++i) r.record(answer_of(sample_begin, i * 100ms, 1ms));
  for (auto const kind : {error_kind::unexpected_status, error_kind::missing_value, error_kind::timeout}) {
    auto a = answer_of(sample_begin, 500ms, 1ms);
    a.error = kind;
    if (kind == error_kind::timeout) a.status = 0;
    r.record(a);
  }
  auto late = answer_of(sample_begin, 1'999ms, 1'500ms);
  late.error = error_kind::unexpected_status;
  r.record(late);
  auto const counts = within_duration(collected(r, 2s));
  BOOST_TEST(counts.due == 24u);
  BOOST_TEST(counts.answers == 22u);
  BOOST_TEST(counts.unexpected == 2u);
}

BOOST_AUTO_TEST_CASE(the_newest_interval_is_the_last_that_ended) {
  recorder r(one_operation());
  BOOST_TEST(r.newest().counted.answers == 0);
  r.record(answer_of(sample_begin, 0s, 5ms));
  r.record(answer_of(sample_begin, 1s, 7ms));
  r.record(answer_of(sample_begin, 1s, 7ms));
  r.advance(sample_begin + 2s);
  auto const newest = r.newest();
  BOOST_TEST(newest.counted.answers == 2);
  BOOST_TEST(newest.latency.count() == 2);
  BOOST_TEST(static_cast<double>(newest.latency.quantile(0.5).count()) == 7e6, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(several_workers_add_up) {
  recorder one(one_operation());
  recorder two(one_operation());
  one.record(answer_of(sample_begin, 0s, 1ms));
  two.record(answer_of(sample_begin, 0s, 9ms));
  two.record(answer_of(sample_begin, 4s, 2ms));
  std::array<recorder const*, 2> const both{&one, &two};
  auto const found = collect({}, {}, both, sample_begin + 5s);
  BOOST_TEST(found.due == 3);
  BOOST_TEST(found.intervals[0].counted.answers == 2);
  BOOST_TEST((found.intervals[0].latency.max == 9ms));
  BOOST_TEST(found.intervals[4].counted.answers == 1);
  BOOST_TEST((latency_of(found).min() == 1ms));
}

BOOST_AUTO_TEST_CASE(the_newest_second_is_empty_when_nothing_came_in_it) {
  recorder r(one_operation());
  r.record(answer_of(sample_begin, 0s, 5ms));
  r.advance(sample_begin + 3s);
  BOOST_TEST(r.newest().counted.answers == 0);
  BOOST_TEST((r.newest().width == 1s));
}

BOOST_AUTO_TEST_CASE(the_newest_second_has_the_latencies_of_its_answers_whenever_they_were_due) {
  auto about = one_operation();
  about.interval = 100ms;
  recorder r(about);
  r.record(answer_of(sample_begin, 100ms, 2'400ms));
  r.advance(sample_begin + 3s);
  BOOST_TEST(r.newest().latency.count() == 1);
}

BOOST_AUTO_TEST_CASE(an_interval_lasts_a_second_and_less_in_short_runs_until_there_would_be_too_many) {
  BOOST_TEST((interval_for(1s) == 100ms));
  BOOST_TEST((interval_for(60s - 1ns) == 100ms));
  BOOST_TEST((interval_for(60s) == 1s));
  BOOST_TEST((interval_for(1h) == 1s));
  BOOST_TEST((interval_for(1h + 1ns) == 2s));
  BOOST_TEST((interval_for(24h) == 24s));
  BOOST_TEST((interval_for(0s) == 100ms));
}

BOOST_AUTO_TEST_CASE(a_key_has_what_it_was_told_over_time_the_least_of_each_interval) {
  auto about = one_operation();
  about.keys = {"free", "gold"};
  recorder one(about);
  recorder two(about);
  auto const read = [](recorder& into, std::chrono::nanoseconds due, std::int64_t remaining, std::uint16_t status,
                       std::string_view resource) {
    auto a = answer_of(sample_begin, due, 1ms);
    a.key = 1;
    a.status = status;
    a.quota = {60, remaining, resource};
    into.record(a);
  };
  read(one, 0s, 10, 200, "minute");
  read(one, 0s, 500, 200, "day");
  read(two, 0s, 8, 200, "minute");
  read(two, 2s, 0, 429, "minute");
  std::array<recorder const*, 2> const both{&one, &two};
  auto const found = collect({}, {}, both, sample_begin + 3s);
  BOOST_REQUIRE_EQUAL(found.keys.size(), 2);
  BOOST_TEST(found.keys[0].quotas.empty());
  auto const& gold = found.keys[1];
  BOOST_TEST(gold.admitted == 3);
  BOOST_TEST(gold.refused == 1);
  BOOST_REQUIRE_EQUAL(gold.quotas.size(), 2);
  BOOST_TEST(gold.quotas[0].resource == "minute");
  BOOST_TEST(gold.quotas[0].limit == 60);
  BOOST_TEST((gold.quotas[0].remaining == std::vector<std::int64_t>{8, -1, 0}));
  BOOST_TEST((gold.quotas[1].remaining == std::vector<std::int64_t>{500, -1, -1}));
  BOOST_TEST((gold.refused_over_time == std::vector<std::uint64_t>{0, 0, 1}));
}

BOOST_AUTO_TEST_CASE(keys_beyond_those_that_are_charted_are_still_counted) {
  auto about = one_operation();
  for (std::size_t i = 0; i <= charted_keys_max; ++i) about.keys.push_back("key " + std::to_string(i));
  recorder r(about);
  auto a = answer_of(sample_begin, 0s, 1ms);
  a.key = static_cast<std::uint16_t>(charted_keys_max);
  a.quota = {60, 59, "minute"};
  r.record(a);
  auto const found = collected(r, 1s);
  BOOST_TEST(found.keys.back().admitted == 1);
  BOOST_TEST(found.keys.back().admitted_over_time.empty());
  BOOST_TEST(found.keys.front().admitted_over_time.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_service_that_invents_quotas_does_not_grow_the_recorder) {
  auto about = one_operation();
  about.keys = {"free"};
  recorder r(about);
  for (int i = 0; i < 100; ++i) {
    auto a = answer_of(sample_begin, 0s, 1ms);
    a.key = 0;
    auto const name = "quota " + std::to_string(i);
    a.quota = {60, 59, name};
    r.record(a);
  }
  BOOST_TEST(r.resources().size() == quotas_per_key_max);
}

BOOST_AUTO_TEST_CASE(recording_allocates_nothing_but_when_an_interval_ends) {
  if (!tests::allocations_are_counted()) {
    BOOST_TEST_MESSAGE("SKIPPED: a sanitizer has its own allocator");
    return;
  }
  auto about = one_operation();
  about.keys = {"free"};
  recorder r(about);
  auto a = answer_of(sample_begin, 0s, 1ms);
  a.key = 0;
  a.quota = {60, 59, "minute"};
  r.record(a);
  auto const before = tests::allocation_count();
  for (int i = 0; i < 10'000; ++i) {
    a.done = a.intended + std::chrono::microseconds(i);
    r.record(a);
    r.record_lag(5us);
    r.record(opened{a.done, 80us, 900us});
  }
  auto const allocated = tests::allocation_count() - before;
  BOOST_TEST(allocated == 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
