-- Tasks that wait at a wait node, without a worker. `due_at`: the time that is waited for, or the deadline of the wait.
CREATE TABLE wait (
  task INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  since INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  approval TEXT
) STRICT;
CREATE INDEX wait_due ON wait (due_at, task);
CREATE INDEX wait_of_job ON wait (job, kind, name, task);
CREATE INDEX wait_of_workflow ON wait (workflow_id, kind, task);

-- Signals of jobs. `task`: the wait that got it; null: it is kept for the next one. `key`: repeated with the same one, it is one signal.
CREATE TABLE signal (
  job INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  replica INTEGER,
  payload TEXT NOT NULL,
  payload_sum INTEGER,
  sent_by TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  key TEXT,
  task INTEGER,
  PRIMARY KEY (job, number)
) STRICT;
CREATE INDEX signal_kept ON signal (job, name, number) WHERE task IS NULL;
CREATE UNIQUE INDEX signal_by_key ON signal (job, key) WHERE key IS NOT NULL;

-- Signs one-time links; the same in all masters of a cluster.
CREATE TABLE link_signing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  key BLOB NOT NULL
) STRICT;

-- An approval that a task waits for, and when approvers are reminded of it.
ALTER TABLE approval ADD COLUMN task INTEGER;
ALTER TABLE approval ADD COLUMN remind_at INTEGER;
CREATE INDEX approval_of_task ON approval (task) WHERE task IS NOT NULL;
