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

BOOST_FIXTURE_TEST_SUITE(quota_redis_admission_queue, with_quotas)

BOOST_AUTO_TEST_CASE(calls_begin_in_the_order_of_the_line_and_only_so_many) {
  admission_queue queue(4);
  for (std::size_t i = 0; i < 6; ++i) queue.enqueue((*this)[i]);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(queue.begin_next(1) == &(*this)[i]);
  BOOST_TEST(queue.begin_next(1) == nullptr);
  queue.end_call();
  BOOST_TEST(queue.begin_next(1) == &(*this)[4]);
  BOOST_TEST(queue.begin_next(1) == nullptr);
  queue.end_call();
  queue.enqueue((*this)[0]);
  BOOST_TEST(queue.begin_next(1) == &(*this)[5]);
}

BOOST_AUTO_TEST_CASE(calls_that_have_time_begin_with_one_that_has_none_or_when_they_are_hurried) {
  admission_queue queue(10);
  queue.enqueue_deferred((*this)[0]);
  queue.enqueue_deferred((*this)[1]);
  BOOST_TEST(queue.begin_next(1) == nullptr);
  BOOST_TEST(queue.begun() == 2u);
  queue.enqueue((*this)[2]);
  for (std::size_t const i : {2u, 0u, 1u}) BOOST_TEST(queue.begin_next(1) == &(*this)[i]);
  queue.enqueue_deferred((*this)[3]);
  queue.release_deferred();
  BOOST_TEST(queue.begin_next(1) == &(*this)[3]);
}

BOOST_AUTO_TEST_CASE(calls_in_line_and_under_way_have_begun) {
  admission_queue queue(1);
  BOOST_TEST(queue.begun() == 0u);
  for (std::size_t i = 0; i < 3; ++i) queue.enqueue((*this)[i]);
  BOOST_TEST(queue.begun() == 3u);
  BOOST_TEST(queue.begin_next(1) == &(*this)[0]);
  BOOST_TEST(queue.begun() == 3u);
  queue.end_call();
  BOOST_TEST(queue.begun() == 2u);
}

BOOST_AUTO_TEST_CASE(nodes_divide_the_calls_among_them_and_each_has_one) {
  for (auto const& [nodes, calls] : std::vector<std::pair<std::uint32_t, int>>{{0, 4}, {2, 2}, {3, 1}, {100, 1}}) {
    admission_queue queue(4);
    for (std::size_t i = 0; i < 5; ++i) queue.enqueue((*this)[i]);
    int begun = 0;
    while (queue.begin_next(nodes) != nullptr) ++begun;
    BOOST_TEST(begun == calls);
  }
}

BOOST_AUTO_TEST_CASE(who_has_waited_longest_is_looked_after_first) {
  admission_queue queue(4);
  for (std::size_t i = 0; i < 3; ++i) queue.watch((*this)[i]);
  admission_queue::quota_list all = queue.take_watched();
  admission_queue::quota_list rest = std::move(all);
  shared_quota& seen = rest.front();
  rest.pop_front();
  rest.push_back(seen);
  queue.watch((*this)[3]);  // meanwhile
  queue.watch_first(std::move(rest));
  all = queue.take_watched();
  for (std::size_t const i : {1u, 2u, 0u, 3u}) {
    BOOST_REQUIRE(!all.empty());
    BOOST_TEST(&all.front() == &(*this)[i]);
    all.pop_front();
  }
  BOOST_TEST(all.empty());
  BOOST_TEST(queue.take_watched().empty());
}

BOOST_AUTO_TEST_CASE(a_server_that_answers_others_is_asked_again) {
  admission_queue queue(4);
  queue.failed(at(1s), at(1s));
  BOOST_TEST(queue.openings() == 0u);
  queue.failed(at(1s + breaker::silence_min), at(1s));
  BOOST_TEST(queue.is_cut_off());
  BOOST_TEST(queue.openings() == 1u);
  BOOST_TEST(!queue.may_ask(at(1s + breaker::silence_min)));
  queue.heartbeat_answered(at(1s + breaker::silence_min));  // too early to say
  BOOST_TEST(queue.is_cut_off());
  queue.heartbeat_answered(at(2s + breaker::pause_max));
  BOOST_TEST(!queue.is_cut_off());
  BOOST_TEST(queue.may_ask(at(2s + breaker::pause_max)));
}

BOOST_AUTO_TEST_CASE(looking_whether_the_server_may_be_asked_takes_no_probe) {
  admission_queue queue(4);
  queue.failed(at(1s), at(1s));
  queue.failed(at(1s + breaker::silence_min), at(1s));
  BOOST_TEST(!queue.could_ask(at(1s + breaker::silence_min)));
  auto const probed = at(1s + breaker::silence_min + breaker::pause_min);
  for (int i = 0; i < 3; ++i) BOOST_TEST(queue.could_ask(probed));
  BOOST_TEST(queue.may_ask(probed));
  BOOST_TEST(!queue.could_ask(probed));
  BOOST_TEST(!queue.may_ask(probed));
}

/// However often others find it silent: a probe of its own may be answered.
BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_others_is_given_up_and_probed) {
  admission_queue queue(4);
  auto silent = 0ns;
  for (; silent <= breaker::silence_min; silent += 50ms) {
    BOOST_TEST(queue.may_ask(at(1s + silent)));
    queue.heartbeat_missed(at(1s + silent), at(1s + silent));
  }
  BOOST_TEST(queue.is_cut_off());
  bool is_probed = false;
  for (auto const end = silent + breaker::pause_min; silent <= end; silent += 10ms) {
    queue.heartbeat_missed(at(1s + silent), at(1s + silent));
    is_probed = is_probed || queue.may_ask(at(1s + silent));
  }
  BOOST_TEST(is_probed);
}

BOOST_AUTO_TEST_SUITE_END()
