// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/usage_collector.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "petstore/ports/forwarding_store.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"

namespace petstore::program {

BOOST_AUTO_TEST_SUITE(usage_collection)

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::sys_days;

constexpr sys_days today{days{20'782}};
constexpr limits::wall_time noon = today + hours{12};

/// A store that fails while it is told to, and says what it was asked to add.
class unsteady_store final : public ports::forwarding_store {
 public:
  using forwarding_store::forwarding_store;

  boost::asio::awaitable<result<void>> add_usage(ports::usage_batch batch) override {
    batches.push_back(batch);
    if (throws) throw std::runtime_error("the store is on fire");
    if (failure) return fail(*failure);
    return forwarding_store::add_usage(std::move(batch));
  }

  std::vector<ports::usage_batch> batches;
  std::optional<error> failure;
  bool throws = false;

 private:
  static boost::asio::awaitable<result<void>> fail(error e) { co_return e; }
};

/// Two threads' counters, and a collector.
struct counted_shop {
  void use(std::size_t shard, std::uint64_t key, limits::wall_time at, bool refused = false) {
    limits::verdict v;
    v.decision = refused ? limits::decision::rate_limited : limits::decision::admitted;
    counters.shard(shard).count_key(key, v, at);
  }
  void collect() {
    await([](usage_collector& c) -> boost::asio::awaitable<int> {
      auto collecting = c.collect();
      co_await std::move(collecting);
      co_return 0;
    }(collector));
  }
  ports::usage_of_day usage(std::uint64_t key, sys_days day) {
    auto const found = await(store.read_usage(key, day, day));
    BOOST_REQUIRE(found);
    return found->empty() ? ports::usage_of_day{.day = day} : found->front();
  }

  unsteady_store store{storage::make_memory_store(environment::production)};
  server::metrics counters{2, {}, true};
  std::vector<std::string> events;
  std::vector<std::string> causes;  ///< of outages
  usage_collector collector{store, [this] { return counters.take_usage(); },
                            [this](server::severity, std::string_view event, std::string_view detail) {
                              events.emplace_back(event);
                              if (event == "usage_not_stored") causes.emplace_back(detail);
                            }};
};

error const gone{.code = errc::unavailable, .message = {}, .cause = "the disk is full"};

}  // namespace

BOOST_FIXTURE_TEST_CASE(counts_of_all_threads_are_one_write, counted_shop) {
  for (int i = 0; i < 5; ++i) use(0, 1, noon);
  use(1, 1, noon + hours{1}, true);
  use(1, 2, noon);
  collect();
  BOOST_REQUIRE(store.batches.size() == 1u);
  BOOST_TEST(store.batches[0].rows.size() == 2u);
  BOOST_TEST(usage(1, today).admitted == 5u);
  BOOST_TEST(usage(1, today).refused == 1u);
  BOOST_TEST(usage(2, today).admitted == 1u);
  BOOST_TEST((await(store.read_last_uses(1, 1))->front().at == unix_ms{today + hours{13}}));
}

BOOST_FIXTURE_TEST_CASE(nothing_is_written_where_nothing_was_used, counted_shop) {
  collect();
  use(0, 1, noon);
  collect();
  collect();
  BOOST_TEST(store.batches.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(requests_belong_to_the_day_on_which_they_were_made, counted_shop) {
  use(0, 1, today + days{1} - hours{1});
  use(1, 1, today + days{1});
  collect();  // on the next day
  BOOST_TEST(usage(1, today).admitted == 1u);
  BOOST_TEST(usage(1, today + days{1}).admitted == 1u);
  auto const& rows = store.batches.at(0).rows;
  BOOST_TEST((rows.at(0).day < rows.at(1).day));
}

BOOST_FIXTURE_TEST_CASE(an_outage_loses_and_doubles_nothing, counted_shop) {
  store.failure = gone;
  for (int minute = 0; minute < 3; ++minute) {
    use(0, 1, today + days{1} - hours{1});
    use(1, 1, today + days{1}, true);
    collect();
  }
  BOOST_TEST(events == std::vector<std::string>{"usage_not_stored"}, boost::test_tools::per_element());
  BOOST_TEST(causes.at(0).find("the disk is full") == 0u);
  // The store may know the first batch, so that it stays as it is.
  for (auto const& b : store.batches)
    BOOST_TEST((b.token == store.batches[0].token && b.rows == store.batches[0].rows));

  store.failure.reset();
  collect();
  BOOST_TEST(usage(1, today).admitted == 3u);
  BOOST_TEST(usage(1, today + days{1}).refused == 3u);
  BOOST_TEST(store.batches.size() == 5u);
  BOOST_TEST((store.batches[4].token != store.batches[3].token));
  BOOST_TEST(events.size() == 2u);
  BOOST_TEST(events.back() == "usage_stored");
}

BOOST_FIXTURE_TEST_CASE(many_keys_are_several_writes, counted_shop) {
  auto const keys = 2 * usage_collector::rows_max + 1;
  for (std::uint64_t key = 1; key <= keys; ++key) use(0, key, noon);
  collect();
  BOOST_TEST(store.batches.size() == 3u);
  for (auto const& b : store.batches) BOOST_TEST(b.rows.size() <= usage_collector::rows_max);
  for (std::uint64_t key = 1; key <= keys; ++key) BOOST_REQUIRE(usage(key, today).admitted == 1u);
}

BOOST_FIXTURE_TEST_CASE(what_is_lost_at_the_end_is_told, counted_shop) {
  use(0, 1, noon);
  collect();
  collector.tell_lost();
  BOOST_TEST(events.empty());
  store.failure = gone;
  for (int minute = 0; minute < 2; ++minute) {
    use(0, 1, noon);
    collect();
  }
  collector.tell_lost();
  BOOST_TEST(events.back() == "usage_lost");
}

BOOST_FIXTURE_TEST_CASE(store_that_throws_is_one_that_fails, counted_shop) {
  store.throws = true;
  use(0, 1, noon);
  collect();
  BOOST_TEST(causes.at(0).find("the store is on fire") == 0u);
  store.throws = false;
  collect();
  BOOST_TEST(usage(1, today).admitted == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
