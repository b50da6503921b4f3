// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The server says nothing, or one connection waits for long: nobody else waits for that, and nothing is given up early.
#include <boost/test/unit_test.hpp>
#include <future>
#include <memory>

#include "storage/postgres/cutting_proxy.hpp"
#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(silences)

namespace {

using cut = cutting_proxy::cut;

constexpr std::chrono::milliseconds short_limit{250};
new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};

storage::postgres_options impatient_options(std::string uri) {
  auto options = options_for(std::move(uri));
  options.silence_limit = short_limit;
  options.statement_timeout = 2 * time_limit;
  return options;
}

/// Asks until the request is the one that the proxy was armed for, and returns what becomes of that. A server that has
/// no processor for a while may be silent before, and what is asked then is not sent.
auto once_cut(cutting_proxy const& proxy, auto const& ask) {
  for (;;) {
    auto result = ask();
    if (proxy.has_cut()) return result;
  }
}

auto read_category(test_store& of) {
  std::string json;
  return of.read_category(1, json);
}

}  // namespace

PETSTORE_POSTGRES_CASE(new_requests_are_unavailable_at_once_while_the_server_says_nothing) {
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  reports told;
  auto options = impatient_options(proxy.uri(server.create_database()));
  options.report = told.function();
  options.connections_per_thread = 1;
  auto store = open_store(options);
  store.add_pet(pet_status::available);
  auto const figures = [&] { return *store.asynchronous().connections(); };
  BOOST_TEST(eventually([&] { return figures().open == 1; }));

  std::string json;
  for (int i = 1; i <= 2; ++i) {  // the second time the connection has been silent before
    proxy.arm(cut::standstill, "read_category");
    auto under_way =
        std::async(std::launch::async, [&] { return once_cut(proxy, [&] { return fault_of(read_category(store)); }); });
    BOOST_TEST(eventually([&] { return proxy.has_cut(); }));
    BOOST_TEST(eventually([&] { return figures().open == 0; }));
    BOOST_TEST(eventually([&] { return told.count("store_lost") >= i; }));
    PETSTORE_REFUSED(store.ready(), unavailable);
    auto const read = store.read_pet(1, json);
    PETSTORE_REFUSED(read, unavailable);
    BOOST_TEST(read.error().cause == "PostgreSQL has not answered for 250 ms");
    PETSTORE_REFUSED(store.create_pet(rex), unavailable);

    proxy.go_on();
    BOOST_TEST((under_way.get() == errc::not_found));  // it was not given up
    BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
    BOOST_TEST(eventually([&] { return !fault_of(store.read_pet(1, json)); }));
    BOOST_TEST(eventually([&] { return figures().open == 1; }));
    BOOST_TEST(eventually([&] { return told.count("store_recovered") >= i; }));
  }
  BOOST_TEST(figures().made == 1u);  // it is the connection there was
  BOOST_TEST(figures().lost == 0u);
}

PETSTORE_POSTGRES_CASE(who_asks_whether_the_server_answers_waits_no_longer_than_for_silence) {
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  auto store = open_store(impatient_options(proxy.uri(server.create_database())));
  proxy.arm(cut::standstill, "keys_version");
  auto const ready = once_cut(proxy, [&] { return store.ready(); });
  PETSTORE_REFUSED(ready, unavailable);
  BOOST_TEST(ready.error().cause == "PostgreSQL has not answered for 250 ms");
  proxy.go_on();
  BOOST_TEST(eventually([&] { return !fault_of(store.ready()); }));
  BOOST_TEST(store.asynchronous().connections()->lost == 0u);
}

PETSTORE_POSTGRES_CASE(silence_is_noticed_without_a_request) {
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  reports told;
  auto options = impatient_options(proxy.uri(server.create_database()));
  options.report = told.function();
  proxy.arm(cut::standstill, "heartbeat");
  auto const store = open_store(options);
  BOOST_TEST(eventually([&] { return told.count("store_lost") >= 1; }));
  proxy.go_on();
  BOOST_TEST(eventually([&] { return told.count("store_recovered") >= 1; }));
}

