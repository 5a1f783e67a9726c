-- The jobs that a dry run counted, kept for an operation or an export that names it. Its parts are those of `operation_chunk`, under minus its `seq`.
CREATE TABLE job_snapshot (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- JSON of what the dry run was for: the same operation knows by it which jobs have changed since.
  purpose TEXT NOT NULL,
  -- JSON of its filter; null where ids were given.
  filter TEXT,
  total INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- JSON array of the places in this part, from 0, of jobs that the dry run left out; null where it left out none, or there was none.
ALTER TABLE operation_chunk ADD COLUMN left_out TEXT;
-- 1: the jobs are those that a dry run of the same operation counted.
ALTER TABLE operation ADD COLUMN from_snapshot INTEGER NOT NULL DEFAULT 0;
