// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admission_queue.hpp"

#include <boost/test/unit_test.hpp>
#include <deque>
#include <vector>

using namespace petstore::quota;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

namespace {

struct with_quotas {
  limits::account account;
  std::deque<shared_quota> quotas;

  shared_quota& operator[](std::size_t i) {
    while (quotas.size() <= i) quotas.emplace_back("key", account, shared_quota::owner::address);
    return quotas[i];
  }
};

constexpr limits::instant at(std::chrono::nanoseconds boot) {
  return {.boot = limits::boot_time{boot}, .wall = {}};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_redis_lane, with_quotas)

BOOST_AUTO_TEST_CASE(calls_begin_in_the_order_of_the_line_and_only_so_many) {
  admission_queue l(4);
  for (std::size_t i = 0; i < 6; ++i) l.line_up((*this)[i]);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(l.next_in_line(1) == &(*this)[i]);
  BOOST_TEST(l.next_in_line(1) == nullptr);
  l.leave();
  BOOST_TEST(l.next_in_line(1) == &(*this)[4]);
  BOOST_TEST(l.next_in_line(1) == nullptr);
  l.leave();
  l.line_up((*this)[0]);
  BOOST_TEST(l.next_in_line(1) == &(*this)[5]);
}

BOOST_AUTO_TEST_CASE(calls_that_have_time_begin_with_one_that_has_none_or_when_they_are_hurried) {
  admission_queue l(10);
  l.line_up_later((*this)[0]);
  l.line_up_later((*this)[1]);
  BOOST_TEST(l.next_in_line(1) == nullptr);
  BOOST_TEST(l.begun() == 2u);
  l.line_up((*this)[2]);
  for (std::size_t const i : {2u, 0u, 1u}) BOOST_TEST(l.next_in_line(1) == &(*this)[i]);
  l.line_up_later((*this)[3]);
  l.hurry();
  BOOST_TEST(l.next_in_line(1) == &(*this)[3]);
}

BOOST_AUTO_TEST_CASE(calls_in_line_and_under_way_have_begun) {
  admission_queue l(1);
  BOOST_TEST(l.begun() == 0u);
  for (std::size_t i = 0; i < 3; ++i) l.line_up((*this)[i]);
  BOOST_TEST(l.begun() == 3u);
  BOOST_TEST(l.next_in_line(1) == &(*this)[0]);
  BOOST_TEST(l.begun() == 3u);
  l.leave();
  BOOST_TEST(l.begun() == 2u);
}

BOOST_AUTO_TEST_CASE(nodes_divide_the_calls_among_them_and_each_has_one) {
  for (auto const& [nodes, calls] : std::vector<std::pair<std::uint32_t, int>>{{0, 4}, {2, 2}, {3, 1}, {100, 1}}) {
    admission_queue l(4);
    for (std::size_t i = 0; i < 5; ++i) l.line_up((*this)[i]);
    int begun = 0;
    while (l.next_in_line(nodes) != nullptr) ++begun;
    BOOST_TEST(begun == calls);
  }
}

BOOST_AUTO_TEST_CASE(who_has_waited_longest_is_looked_after_first) {
  admission_queue l(4);
  for (std::size_t i = 0; i < 3; ++i) l.attend((*this)[i]);
  admission_queue::row all = l.take_attended();
  admission_queue::row rest = std::move(all);
  shared_quota& seen = rest.front();
  rest.pop_front();
  rest.push_back(seen);
  l.attend((*this)[3]);  // meanwhile
  l.attend_first(std::move(rest));
  all = l.take_attended();
  for (std::size_t const i : {1u, 2u, 0u, 3u}) {
    BOOST_REQUIRE(!all.empty());
    BOOST_TEST(&all.front() == &(*this)[i]);
    all.pop_front();
  }
  BOOST_TEST(all.empty());
  BOOST_TEST(l.take_attended().empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_answers_others_is_asked_again) {
  admission_queue l(4);
  l.failed(at(1s), at(1s));
  BOOST_TEST(l.openings() == 0u);
  l.failed(at(1s + breaker::silence_min), at(1s));
  BOOST_TEST(l.is_cut_off());
  BOOST_TEST(l.openings() == 1u);
  BOOST_TEST(!l.may_ask(at(1s + breaker::silence_min)));
  l.heard_of_server(at(1s + breaker::silence_min));  // too early to say
  BOOST_TEST(l.is_cut_off());
  l.heard_of_server(at(2s + breaker::pause_max));
  BOOST_TEST(!l.is_cut_off());
  BOOST_TEST(l.may_ask(at(2s + breaker::pause_max)));
}

/// However often others find it silent: a probe of its own may be answered.
BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_others_is_given_up_and_probed) {
  admission_queue l(4);
  auto silent = 0ns;
  for (; silent <= breaker::silence_min; silent += 50ms) {
    BOOST_TEST(l.may_ask(at(1s + silent)));
    l.missed_server(at(1s + silent), at(1s + silent));
  }
  BOOST_TEST(l.is_cut_off());
  bool is_probed = false;
  for (auto const end = silent + breaker::pause_min; silent <= end; silent += 10ms) {
    l.missed_server(at(1s + silent), at(1s + silent));
    is_probed = is_probed || l.may_ask(at(1s + silent));
  }
  BOOST_TEST(is_probed);
}

BOOST_AUTO_TEST_SUITE_END()
