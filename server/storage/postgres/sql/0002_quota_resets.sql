-- How often an operator has made the quotas of an identity whole. A column and not a member of the record, so that nodes
-- of the version before can still read the record, and keep the number when they write it. The column may be there already,
-- from before a return to that version.
ALTER TABLE identities ADD COLUMN IF NOT EXISTS quota_resets bigint NOT NULL DEFAULT 0;
