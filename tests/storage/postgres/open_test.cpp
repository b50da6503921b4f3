// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <optional>
#include <thread>

#include "migrations.hpp"
#include "storage/postgres/fixture.hpp"
#include "support/free_key.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(opening)

namespace {

/// Why it cannot be opened; empty when it can.
std::string refusal(storage::postgres_options options) {
  try {
    (void)storage::open_postgres_store(std::move(options));
    return {};
  } catch (storage::open_error const& e) {
    return e.what();
  }
}

bool names(std::string const& sentence, std::string_view what) {
  return sentence.find(what) != sentence.npos;
}

/// Its kernel accepts connections, and nothing answers on them.
class mute_host {
 public:
  std::string text() const { return "127.0.0.1:" + std::to_string(listener_.local_endpoint().port()); }

 private:
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor listener_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
};

/// The options with another host before that of the URI, and the time for both.
storage::postgres_options behind(mute_host const& first, std::string uri, std::chrono::milliseconds connect_timeout) {
  uri.insert(uri.find('@') + 1, first.text() + ",");
  auto options = options_for(std::move(uri));
  options.connect_timeout = connect_timeout;
  return options;
}

}  // namespace

PETSTORE_POSTGRES_CASE(nodes_that_start_at_once_migrate_once) {
  auto const uri = postgres_server::shared().create_database();
  {
    std::vector<std::jthread> nodes;
    for (int i = 0; i < 6; ++i)
      nodes.emplace_back([&] {
        auto store = open_store(options_for(uri));
        store.create_pet({.name = "Rex", .category_id = 1, .status = {}}).value();
      });
  }
  auto const versions = storage::migrate_postgres(uri);
  BOOST_TEST(versions.before == versions.now);
  BOOST_TEST(postgres_server::run(uri, "SELECT version FROM schema_version") == std::to_string(versions.now));
  BOOST_TEST(postgres_server::run(uri, "SELECT count(*) FROM pets") == "6");
}

PETSTORE_POSTGRES_CASE(migration_tells_what_it_did) {
  auto const uri = postgres_server::shared().create_database();
  auto const first = storage::migrate_postgres(uri);
  BOOST_TEST(first.before == 0);
  BOOST_TEST(first.now >= 1);
  BOOST_TEST(storage::migrate_postgres(uri).before == first.now);
}

PETSTORE_POSTGRES_CASE(nodes_of_schema_1_keep_the_resets_of_quotas) {
  auto const uri = postgres_server::shared().create_database();
  auto store = open_store(options_for(uri));
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  auto const reset = store.change_keys(reset_quota{.number = 1})->identity.quota_resets;
  BOOST_TEST(postgres_server::run(uri, "SELECT count(*) FROM identities WHERE json LIKE '%quotaResets%'") == "0");
  // As they write an identity.
  postgres_server::run(
      uri,
      "INSERT INTO identities (number, json) SELECT number, replace(json, 'free', 'pro') FROM identities"
      " ON CONFLICT (number) DO UPDATE SET json = excluded.json");
  auto const identity = store.read_keys()->identities.at(0);
  BOOST_TEST(identity.plan == "pro");
  BOOST_TEST(identity.quota_resets == reset);
  BOOST_TEST(store.change_keys(reset_quota{.number = 1})->identity.quota_resets > reset);
}

PETSTORE_POSTGRES_CASE(return_to_schema_1_and_back_keeps_resets_and_usage) {
  auto const uri = postgres_server::shared().create_database();
  std::uint64_t reset = 0;
  {
    auto store = open_store(options_for(uri));
    BOOST_REQUIRE(store.change_keys(free_key(1)));
    reset = store.change_keys(reset_quota{.number = 1})->identity.quota_resets;
    ports::usage_of_key const use{.key = 1, .day = {}, .admitted = 1, .refused = 0, .last_used = {}};
    BOOST_REQUIRE(store.add_usage({.token = {}, .rows = {use}}));
  }
  postgres_server::run(uri, "UPDATE schema_version SET version = 1");
  auto store = open_store(options_for(uri));
  BOOST_TEST(store.read_keys()->identities.at(0).quota_resets == reset);
  BOOST_TEST(store.read_usage(1, {}, {})->front().admitted == 1u);
  BOOST_TEST(postgres_server::run(uri, "SELECT version FROM schema_version") != "1");
}

