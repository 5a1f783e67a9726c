-- Where a session came from, so that people can tell theirs apart and end one.
ALTER TABLE session ADD COLUMN created_at INTEGER;
ALTER TABLE session ADD COLUMN address TEXT;
ALTER TABLE session ADD COLUMN client TEXT;
