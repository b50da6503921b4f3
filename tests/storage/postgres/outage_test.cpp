// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The server is gone, silent or full: nobody waits for it, and what was answered is there when it is back.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <optional>

#include "storage/postgres/cutting_proxy.hpp"
#include "storage/postgres/fixture.hpp"
#include "support/free_key.hpp"
#include "support/sanitizers.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(outages)

namespace {

namespace asio = boost::asio;
new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};

}  // namespace

PETSTORE_POSTGRES_CASE(everything_is_unavailable_while_the_server_is_gone_and_comes_back_with_it) {
  postgres_server server;
  reports told;
  auto options = options_for(server.create_database());
  options.report = told.function();
  auto store = open_store(options);
  for (int i = 0; i < 20; ++i) store.add_pet(pet_status::available);

  server.kill();
  std::string json;
  BOOST_TEST(eventually([&] { return fault_of(store.ready()) == errc::unavailable; }));
  PETSTORE_REFUSED(store.read_pet(1, json), unavailable);
  PETSTORE_REFUSED(store.list(pet_list{}, json), unavailable);
  PETSTORE_REFUSED(store.create_pet(rex), unavailable);
  PETSTORE_REFUSED(store.keys_version(), unavailable);
  BOOST_TEST(json.empty());
  // Told when the last of the connections is seen to be gone, which may be after the first requests that failed.
  BOOST_TEST(eventually([&] { return told.count("store_lost") == 1; }));

  server.start();
  BOOST_TEST(eventually([&] { return !fault_of(store.ready()); }));
  BOOST_TEST(store.walk(pet_list{}).size() == 20u);
  BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
  BOOST_TEST(eventually([&] { return told.count("store_recovered") == 1; }));
  BOOST_TEST(told.count("store_lost") == 1);
}

/// A failover to a server that has not had the last changes yet, or a restore.
PETSTORE_POSTGRES_CASE(the_version_of_the_keys_does_not_come_again_after_changes_were_lost) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  auto const before = store.keys_version().value();
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  auto const lost = store.keys_version().value();
  postgres_server::run(uri, "UPDATE shop SET keys_version = " + std::to_string(before));
  BOOST_REQUIRE(store.change_keys(free_key(2)));
  BOOST_TEST(store.keys_version().value() > lost);
}

PETSTORE_POSTGRES_CASE(connections_and_what_became_of_requests_are_counted) {
  postgres_server server;
  auto store = open_store(options_for(server.create_database()));
  auto const figures = [&] { return *store.asynchronous().connections(); };
  BOOST_TEST(eventually([&] { return figures().open == 2; }));
  BOOST_TEST(figures().wanted == 2u);
  BOOST_TEST(figures().made == 2u);
  auto const before = figures().answered;
  store.add_pet(pet_status::available);
  BOOST_TEST(figures().answered > before);
  BOOST_TEST(eventually([&] { return figures().in_flight == 0; }));

  server.kill();
  BOOST_TEST(eventually([&] { return figures().open == 0 && figures().failed > 0; }));
  BOOST_TEST(figures().lost == 2u);
  PETSTORE_REFUSED(store.create_pet(rex), unavailable);
  BOOST_TEST(figures().in_flight == 0u);

  server.start();
  BOOST_TEST(eventually([&] { return figures().open == 2; }));
  BOOST_TEST(figures().made == 4u);
}

PETSTORE_POSTGRES_CASE(silent_connection_is_given_up) {
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  auto options = options_for(proxy.uri(server.create_database()));
  options.statement_timeout = std::chrono::milliseconds{500};
  auto store = open_store(options);
  proxy.arm(cutting_proxy::cut::silence, "read_category");
  std::string json;
  auto const read = store.read_category(1, json);
  PETSTORE_REFUSED(read, unavailable);
  BOOST_TEST(read.error().cause.find("500 ms") != std::string::npos);
  BOOST_TEST(store.asynchronous().connections()->unanswered >= 1u);
  BOOST_TEST(eventually([&] { return fault_of(store.read_category(1, json)) == errc::not_found; }));
}

PETSTORE_POSTGRES_CASE(export_whose_connection_is_lost_is_unavailable) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  store.add_pet(pet_status::available);
  struct cutting final : ports::export_sink {
    explicit cutting(std::string const& database) : uri(database) {}
    void begin(ports::export_summary const&) override {
      std::string const others =
          " FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
      postgres_server::run(uri, "SELECT pg_terminate_backend(pid)" + others);
      BOOST_TEST(eventually([&] { return postgres_server::run(uri, "SELECT count(*)" + others) == "0"; }));
    }
    bool take(record_kind, std::string_view) override { return true; }
    std::string const uri;
  };
  cutting sink(uri);
  PETSTORE_REFUSED(store.export_to(sink), unavailable);
}

