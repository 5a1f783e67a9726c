-- Jobs, tasks, payloads, idempotency keys, workers.
-- Hot tables have no foreign keys: the engine is their only writer and keeps whole jobs together.

CREATE TABLE job (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  external_id TEXT,
  workflow_id TEXT NOT NULL,
  environment TEXT,
  commit_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  response TEXT NOT NULL,
  input_count INTEGER NOT NULL,
  replica_timeout_s INTEGER,
  -- When the open replicas run out of time; null where they have no limit or it was dealt with.
  replica_deadline INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  killed_at INTEGER,
  duration_ms INTEGER,
  ready INTEGER NOT NULL DEFAULT 0,
  scheduled INTEGER NOT NULL DEFAULT 0,
  running INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  schedule_timeout INTEGER NOT NULL DEFAULT 0,
  run_timeout INTEGER NOT NULL DEFAULT 0,
  -- FAILED tasks that wait for a retry; counted in `failed` too.
  retrying INTEGER NOT NULL DEFAULT 0,
  -- The first replica that finally failed.
  failure_task TEXT,
  failure_node TEXT,
  failure_code TEXT,
  failure_message TEXT,
  failure_at INTEGER,
  rerun_of TEXT,
  parent_task_id TEXT,
  -- Output of a job of one replica: the task whose output it is, or the text, or the payload.
  output_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  -- The same as `statusOf` of the contract, held to it here; a property test holds the two together. A column of its own
  -- rather than a generated one, so that its index is touched only when the status changes.
  status TEXT NOT NULL CHECK (status =
    CASE
      WHEN ready + scheduled + running + completed + failed + schedule_timeout + run_timeout = 0 THEN 'EMPTY'
      WHEN ready + scheduled + running + failed + schedule_timeout + run_timeout = 0 THEN 'COMPLETED'
      WHEN schedule_timeout + run_timeout > 0 THEN CASE WHEN failed > 0 THEN 'MIXED' ELSE 'TIMEOUT' END
      WHEN failed > 0 THEN CASE WHEN ready + scheduled + running > 0 THEN 'PARTIAL_FAILURE' ELSE 'FAILED' END
      ELSE 'RUNNING'
    END
  )
) STRICT;
-- Every filter and sort of the job list walks one of these; ties follow `seq`, the order of creation. There is none of
-- `updated_at`: a finished job was updated last when it finished. Values that come late or seldom have partial indexes,
-- so that a job that is made touches few pages.
CREATE INDEX job_by_created ON job (created_at);
CREATE INDEX job_by_status ON job (status);
CREATE INDEX job_by_workflow ON job (workflow_id);
CREATE INDEX job_by_environment ON job (environment);
CREATE INDEX job_by_finished ON job (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX job_by_duration ON job (duration_ms) WHERE duration_ms IS NOT NULL;
CREATE INDEX job_by_external_id ON job (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX job_by_replica_deadline ON job (replica_deadline) WHERE replica_deadline IS NOT NULL;

-- How many jobs there are of each kind that a list can ask for, so that totals cost nothing.
CREATE TABLE job_count (
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  status TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  PRIMARY KEY (workflow_id, environment, status)
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job INTEGER NOT NULL,
  node TEXT NOT NULL,
  type TEXT NOT NULL,
  replica INTEGER NOT NULL,
  item INTEGER,
  state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  retry_count INTEGER NOT NULL,
  worker_id TEXT,
  ready_at INTEGER NOT NULL,
  -- When a READY task becomes SCHEDULE_TIMEOUT.
  ready_deadline INTEGER NOT NULL,
  scheduled_at INTEGER,
  started_at INTEGER,
  finished_at INTEGER,
  retry_at INTEGER,
  error_code TEXT,
  error_message TEXT,
  error_retryable INTEGER,
  -- The port that a condition took.
  port TEXT,
  -- One of three: the text, a payload, or the task whose output it is.
  input TEXT,
  input_payload INTEGER,
  input_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  -- JSON lines, one for each retry made.
  entries TEXT NOT NULL DEFAULT '',
  -- One line for each transition (jobs/history.ts).
  history TEXT NOT NULL
) STRICT;
CREATE INDEX task_by_job ON task (job, replica);
-- The queue, the leases and a job's tasks by state. Queries must repeat the condition to the letter.
CREATE INDEX task_open ON task (state, job) WHERE state <> 'COMPLETED';
CREATE INDEX task_by_ready_deadline ON task (ready_deadline) WHERE state = 'READY';
CREATE INDEX task_by_retry ON task (retry_at) WHERE retry_at IS NOT NULL;

-- Texts over 16 KiB, apart so that lists never read them.
CREATE TABLE payload (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX payload_by_job ON payload (job);

-- Outputs of jobs of several replicas.
CREATE TABLE replica (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  output_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  PRIMARY KEY (job, replica)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  job_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, workflow_id, environment, key)
) STRICT;
CREATE INDEX idempotency_by_created ON idempotency (created_at);

-- One row a minute for the overview: counts, and a histogram of durations as JSON.
CREATE TABLE job_minute (
  minute INTEGER PRIMARY KEY,
  created INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  durations TEXT NOT NULL
) STRICT;

CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  version TEXT NOT NULL,
  capacity INTEGER NOT NULL,
  labels TEXT NOT NULL,
  handlers TEXT NOT NULL,
  drained INTEGER NOT NULL,
  goodbye INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  registered_at INTEGER NOT NULL,
  last_heartbeat_at INTEGER
) STRICT;
