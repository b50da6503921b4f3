// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The SQL, but for what record_statements.cpp makes of each kind of record.
//
// A write names the revision or version that it was decided by, and returns no row when that has changed meanwhile. It
// locks first, and everything else depends on the locked row, so that a write happens whole or not at all. The id is
// taken after that, so that the orders of one animal ascend in the order in which they took effect.
#include "statements.hpp"

#include <array>

#include "petstore/api_key.hpp"
#include "petstore/order.hpp"
#include "petstore/storage/rules/repetition.hpp"
#include "record_statements.hpp"

namespace petstore::storage::postgres {
namespace {

// The statements below and the rows of every store have these numbers (sql/0001_shop.sql).
static_assert(environment{1} == environment::production && environment{2} == environment::staging);
static_assert(pet_status{1} == pet_status::available && pet_status{2} == pet_status::pending &&
              pet_status{3} == pet_status::sold);
static_assert(order_status{1} == order_status::placed && order_status{2} == order_status::approved &&
              order_status{3} == order_status::delivered && order_status{4} == order_status::cancelled);
static_assert(rules::repeatable{1} == rules::repeatable::create_pet &&
              rules::repeatable{2} == rules::repeatable::create_order &&
              rules::repeatable{3} == rules::repeatable::create_key);

constexpr std::array<statement_text, first_record_statement> all{{
    // identity, operation, key
    {"find_answer",
     "SELECT body_digest, expires_at, record_id, json FROM answers"
     " WHERE identity = $1::bigint AND operation = $2::bigint AND key = $3::text",
     effect::none},
    {"find_category", "SELECT id FROM categories WHERE id = $1::bigint", effect::none},
    {"find_category_of_name", "SELECT id FROM categories WHERE name = $1::text", effect::none},
    // id, category
    {"find_pet",
     "SELECT revision, json, open_order, EXISTS (SELECT 1 FROM categories WHERE id = $2::bigint)"
     " FROM pets WHERE id = $1::bigint",
     effect::none},
    {"find_order_and_pet",
     "SELECT o.revision, o.json, p.revision, p.json FROM orders AS o LEFT JOIN pets AS p ON p.id = o.pet_id"
     " WHERE o.id = $1::bigint",
     effect::none},
    // animal, identity, operation, key
    {"find_pet_and_answer",
     "SELECT p.revision, p.json, a.body_digest, a.expires_at, a.record_id, a.json"
     " FROM shop LEFT JOIN pets AS p ON p.id = $1::bigint"
     " LEFT JOIN answers AS a ON a.identity = $2::bigint AND a.operation = $3::bigint AND a.key = $4::text",
     effect::none},

    // token, category, status, the record after its id
    {"create_pet",
     "WITH new AS (SELECT nextval('pet_ids') AS id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM new)"
     " INSERT INTO pets (id, revision, category_id, status, json)"
     " SELECT id, 1, $2::bigint, $3::bigint, '{\"id\":' || id::text || $4::text FROM new RETURNING id",
     effect::write},
    // the same; identity, key, digest of the body, expiry, now
    {"create_pet_once",
     "WITH new AS (SELECT nextval('pet_ids') AS id),"
     " kept AS (INSERT INTO answers AS a (identity, operation, key, body_digest, expires_at, record_id, json)"
     "  SELECT $5::bigint, 1, $6::text, $7::bytea, $8::bigint, id, '{\"id\":' || id::text || $4::text FROM new"
     "  ON CONFLICT (identity, operation, key) DO UPDATE SET body_digest = excluded.body_digest,"
     "   expires_at = excluded.expires_at, record_id = excluded.record_id, json = excluded.json, written_at = now()"
     "  WHERE a.expires_at <= $9::bigint RETURNING a.record_id, a.json),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, record_id FROM kept)"
     " INSERT INTO pets (id, revision, category_id, status, json)"
     " SELECT record_id, 1, $2::bigint, $3::bigint, json FROM kept RETURNING id",
     effect::write},
    // token, id, revision, open order, category, status, record
    {"update_pet",
     "WITH done AS (UPDATE pets SET revision = revision + 1, category_id = $5::bigint, status = $6::bigint,"
     "  json = $7::text WHERE id = $2::bigint AND revision = $3::bigint AND open_order = $4::bigint RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // token, id, revision
    {"delete_pet",
     "WITH done AS (DELETE FROM pets WHERE id = $2::bigint AND revision = $3::bigint AND open_order = 0 RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // token, name, the record after its id
    {"create_category",
     "WITH done AS (INSERT INTO categories (id, revision, name, json)"
     "  SELECT id, 1, $2::text, '{\"id\":' || id::text || $3::text FROM (SELECT nextval('category_ids') AS id) AS new"
     "  ON CONFLICT (name) DO NOTHING RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // token, animal, its revision, its record, the order after its id
    {"create_order",
     "WITH animal AS (SELECT id FROM pets WHERE id = $2::bigint AND revision = $3::bigint AND open_order = 0 FOR "
     "UPDATE),"
     " new AS (SELECT nextval('order_ids') AS id FROM animal),"
     " reserved AS (UPDATE pets AS p SET revision = revision + 1, status = 2, open_order = new.id, json = $4::text"
     "  FROM new WHERE p.id = $2::bigint RETURNING p.open_order),"
     " done AS (INSERT INTO orders (id, revision, pet_id, status, json)"
     "  SELECT open_order, 1, $2::bigint, 1, '{\"id\":' || open_order::text || $5::text FROM reserved RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // the same; identity, key, digest of the body, expiry, now
    {"create_order_once",
     "WITH animal AS (SELECT id FROM pets WHERE id = $2::bigint AND revision = $3::bigint AND open_order = 0 FOR "
     "UPDATE),"
     " new AS (SELECT nextval('order_ids') AS id FROM animal),"
     " kept AS (INSERT INTO answers AS a (identity, operation, key, body_digest, expires_at, record_id, json)"
     "  SELECT $6::bigint, 2, $7::text, $8::bytea, $9::bigint, id, '{\"id\":' || id::text || $5::text FROM new"
     "  ON CONFLICT (identity, operation, key) DO UPDATE SET body_digest = excluded.body_digest,"
     "   expires_at = excluded.expires_at, record_id = excluded.record_id, json = excluded.json, written_at = now()"
     "  WHERE a.expires_at <= $10::bigint RETURNING a.record_id, a.json),"
     " reserved AS (UPDATE pets AS p SET revision = revision + 1, status = 2, open_order = kept.record_id,"
     "  json = $4::text FROM kept WHERE p.id = $2::bigint RETURNING p.open_order),"
     " done AS (INSERT INTO orders (id, revision, pet_id, status, json)"
     "  SELECT kept.record_id, 1, $2::bigint, 1, kept.json FROM reserved JOIN kept"
     "  ON kept.record_id = reserved.open_order RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // token, id, revision, status, record
    {"update_order",
     "WITH done AS (UPDATE orders SET revision = revision + 1, status = $4::bigint, json = $5::text"
     "  WHERE id = $2::bigint AND revision = $3::bigint RETURNING id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},
    // the same; animal, its revision, status and record
    {"update_order_and_pet",
     "WITH held AS (SELECT id FROM orders WHERE id = $2::bigint AND revision = $3::bigint FOR UPDATE),"
     " freed AS (UPDATE pets AS p SET revision = revision + 1, status = $8::bigint, open_order = 0, json = $9::text"
     "  FROM held WHERE p.id = $6::bigint AND p.revision = $7::bigint AND p.open_order = $2::bigint RETURNING p.id),"
     " done AS (UPDATE orders AS o SET revision = revision + 1, status = $4::bigint, json = $5::text"
     "  FROM freed WHERE o.id = $2::bigint RETURNING o.id),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, id FROM done)"
     " SELECT id FROM done",
     effect::write},

    {"heartbeat", "SELECT 1", effect::probe},
    {"keys_version", "SELECT keys_version FROM shop", effect::probe},
    {"read_keys",
     "SELECT 0::bigint AS kind, keys_version AS number, ''::text AS json, 0::bigint AS quota_resets FROM shop"
     " UNION ALL SELECT 1, number, json, 0 FROM api_keys"
     " UNION ALL SELECT 2, number, json, quota_resets FROM identities"
     " ORDER BY kind, number",
     effect::none},
    // after, limit
    {"read_audit_log",
     "SELECT sequence, json FROM audit_log WHERE sequence > $1::bigint ORDER BY sequence LIMIT $2::bigint",
     effect::none},
    {"last_audit_entry", "SELECT last_audit FROM shop", effect::none},
    // key
    {"find_key",
     "SELECT s.keys_version, s.last_key, s.last_audit, k.json, i.json, i.quota_resets FROM shop AS s"
     " LEFT JOIN api_keys AS k ON k.number = $1::bigint LEFT JOIN identities AS i ON i.number = k.identity",
     effect::none},
    // token, version before, last key, last line of the log; the changed key, its record; the added key, its identity,
    // digest and record; the identity, its record; the line; of a repeatable creation: identity, key (otherwise empty),
    // digest of the body, expiry; and the resets of the identity's quotas
    //
    // The version is a time, so that it does not come again after a failover or a restore that lost changes: a node
    // would take the keys that it has for those of the store.
    {"change_keys",
     "WITH turn AS (UPDATE shop SET"
     "  keys_version = greatest(keys_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint),"
     "  last_key = $3::bigint, last_audit = $4::bigint"
     "  WHERE keys_version = $2::bigint RETURNING keys_version),"
     " changed AS (UPDATE api_keys AS k SET json = $6::text FROM turn WHERE k.number = $5::bigint),"
     " added AS (INSERT INTO api_keys (number, identity, digest, json)"
     "  SELECT $7::bigint, $8::bigint, $9::bytea, $10::text FROM turn WHERE $7::bigint <> 0),"
     " owner AS (INSERT INTO identities (number, json, quota_resets) SELECT $11::bigint, $12::text, $18::bigint FROM "
     "turn"
     "  ON CONFLICT (number) DO UPDATE SET json = excluded.json, quota_resets = excluded.quota_resets),"
     " logged AS (INSERT INTO audit_log (sequence, json) SELECT $4::bigint, $13::text FROM turn),"
     " kept AS (INSERT INTO answers (identity, operation, key, body_digest, expires_at, record_id, json)"
     "  SELECT $14::bigint, 3, $15::text, $16::bytea, $17::bigint, $7::bigint, '' FROM turn WHERE $15::text <> ''"
     "  ON CONFLICT (identity, operation, key) DO UPDATE SET body_digest = excluded.body_digest,"
     "   expires_at = excluded.expires_at, record_id = excluded.record_id, written_at = now()),"
     " outcome AS (INSERT INTO outcomes (token, record_id) SELECT $1::bytea, keys_version FROM turn)"
     " SELECT keys_version FROM turn",
     effect::write},
    {"notify_keys", "NOTIFY petstore_keys", effect::none},
    {"listen_keys", "LISTEN petstore_keys", effect::none},

    // token; keys, days since 1970, admitted, refused, times of the last use. Rows are locked in one order, so that two
    // nodes do not lock each other out. It may be sent again, because of the token.
    {"add_usage",
     "WITH turn AS (INSERT INTO outcomes (token, record_id) VALUES ($1::bytea, 0) ON CONFLICT (token) DO NOTHING"
     "  RETURNING token),"
     " added AS (INSERT INTO key_usage AS u (key, day, admitted, refused)"
     "  SELECT r.key, date '1970-01-01' + r.day::integer, r.admitted, r.refused FROM turn,"
     "   unnest($2::text::bigint[], $3::text::bigint[], $4::text::bigint[], $5::text::bigint[])"
     "   AS r(key, day, admitted, refused) ORDER BY r.key, r.day"
     "  ON CONFLICT (key, day) DO UPDATE SET admitted = u.admitted + excluded.admitted,"
     "   refused = u.refused + excluded.refused)"
     " INSERT INTO key_last_uses AS l (key, at)"
     " SELECT r.key, max(r.at) FROM turn, unnest($2::text::bigint[], $6::text::bigint[]) AS r(key, at)"
     " GROUP BY r.key ORDER BY r.key"
     " ON CONFLICT (key) DO UPDATE SET at = greatest(l.at, excluded.at)",
     effect::none},
    // key, first day, last day
    {"read_usage",
     "SELECT (day - date '1970-01-01')::bigint, admitted, refused FROM key_usage WHERE key = $1::bigint"
     " AND day BETWEEN date '1970-01-01' + $2::bigint::integer AND date '1970-01-01' + $3::bigint::integer"
     " ORDER BY day",
     effect::none},
    // first key, last key
    {"read_last_uses", "SELECT key, at FROM key_last_uses WHERE key BETWEEN $1::bigint AND $2::bigint ORDER BY key",
     effect::none},

    {"forestall",
     "INSERT INTO outcomes (token, record_id, forestalled) VALUES ($1::bytea, 0, true) ON CONFLICT (token) DO NOTHING",
     effect::none},
    {"find_outcome", "SELECT forestalled, record_id FROM outcomes WHERE token = $1::bytea", effect::none},
    // By the server's clock, which is the same for all nodes. What another node removes at the moment is skipped, so
    // that two nodes do not lock each other out.
    {"forget_answers",
     "DELETE FROM answers WHERE (identity, operation, key) IN (SELECT identity, operation, key FROM answers"
     " WHERE written_at < now() - interval '25 hours' ORDER BY written_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED)",
     effect::none},
    {"forget_outcomes",
     "DELETE FROM outcomes WHERE token IN (SELECT token FROM outcomes"
     " WHERE written_at < now() - interval '1 hour' ORDER BY written_at LIMIT $1::bigint FOR UPDATE SKIP LOCKED)",
     effect::none},
    {"forget_usage",
     "DELETE FROM key_usage WHERE (key, day) IN (SELECT key, day FROM key_usage"
     " WHERE day < (now() AT TIME ZONE 'UTC')::date - 400 ORDER BY day LIMIT $1::bigint FOR UPDATE SKIP LOCKED)",
     effect::none},

    {"plan_once", "SELECT set_config('plan_cache_mode', 'force_generic_plan', false)", effect::none},
    {"wait_for_locks", "SELECT set_config('lock_timeout', $1::text, false)", effect::none},
}};

}  // namespace

statement_text const& text_of(statement s) noexcept {
  auto const i = static_cast<std::size_t>(s);
  return i < all.size() ? all[i] : text_of_record_statement(i - all.size());
}

}  // namespace petstore::storage::postgres
