// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "write_queue.hpp"

#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <thread>

namespace petstore::storage::lmdb {

BOOST_AUTO_TEST_SUITE(lmdb_write_queue)

namespace {

using namespace std::chrono_literals;

struct idle_write final : pending_write {
  using pending_write::pending_write;
  bool run(write_transaction&) override { return true; }
  void fail(error const&) override {}
  boost::asio::any_io_executor executor() const override { return boost::asio::system_executor(); }
  void answer() override {}
};

/// Before any queue was asked for anything, so that no commit seems to take the longer the slower a test runs.
auto const beginning = write_queue::clock::now();

bool give(write_queue& queue, batching c = batching::shared, std::chrono::nanoseconds later = 0s) {
  std::unique_ptr<pending_write> w = std::make_unique<idle_write>(c);
  return queue.give(w, beginning + later);
}

/// How many of so many writes the queue takes.
std::size_t fill(write_queue& queue, std::size_t writes, std::chrono::nanoseconds later = 0s) {
  std::size_t taken = 0;
  for (std::size_t i = 0; i < writes; ++i) taken += give(queue, batching::shared, later);
  return taken;
}

waiting_limits const roomy{.writes_max = 4096, .wait_max = 500ms};

/// No wait is too long for it.
waiting_limits at_most(std::size_t writes) {
  return {.writes_max = writes, .wait_max = 24h};
}

/// So that nothing waits.
constexpr auto at_once = 0ns;

}  // namespace

BOOST_AUTO_TEST_CASE(one_client_alone_is_not_kept_waiting) {
  BOOST_TEST(batch_policy::after(1, 0, 10ms).enough == 1u);
  BOOST_TEST(batch_policy::after(0, 0, 10ms).enough == 0u);
}

BOOST_AUTO_TEST_CASE(those_just_answered_and_those_who_queued_up_meanwhile_are_waited_for) {
  BOOST_TEST(batch_policy::after(40, 24, 10ms).enough == 64u);
}

BOOST_AUTO_TEST_CASE(patience_is_a_small_part_of_a_commit_and_has_an_end) {
  BOOST_TEST((batch_policy::after(64, 0, 8ms).patience == 1ms));
  BOOST_TEST((batch_policy::after(64, 0, 0ms).patience == 0ms));
  BOOST_TEST((batch_policy::after(64, 0, 60s).patience == 10ms));
}

BOOST_AUTO_TEST_CASE(full_queue_takes_no_write_until_some_are_taken_from_it) {
  write_queue queue(at_most(2));
  BOOST_TEST(give(queue));
  BOOST_TEST(give(queue));
  BOOST_TEST(!give(queue));
  BOOST_TEST(queue.take(at_once).size() == 2u);
  BOOST_TEST(give(queue));
}

BOOST_AUTO_TEST_CASE(refused_write_stays_with_its_giver) {
  write_queue queue(at_most(1));
  give(queue);
  std::unique_ptr<pending_write> w = std::make_unique<idle_write>(batching::shared);
  BOOST_TEST(!queue.give(w, beginning));
  BOOST_TEST(w.get() != nullptr);
}

BOOST_AUTO_TEST_CASE(places_are_as_many_as_are_begun_within_the_longest_wait) {
  BOOST_TEST(roomy.writes_allowed(100ms) == 5 * writes_per_transaction_max);
  BOOST_TEST(roomy.writes_allowed(99ms) == 5 * writes_per_transaction_max);
  BOOST_TEST(roomy.writes_allowed(101ms) == 4 * writes_per_transaction_max);
}

BOOST_AUTO_TEST_CASE(writes_of_one_transaction_may_wait_however_long_it_takes) {
  BOOST_TEST(roomy.writes_allowed(501ms) == writes_per_transaction_max);
  BOOST_TEST(roomy.writes_allowed(10h) == writes_per_transaction_max);
}

BOOST_AUTO_TEST_CASE(places_are_bounded_however_short_a_commit_is) {
  BOOST_TEST(roomy.writes_allowed(1ns) == 4096u);
  BOOST_TEST(roomy.writes_allowed(0ns) == 4096u);
  BOOST_TEST(at_most(100).writes_allowed(10h) == 100u);
}

BOOST_AUTO_TEST_CASE(slow_commits_leave_room_for_fewer_writes) {
  write_queue queue(roomy);
  give(queue);
  for (int i = 0; i < 50; ++i) {  // until what was usual before is forgotten
    queue.take(200ms);
    give(queue);
  }
  BOOST_TEST(fill(queue, 1'000) == 2 * writes_per_transaction_max - 1);
  BOOST_TEST(queue.backlog().waiting == 2 * writes_per_transaction_max);
  BOOST_TEST(queue.backlog().refused == 1'000 - (2 * writes_per_transaction_max - 1));
  BOOST_TEST((queue.backlog().commit > 199ms && queue.backlog().commit <= 200ms));
}

BOOST_AUTO_TEST_CASE(one_slow_commit_among_quick_ones_is_no_reason_to_refuse) {
  write_queue queue(roomy);
  for (auto const commit : {1ms, 1ms, 1ms, 400ms}) {
    give(queue);
    queue.take(commit);
  }
  BOOST_TEST(fill(queue, 1'000) == 1'000u);
}

BOOST_AUTO_TEST_CASE(disk_that_hangs_is_noticed_before_its_commit_ends) {
  write_queue queue(roomy);
  give(queue);
  queue.take(1ms);
  BOOST_TEST(fill(queue, 1'000, 1h) == writes_per_transaction_max);
}

BOOST_AUTO_TEST_CASE(write_that_must_be_alone_is_taken_alone) {
  write_queue queue(at_most(8));
  give(queue);
  give(queue);
  give(queue, batching::exclusive);
  give(queue);
  BOOST_TEST(queue.take(at_once).size() == 2u);
  auto const alone = queue.take(at_once);
  BOOST_REQUIRE(alone.size() == 1u);
  BOOST_CHECK(alone.front()->batching() == batching::exclusive);
  BOOST_TEST(queue.take(at_once).size() == 1u);
}

BOOST_AUTO_TEST_CASE(no_transaction_grows_without_end) {
  constexpr std::size_t count = 1000;
  write_queue queue(at_most(count));
  for (std::size_t i = 0; i < count; ++i) give(queue);
  std::size_t taken = 0;
  for (std::size_t batches = 0; taken < count; ++batches) {
    auto const size = queue.take(at_once).size();
    BOOST_TEST(size <= 256u);
    BOOST_REQUIRE(batches < 10u);
    taken += size;
  }
  BOOST_TEST(taken == count);
}

BOOST_AUTO_TEST_CASE(closed_queue_gives_what_is_left_and_then_nothing) {
  write_queue queue(at_most(8));
  give(queue);
  queue.close();
  BOOST_TEST(queue.take(at_once).size() == 1u);
  BOOST_TEST(queue.take(at_once).empty());
}

BOOST_AUTO_TEST_CASE(every_write_of_many_givers_is_taken_once) {
  constexpr int givers = 4;
  constexpr int writes_each = 500;
  write_queue queue(at_most(givers * writes_each));
  std::vector<std::thread> threads;
  for (int g = 0; g < givers; ++g)
    threads.emplace_back([&] {
      for (int i = 0; i < writes_each; ++i) give(queue);
    });
  std::size_t taken = 0;
  while (taken < std::size_t{givers * writes_each}) taken += queue.take(1us).size();
  for (auto& t : threads) t.join();
  queue.close();
  BOOST_TEST(taken == std::size_t{givers * writes_each});
  BOOST_TEST(queue.take(at_once).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::storage::lmdb
