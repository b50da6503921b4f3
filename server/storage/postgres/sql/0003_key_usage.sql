-- How much API keys are used. Nodes add their counts once a minute. The tables may be there: who goes back to schema 1
-- keeps them.

CREATE TABLE IF NOT EXISTS key_usage (
  key bigint NOT NULL,
  day date NOT NULL,  -- UTC
  admitted bigint NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (key, day)
);
CREATE INDEX IF NOT EXISTS key_usage_by_day ON key_usage (day);

CREATE TABLE IF NOT EXISTS key_last_uses (
  key bigint PRIMARY KEY,
  at bigint NOT NULL  -- Unix milliseconds
);
