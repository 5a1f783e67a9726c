-- Fan-outs (forEach), child jobs (workflow nodes), reruns.

-- `item` is null but for the tasks of a forEach, so that a replica's other tasks are found without reading its items, and
-- its items in their order.
DROP INDEX task_by_job;
CREATE INDEX task_by_job ON task (job, replica, item);
-- READY tasks that may be handed out. Those that wait for something else (a place in their forEach, their turn to start a
-- child job) have this last of all deadlines until they may. Queries must repeat the condition to the letter.
CREATE INDEX task_claimable ON task (job) WHERE state = 'READY' AND ready_deadline < 9007199254740991;
-- Items that wait for a place, in their order, whatever became of those before them.
CREATE INDEX task_withheld ON task (job, replica, node, item) WHERE state = 'READY' AND ready_deadline = 9007199254740991;

-- One row is one forEach of one replica: what its items came to, so that the end of an item costs no look at the others.
CREATE TABLE fan_out (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  -- list: its list comes in. expand: its tasks are being made. run. stop: its open tasks are being stopped. stopped.
  -- revive: those stopped are being made ready again. done: its outputs are joined.
  phase TEXT NOT NULL,
  -- The attempt of the task that evaluates the list, and how many items of it have come.
  attempt INTEGER NOT NULL,
  received INTEGER NOT NULL,
  list_characters INTEGER NOT NULL,
  -- Null until the whole list is there.
  total INTEGER,
  born INTEGER NOT NULL,
  -- Tasks that are queued or with a worker: at most as many as the node's concurrency.
  active INTEGER NOT NULL,
  withheld INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  output_characters INTEGER NOT NULL,
  -- What the node was given: the text, a payload, or the task whose output it is.
  input TEXT,
  input_payload INTEGER,
  input_task INTEGER,
  output TEXT,
  output_payload INTEGER,
  PRIMARY KEY (job, replica, node)
) STRICT, WITHOUT ROWID;
-- Those that the master goes on with by itself; the condition is that of the query, to the letter.
CREATE INDEX fan_out_at_work ON fan_out (phase) WHERE phase IN ('expand', 'stop', 'revive') OR phase = 'run' AND active = 0 AND withheld > 0;

-- Items of a list whose tasks are not made yet, some hundred in a row: a JSON array of JSON texts.
CREATE TABLE fan_out_list (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  first INTEGER NOT NULL,
  items TEXT NOT NULL,
  PRIMARY KEY (job, replica, node, first)
) STRICT, WITHOUT ROWID;

-- Outputs of a long list, joined part by part as they come, so that the end of the last item has little to join.
CREATE TABLE fan_out_part (
  job INTEGER NOT NULL,
  replica INTEGER NOT NULL,
  node TEXT NOT NULL,
  part INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  -- The texts of the outputs, joined by commas; null until all have ended.
  outputs TEXT,
  PRIMARY KEY (job, replica, node, part)
) STRICT, WITHOUT ROWID;

-- The child job of each task that called a workflow, the latest one.
CREATE TABLE child (
  task INTEGER PRIMARY KEY,
  -- The job of the task.
  parent INTEGER NOT NULL,
  job INTEGER NOT NULL UNIQUE,
  job_id TEXT NOT NULL,
  -- When the task's run time is over; null once the child has ended or was ended for it.
  deadline INTEGER
) STRICT;
CREATE INDEX child_by_parent ON child (parent);
CREATE INDEX child_by_deadline ON child (deadline) WHERE deadline IS NOT NULL;
-- Tasks whose child job is to be started.
CREATE TABLE child_due (task INTEGER PRIMARY KEY, job INTEGER NOT NULL) STRICT;

ALTER TABLE job ADD COLUMN parent_job_id TEXT;
-- The node that a rerun begins with; null: at the beginning.
ALTER TABLE job ADD COLUMN rerun_node TEXT;
-- Jobs above it.
ALTER TABLE job ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
CREATE INDEX job_by_parent_task ON job (parent_task_id) WHERE parent_task_id IS NOT NULL;
CREATE INDEX job_by_parent_job ON job (parent_job_id) WHERE parent_job_id IS NOT NULL;
CREATE INDEX job_by_rerun ON job (rerun_of) WHERE rerun_of IS NOT NULL;
