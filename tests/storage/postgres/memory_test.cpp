// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <new>

#include "storage/postgres/fixture.hpp"
#include "support/enduring_context.hpp"
#include "support/failing_allocations.hpp"

/// A store whose thread finds no memory now and then: requests may fail for it, and the store goes on.
namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(postgres_memory)

namespace {

namespace asio = boost::asio;

/// A store that is asked on one thread, by one connection.
class store_on_a_thread {
 public:
  explicit store_on_a_thread(std::string const& uri) : store_{storage::open_postgres_store(options_on(thread_, uri))} {
    BOOST_TEST_REQUIRE(eventually([&] { return store_->connections()->open == 2; }));  // one is the store's own
  }
  ~store_on_a_thread() {
    store_->leave_executors();
    thread_.finish();
  }
  store_on_a_thread(store_on_a_thread const&) = delete;
  store_on_a_thread& operator=(store_on_a_thread const&) = delete;

  void fail_allocation(std::size_t number) {
    thread_.run([number] { tests::fail_allocation(number); });
  }
  bool writes_and_reads() {
    auto asking = [this]() -> asio::awaitable<bool> {
      auto creating = store_->create_category({.name = "category " + std::to_string(++categories_)});
      if (!co_await std::move(creating)) co_return false;
      auto reading = store_->keys_version();
      auto const version = co_await std::move(reading);
      co_return version.has_value();
    };
    try {
      return asio::co_spawn(thread_.executor(), asking, asio::use_future).get();
    } catch (std::bad_alloc const& told) {
    } catch (std::future_error const& could_not_be_told) {
    }
    return false;
  }

 private:
  static storage::postgres_options options_on(enduring_context& thread, std::string const& uri) {
    auto options = options_for(uri);
    options.executors.emplace_back(thread.executor());
    options.connections_per_thread = 1;
    return options;
  }

  int categories_ = 0;
  enduring_context thread_;
  std::unique_ptr<ports::store> store_;
};

}  // namespace

PETSTORE_POSTGRES_CASE(one_failure_wherever_it_comes_ends_no_connection_for_good) {
  auto const uri = postgres_server::shared().create_database();
  auto failures = failed_allocations();
  std::size_t n = 1;
  for (;; ++n) {
    store_on_a_thread store{uri};
    store.fail_allocation(n);
    store.writes_and_reads();
    store.fail_allocation(0);
    BOOST_TEST_REQUIRE(eventually([&] { return store.writes_and_reads(); }), "after failure " << n);
    if (failed_allocations() == failures) break;  // this many are not made
    failures = failed_allocations();
  }
  BOOST_TEST(n > 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
