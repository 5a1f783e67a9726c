CREATE TABLE workflow (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT,
  head TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  archived_at INTEGER
) STRICT;

-- Canonical JSON by the id of its Git blob: versions that hold the same definition share one row.
CREATE TABLE definition (
  blob TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;

-- One row is one Git commit; `seq` is the order in which they were made.
CREATE TABLE version (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL UNIQUE,
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  parent TEXT,
  blob TEXT NOT NULL REFERENCES definition (blob),
  message TEXT NOT NULL,
  author_name TEXT NOT NULL,
  author_email TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  faults TEXT NOT NULL
) STRICT;
CREATE INDEX version_by_workflow ON version (workflow_id, seq);
CREATE INDEX version_by_prefix ON version (workflow_id, hash);

-- What each environment points to now.
CREATE TABLE pointer (
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  environment TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES version (hash),
  publication_id TEXT NOT NULL,
  PRIMARY KEY (workflow_id, environment)
) STRICT, WITHOUT ROWID;

-- The log of publications; `hash` is null where an environment was taken offline.
CREATE TABLE publication (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  environment TEXT NOT NULL,
  hash TEXT,
  previous_hash TEXT,
  description TEXT,
  published_at INTEGER NOT NULL,
  published_by TEXT NOT NULL
) STRICT;
CREATE INDEX publication_by_workflow ON publication (workflow_id, id);
CREATE INDEX publication_by_hash ON publication (hash, id) WHERE hash IS NOT NULL;
