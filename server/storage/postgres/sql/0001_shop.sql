-- A store. Records are canonical JSON, as it is sent to clients; the other columns are for searching. All data that a
-- write is based on is in the rows that it locks, so that each write is one statement.

CREATE SEQUENCE category_ids AS bigint MINVALUE 1 CACHE 1;
CREATE SEQUENCE pet_ids AS bigint MINVALUE 1 CACHE 1;
CREATE SEQUENCE order_ids AS bigint MINVALUE 1 CACHE 1;

CREATE TABLE shop (
  id smallint PRIMARY KEY CHECK (id = 1),
  environment smallint NOT NULL CHECK (environment IN (1, 2)),  -- 1 production, 2 staging
  created_at timestamptz NOT NULL DEFAULT now(),
  keys_version bigint NOT NULL DEFAULT 0,
  last_key bigint NOT NULL DEFAULT 0,
  last_audit bigint NOT NULL DEFAULT 0
);

CREATE TABLE categories (
  id bigint PRIMARY KEY,
  revision bigint NOT NULL,
  name text NOT NULL CONSTRAINT categories_name UNIQUE,
  json text NOT NULL
);

CREATE TABLE pets (
  id bigint PRIMARY KEY,
  revision bigint NOT NULL,
  category_id bigint NOT NULL,
  open_order bigint NOT NULL DEFAULT 0,  -- the order that is placed or approved; 0: none
  status smallint NOT NULL,              -- 0 none, 1 available, 2 pending, 3 sold
  json text NOT NULL
);
CREATE INDEX pets_by_status ON pets (status, id);
CREATE INDEX pets_by_category ON pets (category_id, id);
CREATE INDEX pets_by_status_category ON pets (status, category_id, id);

CREATE TABLE orders (
  id bigint PRIMARY KEY,
  revision bigint NOT NULL,
  pet_id bigint NOT NULL,
  status smallint NOT NULL,  -- 1 placed, 2 approved, 3 delivered, 4 cancelled
  json text NOT NULL
);
CREATE INDEX orders_by_status ON orders (status, id);
CREATE INDEX orders_by_pet ON orders (pet_id, id);
CREATE INDEX orders_by_status_pet ON orders (status, pet_id, id);

-- First answers to creations that carry an Idempotency-Key.
CREATE TABLE answers (
  identity bigint NOT NULL,
  operation smallint NOT NULL,  -- 1 createPet, 2 createOrder, 3 a new key, whose json is empty
  key text NOT NULL,
  body_digest bytea NOT NULL,
  expires_at bigint NOT NULL,  -- Unix milliseconds
  record_id bigint NOT NULL,
  json text NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (identity, operation, key)
);
CREATE INDEX answers_by_age ON answers (written_at);

-- One row for each write that took effect, in the write's transaction. A node that lost the answer looks for the row, or
-- inserts one with the same token, after which the write can no longer take effect.
CREATE TABLE outcomes (
  token bytea PRIMARY KEY,
  record_id bigint NOT NULL,
  forestalled boolean NOT NULL DEFAULT false,
  written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outcomes_by_age ON outcomes (written_at);

CREATE TABLE identities (
  number bigint PRIMARY KEY,
  json text NOT NULL
);
CREATE TABLE api_keys (
  number bigint PRIMARY KEY,
  identity bigint NOT NULL,
  digest bytea NOT NULL CONSTRAINT api_keys_digest UNIQUE,
  json text NOT NULL
);
CREATE TABLE audit_log (
  sequence bigint PRIMARY KEY,
  json text NOT NULL
);
