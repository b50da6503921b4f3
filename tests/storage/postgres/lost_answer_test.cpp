// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Connections that die around a commit: the client gets the true outcome, and nothing happens twice.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include "storage/postgres/cutting_proxy.hpp"
#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(lost_answers)

namespace {

using cut = cutting_proxy::cut;

/// A store behind a proxy, and the way around it.
struct store_behind_proxy {
  explicit store_behind_proxy(std::chrono::milliseconds outcome_timeout = time_limit)
      : proxy(server.port()), store(open_store(options(outcome_timeout))) {
    BOOST_REQUIRE(store.ready());  // what a new connection says first is said
  }

  storage::postgres_options options(std::chrono::milliseconds outcome_timeout) {
    auto o = options_for(proxy.uri(direct));
    o.outcome_timeout = outcome_timeout;
    o.connections_per_thread = 1;  // the one that is cut
    return o;
  }
  std::string ask(std::string const& sql) const { return postgres_server::run(direct, sql); }

  postgres_server& server = postgres_server::shared();
  std::string const direct = server.create_database();
  cutting_proxy proxy;
  tests::test_store store;
};

ports::idempotency repeat(std::string key) {
  ports::idempotency i{.identity = 1, .key = std::move(key), .body_digest = {}};
  i.body_digest.fill(1);
  return i;
}

new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};

}  // namespace

PETSTORE_POSTGRES_CASE(creation_whose_answer_is_lost_is_answered_as_it_went) {
  store_behind_proxy s;
  s.store.add_pet(std::nullopt);  // so that the statement is prepared
  s.proxy.arm(cut::after_server, "create_pet");
  auto const created = s.store.create_pet(rex);
  BOOST_TEST(s.proxy.has_cut());
  BOOST_REQUIRE(created);
  BOOST_TEST(created->id == 2);
  std::string json;
  BOOST_TEST(s.store.read_pet(2, json).value() == created->tag);
  BOOST_TEST(json == created->json);
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "2");
}

PETSTORE_POSTGRES_CASE(every_kind_of_write_survives_the_loss_of_its_answer) {
  store_behind_proxy s;
  auto const pet = s.store.add_pet(pet_status::available);
  auto const lose = [&](std::string mark) { s.proxy.arm(cut::after_server, std::move(mark)); };

  lose("update_pet");
  BOOST_TEST(s.store.update_pet(pet.id, {.name = "Max", .category_id = {}, .status = {}})->tag.revision == 2u);
  BOOST_TEST(s.proxy.has_cut());
  lose("create_category");
  BOOST_TEST(s.store.create_category("dogs")->id == 1);
  BOOST_TEST(s.proxy.has_cut());
  lose("create_order");
  BOOST_TEST(s.store.create_order(pet.id)->id == 1);
  BOOST_TEST(s.proxy.has_cut());
  lose("update_order");
  BOOST_TEST(s.store.update_order(1, order_status::approved)->tag.revision == 2u);
  BOOST_TEST(s.proxy.has_cut());
  lose("update_order_and_pet");
  BOOST_TEST(s.store.update_order(1, order_status::cancelled)->tag.revision == 3u);
  BOOST_TEST(s.proxy.has_cut());
  lose("delete_pet");
  BOOST_TEST(!fault_of(s.store.delete_pet(pet.id)));
  BOOST_TEST(s.proxy.has_cut());
  lose("change_keys");
  create_key key;
  key.digest.fill(7);
  key.prefix = "ps_live_";
  key.plan = "free";
  BOOST_TEST(s.store.change_keys(key)->added->number == 1u);
  BOOST_TEST(s.proxy.has_cut());
  BOOST_TEST(s.store.read_keys()->keys.size() == 1u);
  BOOST_TEST(s.store.read_audit_log(0, 10)->size() == 1u);
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "0");
}

