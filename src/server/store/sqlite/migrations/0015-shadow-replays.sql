-- Shadow replays: inputs of an environment run against another commit, outside of the engine.
CREATE TABLE shadow_replay (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  environment TEXT NOT NULL,
  against TEXT,
  -- JSON objects and lists.
  chosen_by TEXT NOT NULL,
  warnings TEXT NOT NULL,
  -- What is replayed, in order: a list of [job id, replica, commit].
  inputs TEXT NOT NULL,
  status TEXT NOT NULL,
  total INTEGER NOT NULL,
  done INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX shadow_replay_by_workflow ON shadow_replay (workflow_id, created_at);

CREATE TABLE shadow_result (
  replay TEXT NOT NULL,
  number INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  replica INTEGER NOT NULL,
  commit_hash TEXT NOT NULL,
  verdict TEXT NOT NULL,
  -- Paths that differ, `*` for every index, as a JSON list; `complete` is 0 where there are more.
  patterns TEXT NOT NULL,
  complete INTEGER NOT NULL,
  -- All else that is shown in lists, as a JSON object.
  facts TEXT NOT NULL,
  PRIMARY KEY (replay, number)
) STRICT, WITHOUT ROWID;

-- Texts of a result, apart so that lists never read them.
CREATE TABLE shadow_text (
  replay TEXT NOT NULL,
  number INTEGER NOT NULL,
  input TEXT,
  before TEXT,
  after TEXT,
  PRIMARY KEY (replay, number)
) STRICT;

-- Places in the outputs of a workflow that always differ, as a JSON list of paths.
CREATE TABLE shadow_ignore (
  workflow_id TEXT PRIMARY KEY,
  paths TEXT NOT NULL
) STRICT;

-- Versions that hold the same definition: one restored from another.
CREATE INDEX version_by_blob ON version (workflow_id, blob);
