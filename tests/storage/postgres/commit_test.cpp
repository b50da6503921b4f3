// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A statement that has told its outcome, and a commit that fails then: of a deferred constraint, or because the server
// cannot put transactions in an order. What counts is the commit.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(commits)

namespace {

namespace asio = boost::asio;
new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};

/// A database whose first commits of new animals fail with a state of SQL.
class objecting_database {
 public:
  void object(int times, std::string const& state) const {
    run("CREATE SEQUENCE objections");
    run("CREATE FUNCTION object() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('objections') <= " +
        std::to_string(times) + " THEN RAISE EXCEPTION 'not at this time' USING ERRCODE = '" + state +
        "'; END IF; RETURN NULL; END $$");
    run("CREATE CONSTRAINT TRIGGER late AFTER INSERT ON pets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
        "EXECUTE FUNCTION object()");
  }
  std::string run(std::string const& sql) const { return postgres_server::run(uri, sql); }

  std::string const uri = postgres_server::shared().create_database();
};

}  // namespace

PETSTORE_POSTGRES_CASE(commit_that_cannot_be_serialized_is_tried_again) {
  objecting_database const database;
  auto store = open_store(options_for(database.uri));
  database.object(3, "40001");
  auto const created = store.create_pet(rex);
  BOOST_TEST_REQUIRE(created.has_value(), (created ? "" : created.error().cause));
  BOOST_TEST(database.run("SELECT last_value FROM objections") == "4");
  BOOST_TEST(store.walk(pet_list{}) == std::vector{created->id}, boost::test_tools::per_element());
  BOOST_TEST(store.asynchronous().connections()->lost == 0u);
}

PETSTORE_POSTGRES_CASE(commit_that_breaks_a_deferred_constraint_is_no_success) {
  objecting_database const database;
  auto store = open_store(options_for(database.uri));
  database.object(1, "23514");
  ports::idempotency const request{.identity = 1, .key = "once", .body_digest = {}};
  auto const failed = store.create_pet(rex, request);
  PETSTORE_REFUSED(failed, internal);
  BOOST_TEST(failed.error().cause.find("not at this time (23514)") != std::string::npos);
  BOOST_TEST(store.walk(pet_list{}).empty());

  // Nothing is left of it, neither an answer that is kept nor a connection that is out of step.
  auto const created = store.create_pet(rex, request);
  BOOST_TEST_REQUIRE(created.has_value());
  BOOST_TEST(!created->replayed);
  BOOST_TEST(store.walk(pet_list{}).size() == 1u);
  BOOST_TEST(store.asynchronous().connections()->lost == 0u);
  BOOST_TEST(store.asynchronous().connections()->refused == 1u);
}

PETSTORE_POSTGRES_CASE(commit_that_fails_takes_no_other_request_of_the_connection_along) {
  objecting_database const database;
  asio::io_context context{1};
  auto options = options_for(database.uri);
  options.executors = {context.get_executor()};
  options.connections_per_thread = 1;
  auto store = storage::open_postgres_store(options);
  database.object(1, "23514");

  constexpr int reads_before = 5;
  constexpr int requests = 12;
  int done = 0;
  int failed = 0;
  std::vector<std::string> pages(requests);
  auto const read = [&](int number) -> asio::awaitable<void> {
    auto asking = store->list(pet_list{}, pages[static_cast<std::size_t>(number)]).wait();
    auto const end = co_await std::move(asking);
    BOOST_TEST(end.has_value());
    ++done;
  };
  auto const write = [&]() -> asio::awaitable<void> {
    auto creating = store->create_pet(rex, false, {}, noon);
    auto const created = co_await std::move(creating);
    if (!created) ++failed;
    ++done;
  };
  auto const nothing = [](std::exception_ptr thrown) { BOOST_TEST(!thrown); };
  for (int i = 0; i < requests; ++i)
    i == reads_before || i == reads_before + 1 ? asio::co_spawn(context, write(), nothing)
                                               : asio::co_spawn(context, read(i), nothing);
  while (done < requests) context.run_one();
  BOOST_TEST(failed == 1);
  store->leave_executors();
  context.run();
  BOOST_TEST(store->connections()->lost == 0u);
  test_store after(std::move(store));
  BOOST_TEST(after.walk(pet_list{}).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
