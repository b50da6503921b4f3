-- How often an operator has made the quotas of an identity whole. A column and not a member of the record, so that nodes
-- of the version before can still read the record, and keep the number when they write it.
ALTER TABLE identities ADD COLUMN quota_resets bigint NOT NULL DEFAULT 0;
