-- Labels of jobs: a JSON object of texts; null where there are none.
ALTER TABLE job ADD COLUMN labels TEXT;

-- Three values make no index: lists by environment go by the counts below.
DROP INDEX job_by_environment;
-- With all that a list filters by beside what it sorts by, so that a walk reads no rows. They are written once, when a
-- job finishes. `seq` stands before the rest, so that equal times keep the order of creation.
DROP INDEX job_by_finished;
CREATE INDEX job_by_finished ON job (finished_at, seq, status, workflow_id, environment, created_at) WHERE finished_at IS NOT NULL;
DROP INDEX job_by_duration;
CREATE INDEX job_by_duration ON job (duration_ms, seq, status, workflow_id, environment, created_at) WHERE duration_ms IS NOT NULL;

-- The counts of jobs, now for each block of 4,096 jobs in the order of creation: they tell in which block a page of a
-- list begins, so that a deep page costs no more than the first.
CREATE TABLE job_block (
  block INTEGER NOT NULL,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  status TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  PRIMARY KEY (block, workflow_id, environment, status)
) STRICT, WITHOUT ROWID;
INSERT INTO job_block SELECT seq / 4096, workflow_id, coalesce(environment, ''), status, count(*) FROM job GROUP BY 1, 2, 3, 4;
DROP TABLE job_count;

-- Final failures that are alike: same workflow, node, code and message once what differs by chance is taken out.
CREATE TABLE failure_group (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  node TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  -- The newest message as it came.
  sample TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'RESOLVED', 'IGNORED')),
  count INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  last_job TEXT NOT NULL,
  last_task TEXT NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,
  reopened_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX failure_group_by_seen ON failure_group (last_seen_at);

-- Where they happened: counts by environment, commit and worker.
CREATE TABLE failure_part (
  group_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  count INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (group_id, kind, value)
) STRICT, WITHOUT ROWID;

-- The jobs of a group, each with its newest failed task.
CREATE TABLE failure_job (
  group_id TEXT NOT NULL,
  job INTEGER NOT NULL,
  task TEXT NOT NULL,
  worker_id TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (group_id, job)
) STRICT, WITHOUT ROWID;
CREATE INDEX failure_job_by_job ON failure_job (job);
