-- Overrides of settings made while the master ran; values are JSON.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- AES-256-GCM: `box` is ciphertext and tag, `key_id` tells the key.
CREATE TABLE secret (
  name TEXT PRIMARY KEY,
  description TEXT,
  key_id TEXT NOT NULL,
  nonce BLOB NOT NULL,
  box BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;

-- Jobs that are removed already, whose tasks and payloads are still to be swept up, by their `seq`.
CREATE TABLE removed_job (
  seq INTEGER PRIMARY KEY
) STRICT;

-- How much of each archive file is valid: what stands beyond was not finished and is written over.
CREATE TABLE archive_file (
  name TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  jobs INTEGER NOT NULL
) STRICT;

-- Old entries go first.
CREATE INDEX audit_by_at ON audit (at);
CREATE INDEX publication_by_time ON publication (published_at);