PETSTORE_POSTGRES_CASE(migration_that_meets_a_lock_gives_way_and_tries_again) {
  using std::chrono::steady_clock;
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri, "UPDATE schema_version SET version = 1");
  std::optional<open_transaction> reader(std::in_place, uri, "LOCK TABLE identities IN ACCESS SHARE MODE");
  storage::postgres::blocking_resolver resolver;
  storage::postgres::session s(storage::postgres::address(uri), resolver, time_limit);
  BOOST_CHECK_EXCEPTION(storage::postgres::migrate(s, steady_clock::now()), storage::postgres::session_fault,
                        [](auto const& f) { return f.fault.state == "55P03"; });
  auto const end_reading = [&] {
    eventually([&] { return postgres_server::run(uri, "SELECT count(*) FROM pg_locks WHERE NOT granted") != "0"; });
    reader.reset();
  };
  std::jthread const reading(end_reading);
  BOOST_TEST(storage::postgres::migrate(s, steady_clock::now() + time_limit) == 1);
}

PETSTORE_POSTGRES_CASE(migration_waits_for_the_step_of_another_node_beyond_its_deadline) {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri, "UPDATE schema_version SET version = 1");
  std::optional<open_transaction> other(std::in_place, uri, "UPDATE schema_version SET version = version");
  storage::postgres::blocking_resolver resolver;
  storage::postgres::session s(storage::postgres::address(uri), resolver, time_limit);
  auto migrating =
      std::async(std::launch::async, [&] { return storage::postgres::migrate(s, std::chrono::steady_clock::now()); });
  // Longer than the wait for a table.
  auto const waits_long = [&] {
    return postgres_server::run(uri,
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                " AND datname = current_database() AND now() - query_start > interval '1 s'") == "1";
  };
  auto const has_ended = [&] { return migrating.wait_for(std::chrono::seconds{0}) == std::future_status::ready; };
  BOOST_TEST(eventually([&] { return waits_long() || has_ended(); }));
  BOOST_TEST(!has_ended());
  other.reset();
  BOOST_TEST(migrating.get() == 1);
  BOOST_TEST(storage::postgres::schema_version(s) == storage::postgres::newest_schema());
}

PETSTORE_POSTGRES_CASE(connection_that_ends_before_the_commit_leaves_no_doubt) {
  storage::postgres::blocking_resolver resolver;
  storage::postgres::session s(storage::postgres::address(postgres_server::shared().create_database()), resolver,
                               time_limit);
  BOOST_CHECK_EXCEPTION(
      storage::postgres::in_transaction(s, "BEGIN", [&] { s.run("SELECT pg_terminate_backend(pg_backend_pid())"); }),
      storage::postgres::session_fault, [](auto const& f) { return f.fault.state == "08006"; });
}

PETSTORE_POSTGRES_CASE(newer_schema_is_refused) {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri, "UPDATE schema_version SET version = 999");
  BOOST_TEST(names(refusal(options_for(uri)), "version 999"));
  BOOST_CHECK_THROW(storage::migrate_postgres(uri), storage::open_error);
}

PETSTORE_POSTGRES_CASE(tool_neither_makes_a_store_nor_migrates_an_older_one_unasked) {
  auto const uri = postgres_server::shared().create_database();
  auto tool = options_for(uri);
  tool.environment.reset();
  BOOST_TEST(names(refusal(tool), "no store"));
  auto filling = options_for(uri);
  filling.migrate = false;
  BOOST_TEST(refusal(filling).empty());
  postgres_server::run(uri, "UPDATE schema_version SET version = 1");
  for (auto const& each : {tool, filling}) {
    auto unasked = each;
    unasked.migrate = false;
    BOOST_TEST(names(refusal(unasked), "petstore migrate"));
  }
  BOOST_TEST(postgres_server::run(uri, "SELECT version FROM schema_version") == "1");
  BOOST_TEST(refusal(tool).empty());
}

PETSTORE_POSTGRES_CASE(store_belongs_to_one_environment) {
  auto const uri = postgres_server::shared().create_database();
  BOOST_TEST(refusal(options_for(uri)).empty());
  auto other = options_for(uri);
  other.environment = environment::staging;
  BOOST_TEST(names(refusal(other), "for production, not for staging"));
  other.environment.reset();
  other.environment_if_new = environment::staging;
  BOOST_TEST((open_store(other).asynchronous().environment() == environment::production));
}

