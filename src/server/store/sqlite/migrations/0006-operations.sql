-- Bulk operations: one row each, `seq` is the order in which they were accepted.
CREATE TABLE operation (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('RUNNING', 'DONE', 'ABORTED')),
  -- JSON of the filter as submitted; null where ids were given.
  filter TEXT,
  -- A retry of failures that a retry does not mend, too.
  non_retryable INTEGER NOT NULL,
  total INTEGER NOT NULL,
  -- Jobs dealt with, and those of them with which it could not be done. The next job is the one at `done`.
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  -- The job at hand, where it takes several turns: the last task looked at, and how many were changed. Null: not begun.
  cursor INTEGER,
  changed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX operation_running ON operation (seq) WHERE status = 'RUNNING';
CREATE INDEX operation_ended ON operation (finished_at) WHERE finished_at IS NOT NULL;

-- The jobs that an operation works on, frozen when it is accepted; `first` is the place of the first of them. A JSON
-- array of ids, or of `seq`s of which each is told as the distance from the one before.
CREATE TABLE operation_chunk (
  operation INTEGER NOT NULL,
  first INTEGER NOT NULL,
  jobs TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX operation_chunk_by_place ON operation_chunk (operation, first);

-- What became of each job. `rank` counts the results of one operation that are alike in `ok`, so that any page is found at once.
CREATE TABLE operation_result (
  operation INTEGER NOT NULL,
  place INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  ok INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  code TEXT,
  message TEXT,
  PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_result_by_rank ON operation_result (operation, ok, rank);
