-- How much API keys are used. Nodes add their counts once a minute.

CREATE TABLE key_usage (
  key bigint NOT NULL,
  day date NOT NULL,  -- UTC
  admitted bigint NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (key, day)
);
CREATE INDEX key_usage_by_day ON key_usage (day);

CREATE TABLE key_last_uses (
  key bigint PRIMARY KEY,
  at bigint NOT NULL  -- Unix milliseconds
);