PETSTORE_POSTGRES_CASE(more_requests_than_are_allowed_on_the_way_are_unavailable_at_once) {
  auto& server = postgres_server::shared();
  asio::io_context context{1};
  auto options = options_for(server.create_database());
  options.executors = {context.get_executor()};
  options.connections_per_thread = 1;
  options.in_flight_max = 10;
  auto store = storage::open_postgres_store(options);

  // Until the connection of this thread is there, the store's own thread asks, and how many it has answered before the
  // last of them is a matter of luck. Then the connection has something to say itself, which counts until it is told.
  auto const is_idle = [&] {
    auto const figures = *store->connections();
    return figures.open == figures.wanted && figures.in_flight == 0;
  };
  BOOST_TEST_REQUIRE(eventually([&] {
    context.poll();
    return is_idle();
  }));

  int found = 0;
  int refused = 0;
  std::vector<std::string> pages(40);
  auto const look = [&](std::string& page) -> asio::awaitable<void> {
    auto asking = store->list(pet_list{}, page).wait();
    auto const end = co_await std::move(asking);
    ++(end ? found : refused);
    if (!end) BOOST_TEST((end.error().code == errc::unavailable));
  };
  auto const nothing = [](std::exception_ptr thrown) { BOOST_TEST(!thrown); };
  for (auto& page : pages) asio::co_spawn(context, look(page), nothing);
  while (found + refused < 40) context.run_one();
  BOOST_TEST(found == 10);
  BOOST_TEST(refused == 30);
  BOOST_TEST(store->connections()->turned_away == 30u);
  store->leave_executors();
  context.run();  // ends, since nothing of the store keeps it
}

PETSTORE_POSTGRES_CASE(requests_of_a_serving_thread_travel_together_and_are_answered_there) {
  auto& server = postgres_server::shared();
  asio::io_context context{1};
  auto options = options_for(server.create_database());
  options.executors = {context.get_executor()};
  auto store = storage::open_postgres_store(options);

  constexpr int tasks = 50;
  int done = 0;
  auto const here = std::this_thread::get_id();
  auto const use = [&](int number) -> asio::awaitable<void> {
    for (int i = 0; i < 5; ++i) {
      auto creating = store->create_pet({.name = "Rex", .category_id = number, .status = {}}, false, {}, noon);
      auto const created = co_await std::move(creating);
      BOOST_TEST_REQUIRE(created.has_value());
      std::string json;
      auto reading = store->read(record_kind::pet, created->id, json).wait();
      auto const tag = co_await std::move(reading);
      BOOST_TEST((tag && *tag == created->tag));
      BOOST_TEST(json == created->json);
    }
    BOOST_TEST((std::this_thread::get_id() == here));
    ++done;
  };
  auto const nothing = [](std::exception_ptr thrown) { BOOST_TEST(!thrown); };
  for (int i = 0; i < tasks; ++i) asio::co_spawn(context, use(i), nothing);
  while (done < tasks) context.run_one();
  store->leave_executors();
  context.run();
  test_store after(std::move(store));
  BOOST_TEST(after.walk(pet_list{}).size() == tasks * 5u);
}

#if !PETSTORE_TESTS_HAVE_TSAN  // it does not know the fence after which Asio frees the executor of a strand
PETSTORE_POSTGRES_CASE(a_strand_does_not_use_the_connections_of_another_strand_over_the_same_pool) {
  auto& server = postgres_server::shared();
  asio::thread_pool pool{2};
  auto const serving = asio::make_strand(pool), other = asio::make_strand(pool);
  auto options = options_for(server.create_database());
  options.executors = {serving};
  auto store = storage::open_postgres_store(options);
  BOOST_TEST_REQUIRE(eventually([&] {
    auto const figures = *store->connections();
    return figures.open == figures.wanted;
  }));

  std::promise<void> go_on;
  asio::post(serving, [&] { go_on.get_future().wait(); });
  std::string json;
  auto const read = [&]() -> asio::awaitable<void> {
    auto reading = store->list(pet_list{}, json).wait();
    auto const end = co_await std::move(reading);
    BOOST_TEST(end.has_value());
  };
  auto const answered = asio::co_spawn(other, read(), asio::use_future);
  BOOST_TEST((answered.wait_for(time_limit) == std::future_status::ready));
  go_on.set_value();
  store->leave_executors();
  pool.join();
}
#endif