/// Has the answer to a reading of the keys arrive in small pieces, with a time-out for each piece that is this part of
/// the whole time. A machine that is slow may miss the time-out of a piece, or of a request before, so `is_met` may ask
/// for another attempt.
bool slow_answer(int part, auto const& is_met) {
  cutting_proxy proxy(postgres_server::shared().port());
  auto options = options_for(proxy.uri(postgres_server::shared().create_database()));
  options.connections_per_thread = 1;
  options.statement_timeout = cutting_proxy::trickled_bytes * cutting_proxy::trickle_pause / part;
  auto store = open_store(options);
  create_key key;
  key.prefix = "ps_live_";
  key.plan = "free";
  return eventually([&] { return fault_of(store.change_keys(key)) != errc::unavailable; }) && eventually([&] {
           if (fault_of(store.ready())) return false;  // what a new connection says first is answered
           proxy.arm(cut::trickle, "read_keys");
           auto const keys = store.read_keys();
           return proxy.has_cut() && is_met(keys);
         });
}

/// As of a standby that does not confirm: each write would time out, and leave a session at the server.
PETSTORE_POSTGRES_CASE(after_a_commit_that_does_not_end_writes_wait_for_its_outcome_and_reads_go_on) {
  auto const uri = postgres_server::shared().create_database();
  auto options = options_for(uri);
  options.statement_timeout = std::chrono::milliseconds{500};
  options.outcome_timeout = std::chrono::milliseconds{100};
  auto store = open_store(options);
  auto const animal = store.add_pet(std::nullopt).id;
  postgres_server::run(uri, "CREATE TABLE gate ()");
  postgres_server::run(
      uri,
      "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "WHILE (SELECT count(*) FROM gate) = 0 LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NULL; END $$");
  postgres_server::run(uri,
                       "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON pets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
                       "EXECUTE FUNCTION wait()");
  std::string json;
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(fault_of(store.create_pet(rex)).has_value());
    BOOST_TEST(!fault_of(store.read_pet(animal, json)));
  }
  auto const hanging =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' "
      "AND query ILIKE '%pets%' AND pid <> pg_backend_pid()";
  BOOST_TEST(postgres_server::run(uri, hanging) == "1");
  postgres_server::run(uri, "INSERT INTO gate DEFAULT VALUES");
  BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
}

PETSTORE_POSTGRES_CASE(answer_may_take_longer_than_the_time_out_while_it_arrives) {
  BOOST_TEST(slow_answer(3, [](auto const& keys) { return keys && keys->keys.size() == 1; }));
}

PETSTORE_POSTGRES_CASE(answer_that_arrives_too_slowly_is_given_up) {
  BOOST_TEST(slow_answer(15, [](auto const& keys) {  // 250 ms, and so 3 s for the whole
    return !keys && keys.error().cause == "PostgreSQL did not send its whole answer within 3000 ms";
  }));
}

PETSTORE_POSTGRES_CASE(server_that_goes_on_after_connections_were_given_up_is_used_again) {
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  auto options = impatient_options(proxy.uri(server.create_database()));
  options.statement_timeout = 2 * short_limit;
  auto store = open_store(options);
  auto const figures = [&] { return *store.asynchronous().connections(); };
  BOOST_TEST(eventually([&] { return figures().open == 2; }));
  proxy.arm(cut::standstill, "read_category");
  auto const read = once_cut(proxy, [&] { return read_category(store); });
  PETSTORE_REFUSED(read, unavailable);
  BOOST_TEST(eventually([&] { return figures().lost >= 1 && figures().open == 0; }));
  proxy.go_on();
  BOOST_TEST(eventually([&] { return figures().open == 2; }));
  BOOST_TEST(eventually([&] { return fault_of(read_category(store)) == errc::not_found; }));
}

PETSTORE_POSTGRES_CASE(reads_go_on_while_a_write_waits_for_a_lock_and_further_writes_do_not_wait_behind_it) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(impatient_options(uri));
  store.add_pet(std::nullopt);
  auto const figures = [&] { return *store.asynchronous().connections(); };
  BOOST_TEST(eventually([&] { return figures().open == 2; }));

  auto lock = std::make_unique<open_transaction>(uri, "LOCK TABLE pets IN EXCLUSIVE MODE");
  auto waiting = std::async(std::launch::async, [&] { return fault_of(store.create_pet(rex)); });
  // The one for reading answers, so it is the other one that waits.
  std::string json;
  BOOST_TEST(
      eventually([&] { return figures().open == 1 && !fault_of(store.read_pet(1, json)) && figures().open == 1; }));
  PETSTORE_REFUSED(store.create_pet(rex), unavailable);
  BOOST_TEST(eventually([&] { return !fault_of(store.ready()); }));

  lock.reset();
  BOOST_TEST((waiting.get() == std::nullopt));
  BOOST_TEST(eventually([&] { return !fault_of(store.create_pet(rex)); }));
  BOOST_TEST(store.walk(pet_list{}).size() == 3u);
  BOOST_TEST(figures().lost == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
