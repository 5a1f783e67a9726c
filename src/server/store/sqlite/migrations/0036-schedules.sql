-- Schedules. `spec`: JSON of what was asked for. Times are Unix milliseconds.
CREATE TABLE schedule (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  spec TEXT NOT NULL,
  paused INTEGER NOT NULL,
  -- The due time that comes next, and when it is to be started (later by its jitter, or by a start that is repeated); null: there is none.
  next_at INTEGER,
  start_at INTEGER,
  -- Starts of `next_at` that failed.
  attempts INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER,
  last_outcome TEXT,
  -- The due time that waits for the end of the job before it (overlap `queue`).
  waiting_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX schedule_by_start ON schedule (start_at) WHERE start_at IS NOT NULL;
CREATE INDEX schedule_by_workflow ON schedule (workflow_id, id);
CREATE INDEX schedule_by_waiting ON schedule (id) WHERE waiting_at IS NOT NULL;

-- What became of each due time: one row, and so one job at most. `trouble`: missed or late, for alerts.
CREATE TABLE schedule_run (
  schedule TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  job_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('STARTED', 'SKIPPED', 'MISSED', 'FAILED')),
  reason TEXT,
  trouble TEXT,
  PRIMARY KEY (schedule, due_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_run_by_trouble ON schedule_run (at) WHERE trouble IS NOT NULL;

-- Backfills under way; how far they are is told by their operation.
CREATE TABLE schedule_backfill (
  operation TEXT PRIMARY KEY,
  schedule TEXT NOT NULL,
  next_at INTEGER,
  to_at INTEGER NOT NULL,
  per_minute INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Jobs of a schedule or a webhook that have not ended.
CREATE INDEX job_open_by_trigger ON job (trigger_id) WHERE trigger_id IS NOT NULL AND finished_at IS NULL;