PETSTORE_POSTGRES_CASE(database_in_another_encoding_is_refused) {
  auto& server = postgres_server::shared();
  postgres_server::run(server.uri("postgres"), "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'");
  BOOST_TEST(names(refusal(options_for(server.uri("latin"))), "LATIN1"));
}

PETSTORE_POSTGRES_CASE(start_may_be_tried_again_while_the_server_takes_no_writes) {
  auto& server = postgres_server::shared();
  postgres_server::run(server.uri("postgres"), "CREATE DATABASE standby");
  postgres_server::run(server.uri("postgres"), "ALTER DATABASE standby SET default_transaction_read_only = on");
  auto const uri = server.uri_by_port("standby") + "?target_session_attrs=any";
  BOOST_CHECK_THROW((void)storage::open_postgres_store(options_for(uri)), ports::unavailable_error);
  BOOST_CHECK_THROW(storage::migrate_postgres(uri), ports::unavailable_error);
}

PETSTORE_POSTGRES_CASE(what_the_server_refuses_is_not_tried_again) {
  auto options = options_for(postgres_server::shared().uri("no_such_database"));
  options.open_timeout = std::chrono::hours{1};
  BOOST_TEST(names(refusal(options), "does not exist"));
  BOOST_CHECK_EXCEPTION((void)storage::open_postgres_store(options), storage::open_error,
                        [](auto const& e) { return dynamic_cast<ports::unavailable_error const*>(&e) == nullptr; });
}

PETSTORE_POSTGRES_CASE(host_that_does_not_answer_is_skipped_for_the_next) {
  auto& server = postgres_server::shared();
  postgres_server::run(server.uri("postgres"), "CREATE DATABASE skipped");
  mute_host const first;
  auto store = open_store(behind(first, server.uri_by_port("skipped"), time_limit / 60));
  std::string json;
  BOOST_TEST((fault_of(store.read_pet(1, json)) == errc::not_found));
}

BOOST_AUTO_TEST_CASE(host_that_does_not_answer_is_named) {
  mute_host const first;
  mute_host const second;
  auto options = behind(first, "postgres://clerk:secret@" + second.text() + "/shop", std::chrono::milliseconds{500});
  options.open_timeout = std::chrono::milliseconds{300};
  BOOST_CHECK_THROW((void)storage::open_postgres_store(options), ports::unavailable_error);
  BOOST_TEST(names(refusal(options), "no answer from " + first.text() + " within"));
}

BOOST_AUTO_TEST_CASE(server_that_is_not_there_is_named_without_its_password) {
  storage::postgres_options options = options_for("postgres://clerk:secret@127.0.0.1:1/shop");
  options.open_timeout = std::chrono::milliseconds{300};
  BOOST_CHECK_THROW((void)storage::open_postgres_store(options), ports::unavailable_error);
  auto const why = refusal(options);
  BOOST_TEST(names(why, "127.0.0.1:1/shop"));
  BOOST_TEST(!names(why, "secret"));
}

BOOST_AUTO_TEST_CASE(malformed_address_is_refused_without_repeating_it) {
  auto const why = refusal(options_for("postgres://clerk:secret@host:port:port/%%"));
  BOOST_TEST(!why.empty());
  BOOST_TEST(!names(why, "secret"));
}

BOOST_AUTO_TEST_CASE(silence_that_would_never_end_is_refused) {
  auto options = options_for("postgres://localhost/shop");
  options.silence_limit = std::chrono::milliseconds{0};
  BOOST_CHECK_THROW((void)storage::open_postgres_store(options), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(description_of_an_address_has_no_password) {
  BOOST_TEST(storage::describe_postgres("postgres://clerk:secret@a,b:5433/shop?sslmode=require") ==
             "postgres://a,b:5433/shop");
}

PETSTORE_POSTGRES_CASE(change_of_keys_is_told_to_other_nodes) {
  auto const uri = postgres_server::shared().create_database();
  auto one = open_store(options_for(uri));
  auto other = open_store(options_for(uri));
  std::atomic<int> calls{0};
  other.asynchronous().watch_keys([&] { ++calls; });
  // A connection listens from when it is told to: before that a change may go unheard, and the poll is for it.
  unsigned char digest = 0;
  auto const change_is_heard = [&] {
    create_key key;
    key.digest.fill(++digest);
    key.prefix = "ps_live_";
    key.plan = "free";
    BOOST_TEST(!fault_of(one.change_keys(key)));
    return calls > 0;
  };
  BOOST_TEST(eventually(change_is_heard));
  other.asynchronous().watch_keys({});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