PETSTORE_POSTGRES_CASE(changes_of_one_animal_that_meet_all_get_through) {
  auto& server = postgres_server::shared();
  asio::io_context context{1};
  auto options = options_for(server.create_database());
  options.executors = {context.get_executor()};
  auto store = storage::open_postgres_store(options);
  constexpr int tasks = 30;
  int done = 0;
  std::int64_t animal = 0;
  auto const create = [&]() -> asio::awaitable<void> {
    auto creating = store->create_pet({.name = "Rex", .category_id = 0, .status = {}}, false, {}, noon);
    auto const created = co_await std::move(creating);
    animal = created->id;
  };
  auto const rename = [&](int number) -> asio::awaitable<void> {
    pet_patch patch{.name = "Rex " + std::to_string(number), .category_id = {}, .status = {}};
    auto updating = store->update_pet(animal, std::move(patch), false, {});
    auto const updated = co_await std::move(updating);
    BOOST_TEST(updated.has_value());
    ++done;
  };
  auto const nothing = [](std::exception_ptr thrown) { BOOST_TEST(!thrown); };
  asio::co_spawn(context, create(), nothing);
  while (animal == 0) context.run_one();
  for (int i = 0; i < tasks; ++i) asio::co_spawn(context, rename(i), nothing);
  while (done < tasks) context.run_one();
  store->leave_executors();
  context.run();
  test_store after(std::move(store));
  std::string json;
  BOOST_TEST(after.read_pet(animal, json)->revision == 1u + tasks);
}

/// By the connections that only read as well: another server may be in charge, and what this one knows gets old.
PETSTORE_POSTGRES_CASE(server_that_takes_no_writes_any_more_is_left) {
  postgres_server server;
  asio::thread_pool pool(1);
  auto const uri = server.create_database();
  auto options = options_for(uri);
  options.connections_per_thread = 2;
  options.executors = {asio::make_strand(pool.get_executor())};
  auto store = open_store(options);
  auto const open = [&] { return store.asynchronous().connections()->open; };
  BOOST_TEST(eventually([&] { return open() == 4u; }));
  auto const make_read_only = [&](std::string const& on) {
    auto const maintenance = server.uri("postgres") + "&options=-cdefault_transaction_read_only%3Doff";
    postgres_server::run(maintenance, "ALTER SYSTEM SET default_transaction_read_only = " + on);
    postgres_server::run(maintenance, "SELECT pg_reload_conf()");
  };
  make_read_only("on");
  BOOST_TEST(eventually([&] { return fault_of(store.create_pet(rex)) == errc::unavailable; }));
  BOOST_TEST(eventually([&] { return open() == 0u; }));  // each looks for another
  PETSTORE_REFUSED(store.ready(), unavailable);
  make_read_only("off");
  BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
  BOOST_TEST(eventually([&] { return open() == 4u; }));
  store.asynchronous().leave_executors();
  pool.join();
}

PETSTORE_POSTGRES_CASE(import_that_waits_for_a_table_lets_others_write) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  std::optional<open_transaction> vacuum(std::in_place, uri, "LOCK TABLE orders IN SHARE UPDATE EXCLUSIVE MODE");
  auto importing =
      std::async(std::launch::async, [&] { return store.import({ports::last_ids{.pet = 10}}).has_value(); });
  auto const waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass";
  BOOST_TEST(eventually([&] { return postgres_server::run(uri, waiting) == "1"; }));
  BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
  vacuum.reset();
  BOOST_TEST(importing.get());
}

PETSTORE_POSTGRES_CASE(sequence_that_was_restarted_by_hand_is_neither_lowered_nor_named_too_low) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  postgres_server::run(uri, "ALTER SEQUENCE pet_ids RESTART WITH 5000");
  BOOST_REQUIRE(store.import({ports::last_ids{.pet = 10}}));
  BOOST_TEST(store.add_pet(std::nullopt).id == 5000);
}

PETSTORE_POSTGRES_CASE(server_that_acknowledges_before_it_writes_is_warned_about) {
  auto& server = postgres_server::shared();  // it runs without fsync
  reports told;
  auto options = options_for(server.create_database());
  options.report = told.function();
  auto const store = open_store(options);
  BOOST_TEST(told.count("store_not_durable") == 1);
  BOOST_TEST(told.details().find("fsync = off") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
