// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What is removed after some time, while another node removes the same.
#include <boost/test/unit_test.hpp>

#include "statements.hpp"
#include "storage/postgres/fixture.hpp"

namespace petstore::tests {

using storage::postgres::statement;

BOOST_AUTO_TEST_SUITE(housekeeping)

PETSTORE_POSTGRES_CASE(rows_that_another_node_removes_are_not_waited_for) {
  auto const uri = postgres_server::shared().create_database();
  auto const store = open_store(options_for(uri));
  struct kind {
    statement forget;
    std::string table, old_rows, lock;
  };
  for (auto const& k : {kind{statement::forget_outcomes, "outcomes",
                             "(token, record_id, written_at) VALUES ('a', 1, now() - interval '2 hours'),"
                             " ('b', 2, now() - interval '2 hours')",
                             "SET record_id = 3 WHERE token = 'a'"},
                        kind{statement::forget_answers, "answers",
                             "(identity, operation, key, body_digest, expires_at, record_id, json, written_at) VALUES"
                             " (1, 1, 'a', '', 0, 1, '', now() - interval '2 days'),"
                             " (1, 1, 'b', '', 0, 2, '', now() - interval '2 days')",
                             "SET record_id = 3 WHERE key = 'a'"},
                        kind{statement::forget_usage, "key_usage",
                             "(key, day, admitted, refused) VALUES (1, '2001-01-01', 1, 1), (2, '2001-01-01', 1, 1)",
                             "SET admitted = 2 WHERE key = 1"}}) {
    postgres_server::run(uri, "INSERT INTO " + k.table + " " + k.old_rows);
    open_transaction const other_node(uri, ("UPDATE " + k.table + " " + k.lock).c_str());
    std::string sql = text_of(k.forget).sql;
    std::string const limit = "$1::bigint";
    sql.replace(sql.find(limit), limit.size(), "10");
    postgres_server::run(uri + "&options=-clock_timeout%3D1ms", sql);
    BOOST_TEST(postgres_server::run(uri, "SELECT count(*) FROM " + k.table) == "1", k.table);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
