// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A statement that the server does not know, or knows already, although the connection expects the opposite.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <deque>

#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(preparations)

namespace {

namespace asio = boost::asio;

/// A store whose only serving connection is idle, and its thread.
class serving_thread {
 public:
  explicit serving_thread(std::string const& uri) : store_(storage::open_postgres_store(options(uri))) {
    BOOST_TEST_REQUIRE(eventually([&] {
      context_.poll();
      auto const figures = *store_->connections();
      return figures.open == figures.wanted && figures.in_flight == 0;
    }));
  }
  ~serving_thread() {
    store_->leave_executors();
    context_.run();
  }

  /// Sends nothing yet: what is asked until `send` travels together.
  void ask_for_pet() { ask(record_kind::pet); }
  void ask_for_category() { ask(record_kind::category); }
  void send() { context_.poll(); }

  /// Runs until `count` of the requests are answered.
  void run_until(std::size_t count) {
    while (answered_ < count) context_.run_one();
  }
  std::deque<std::optional<errc>> const& outcomes() const { return outcomes_; }
  std::string const& causes() const { return causes_; }

 private:
  storage::postgres_options options(std::string const& uri) {
    auto o = options_for(uri);
    o.executors = {context_.get_executor()};
    o.connections_per_thread = 1;
    o.statement_timeout = 2 * time_limit;
    return o;
  }
  void ask(record_kind kind) {
    auto& outcome = outcomes_.emplace_back(errc::internal);
    asio::co_spawn(context_, read(kind, outcome), [](std::exception_ptr thrown) { BOOST_TEST(!thrown); });
  }
  asio::awaitable<void> read(record_kind kind, std::optional<errc>& outcome) {
    std::string json;
    auto reading = store_->read(kind, 1, json).wait();
    auto const done = co_await std::move(reading);
    outcome = fault_of(done);
    if (!done) causes_ += done.error().cause + "\n";
    ++answered_;
  }

  asio::io_context context_{1};
  std::unique_ptr<ports::store> store_;
  std::deque<std::optional<errc>> outcomes_;  ///< in the order of asking
  std::string causes_;
  std::size_t answered_ = 0;
};

bool waits_for_lock(std::string const& uri) {
  return postgres_server::run(uri,
                              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
                              "current_database()") == "1";
}

}  // namespace

PETSTORE_POSTGRES_CASE(statement_that_a_failed_read_left_unprepared_is_prepared_once) {
  auto const uri = postgres_server::shared().create_database();
  serving_thread thread(uri);
  thread.ask_for_pet();  // prepares its statement
  thread.run_until(1);
  auto lock = std::make_unique<open_transaction>(uri, "LOCK TABLE pets IN ACCESS EXCLUSIVE MODE");
  thread.ask_for_pet();
  thread.ask_for_category();  // is to prepare its statement, in the transaction of the read that will fail
  thread.send();
  thread.ask_for_category();
  thread.send();
  thread.ask_for_pet();  // holds up the answer to the next one until the others are sent again
  thread.send();
  thread.ask_for_category();
  thread.send();

  BOOST_TEST_REQUIRE(eventually([&] { return waits_for_lock(uri); }));
  postgres_server::run(uri,
                       "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND "
                       "datname = current_database()");
  thread.run_until(2);
  BOOST_TEST_REQUIRE(eventually([&] { return waits_for_lock(uri); }));
  thread.send();
  lock.reset();
  thread.run_until(6);
  thread.ask_for_category();
  thread.run_until(7);

  auto const& outcomes = thread.outcomes();
  BOOST_TEST((outcomes[1] == errc::unavailable));
  BOOST_TEST((outcomes[4] == errc::not_found));
  for (std::size_t category : {2u, 3u, 5u, 6u})
    BOOST_TEST((outcomes[category] == errc::not_found), "category " << category << ": " << thread.causes());
}

PETSTORE_POSTGRES_CASE(statement_that_the_server_has_prepared_already_is_used) {
  auto const uri = postgres_server::shared().create_database();
  auto options = options_for(uri);
  options.connections_per_thread = 1;
  auto store = open_store(options);
  postgres_server::run(uri,
                       "CREATE FUNCTION prepare() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'PREPARE "
                       "read_category(bigint) AS SELECT revision, json FROM categories WHERE id = $1'; RETURN NULL; "
                       "END $$");
  postgres_server::run(uri, "CREATE TRIGGER early AFTER INSERT ON pets FOR EACH ROW EXECUTE FUNCTION prepare()");
  store.add_pet(std::nullopt);
  std::string json;
  for (int i = 0; i < 2; ++i) PETSTORE_REFUSED(store.read_category(1, json), not_found);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
