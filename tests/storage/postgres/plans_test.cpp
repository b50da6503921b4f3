// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A page costs the same however few records match: each list's plan, which is one for all parameters, steps through the
// rows of an index that match, and filters and sorts nothing.
#include <boost/test/unit_test.hpp>

#include "record_statements.hpp"
#include "statements.hpp"
#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(plans)

namespace {

using storage::postgres::list_statement;
using storage::postgres::statement;
using storage::postgres::text_of;

/// Many animals of which few are sold, and none of category 7 is pending.
std::string filled_database() {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri,
                       "INSERT INTO pets (id, revision, category_id, status, json)"
                       " SELECT i, 1, i % 10, CASE WHEN i > 19990 THEN 3 ELSE 1 END, '{}'"
                       " FROM generate_series(1, 20000) AS i");
  postgres_server::run(uri,
                       "INSERT INTO orders (id, revision, pet_id, status, json)"
                       " SELECT i, 1, i % 500, CASE WHEN i > 19990 THEN 2 ELSE 4 END, '{}'"
                       " FROM generate_series(1, 20000) AS i");
  postgres_server::run(uri, "ANALYZE");
  return uri;
}

/// The rows of EXPLAIN, as one text.
std::string plan_of(std::string const& uri, statement s, std::string const& arguments) {
  postgres_server::run(
      uri,
      "CREATE OR REPLACE FUNCTION explain(query text) RETURNS text LANGUAGE plpgsql AS $$"
      " DECLARE line text; plan text := ''; BEGIN"
      " FOR line IN EXECUTE query LOOP plan := plan || line || chr(10); END LOOP; RETURN plan; END $$");
  return postgres_server::run(uri, std::string{"SET plan_cache_mode = force_generic_plan; PREPARE list AS "} +
                                       text_of(s).sql + "; SELECT explain('EXPLAIN EXECUTE list" + arguments + "')");
}

}  // namespace

PETSTORE_POSTGRES_CASE(every_list_steps_through_its_index) {
  struct {
    statement list;
    char const* arguments;
    char const* index;
  } const expected[] = {
      {list_statement(record_kind::pet, 0b00), "(0, 21)", "pets_pkey"},
      {list_statement(record_kind::pet, 0b01), "(0, 21, 3)", "pets_by_status"},
      {list_statement(record_kind::pet, 0b10), "(0, 21, 7)", "pets_by_category"},
      {list_statement(record_kind::pet, 0b11), "(0, 21, 2, 7)", "pets_by_status_category"},
      {list_statement(record_kind::order, 0b00), "(0, 21)", "orders_pkey"},
      {list_statement(record_kind::order, 0b01), "(0, 21, 2)", "orders_by_status"},
      {list_statement(record_kind::order, 0b10), "(0, 21, 7)", "orders_by_pet"},
      {list_statement(record_kind::order, 0b11), "(0, 21, 2, 7)", "orders_by_status_pet"},
  };
  auto const uri = filled_database();
  for (auto const& e : expected) {
    auto const plan = plan_of(uri, e.list, e.arguments);
    BOOST_TEST_CONTEXT(plan) {
      BOOST_TEST(plan.find(std::string{"Index Scan using "} + e.index + " ") != plan.npos);
      BOOST_TEST(plan.find("Filter:") == plan.npos);
      BOOST_TEST(plan.find("Sort") == plan.npos);
    }
  }
}

PETSTORE_POSTGRES_CASE(what_has_served_its_time_is_removed_and_nothing_else) {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri,
                       "INSERT INTO outcomes (token, record_id, written_at)"
                       " SELECT decode(lpad(i::text, 4, '0'), 'hex'), i, now() - i * interval '10 minutes'"
                       " FROM generate_series(0, 9) AS i");
  postgres_server::run(
      uri,
      "INSERT INTO answers (identity, operation, key, body_digest, expires_at, record_id, json, written_at)"
      " SELECT 1, 1, i, '', 0, i, '{}', now() - i * interval '5 hours' FROM generate_series(0, 9) AS i");
  auto const forget = [&](statement s) {
    postgres_server::run(uri, std::string{"PREPARE it AS "} + text_of(s).sql + "; EXECUTE it (3)");
  };
  forget(statement::forget_outcomes);
  forget(statement::forget_answers);
  BOOST_TEST(postgres_server::run(uri, "SELECT max(record_id) FROM outcomes") == "6");  // of four, the oldest three
  BOOST_TEST(postgres_server::run(uri, "SELECT max(record_id) FROM answers") == "6");
  forget(statement::forget_outcomes);
  forget(statement::forget_answers);
  BOOST_TEST(postgres_server::run(uri, "SELECT max(record_id) FROM outcomes") == "5");
  BOOST_TEST(postgres_server::run(uri, "SELECT max(record_id) FROM answers") == "4");
}

PETSTORE_POSTGRES_CASE(usage_is_removed_after_400_days) {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  postgres_server::run(uri,
                       "INSERT INTO key_usage SELECT 1, (now() AT TIME ZONE 'UTC')::date - i, i, 0"
                       " FROM generate_series(399, 405) AS i");
  auto const forget = [&] {
    postgres_server::run(uri,
                         std::string{"PREPARE it AS "} + text_of(statement::forget_usage).sql + "; EXECUTE it (3)");
  };
  forget();
  BOOST_TEST(postgres_server::run(uri, "SELECT max(admitted) FROM key_usage") == "402");  // the oldest three are gone
  forget();
  BOOST_TEST(postgres_server::run(uri, "SELECT max(admitted) FROM key_usage") == "400");
}

PETSTORE_POSTGRES_CASE(every_statement_is_taken_by_the_server) {
  auto const uri = postgres_server::shared().create_database();
  storage::migrate_postgres(uri);
  for (std::size_t i = 0; i < storage::postgres::statement_count; ++i) {
    auto const& text = text_of(static_cast<statement>(i));
    std::string_view const sql = text.sql;
    if (sql.starts_with("NOTIFY") || sql.starts_with("LISTEN")) continue;  // PREPARE knows neither
    BOOST_TEST_CONTEXT(text.name)
    BOOST_CHECK_NO_THROW(postgres_server::run(uri, std::string{"PREPARE it AS "} + text.sql));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