PETSTORE_POSTGRES_CASE(usage_whose_answer_is_lost_counts_once_when_it_is_added_again) {
  store_behind_proxy s;
  ports::usage_of_key const used{.key = 1, .day = {}, .admitted = 10, .refused = 0, .last_used = noon};
  ports::usage_batch const batch{.token = {7}, .rows = {used}};
  for (auto const when : {cut::before_server, cut::after_server}) {
    s.proxy.arm(when, "add_usage");
    PETSTORE_REFUSED(s.store.add_usage(batch), unavailable);
    BOOST_TEST(s.proxy.has_cut());
    BOOST_TEST(s.ask("SELECT count(*) FROM key_usage") == (when == cut::before_server ? "0" : "1"));
    BOOST_TEST_REQUIRE(eventually([&] { return !fault_of(s.store.ready()); }));
  }
  BOOST_REQUIRE(s.store.add_usage(batch));
  BOOST_TEST(s.store.read_usage(1, {}, {})->front().admitted == 10u);
}

PETSTORE_POSTGRES_CASE(creation_that_can_be_repeated_is_no_replay_when_its_answer_is_lost) {
  store_behind_proxy s;
  s.proxy.arm(cut::after_server, "create_pet_once");
  auto const first = s.store.create_pet(rex, repeat("a"));
  BOOST_TEST(s.proxy.has_cut());
  BOOST_REQUIRE(first);
  BOOST_TEST(!first->replayed);
  auto const again = s.store.create_pet(rex, repeat("a"));
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->json == first->json);
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "1");
}

PETSTORE_POSTGRES_CASE(write_that_never_reached_the_server_is_unavailable) {
  store_behind_proxy s;
  s.proxy.arm(cut::before_server, "create_pet");
  PETSTORE_REFUSED(s.store.create_pet(rex), unavailable);
  BOOST_TEST(s.proxy.has_cut());
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "0");
  BOOST_TEST(eventually([&] { return !fault_of(s.store.create_pet(rex)); }));
}

PETSTORE_POSTGRES_CASE(write_that_arrives_after_its_client_was_told_no_has_no_effect) {
  store_behind_proxy s;
  s.proxy.arm(cut::kept_back, "create_pet");
  PETSTORE_REFUSED(s.store.create_pet(rex), unavailable);
  BOOST_REQUIRE(s.proxy.has_cut());
  s.proxy.release();
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "0");
  BOOST_TEST(s.ask("SELECT count(*) FROM outcomes WHERE forestalled") == "1");
}

PETSTORE_POSTGRES_CASE(outcome_is_told_by_a_connection_of_another_thread) {
  namespace asio = boost::asio;
  auto& server = postgres_server::shared();
  cutting_proxy proxy(server.port());
  asio::io_context context{1};
  auto options = options_for(proxy.uri(server.create_database()));
  options.executors = {context.get_executor()};
  options.connections_per_thread = 1;
  options.outcome_timeout = time_limit;
  auto store = storage::open_postgres_store(options);
  BOOST_TEST_REQUIRE(eventually([&] {
    context.poll();
    auto const figures = *store->connections();  // of this thread's connection, and of the store's
    return figures.open == 2 && figures.in_flight == 0;
  }));

  proxy.arm(cut::after_server, "create_pet");
  proxy.refuse(true);  // the thread's own does not come back
  std::optional<result<ports::stored>> created;
  auto const create = [&]() -> asio::awaitable<void> {
    auto creating = store->create_pet(rex, false, {}, noon);
    created = co_await std::move(creating);
  };
  asio::co_spawn(context, create(), [](std::exception_ptr thrown) { BOOST_TEST(!thrown); });
  while (!created) context.run_one();
  BOOST_TEST(proxy.has_cut());
  BOOST_TEST(store->connections()->open == 1u);
  BOOST_TEST_REQUIRE(created->has_value(), (*created ? "" : created->error().cause));
  BOOST_TEST((*created)->id == 1);
  store->leave_executors();
  context.run();
}

PETSTORE_POSTGRES_CASE(outcome_that_nobody_can_tell_in_time_is_internal) {
  store_behind_proxy s(std::chrono::milliseconds{100});
  s.store.add_pet(std::nullopt);
  s.proxy.refuse(true);
  s.proxy.arm(cut::after_server, "create_pet");
  auto const created = s.store.create_pet(rex);
  PETSTORE_REFUSED(created, internal);
  BOOST_TEST(created.error().cause.find("unknown") != std::string::npos);
  BOOST_TEST(s.ask("SELECT count(*) FROM pets") == "2");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
