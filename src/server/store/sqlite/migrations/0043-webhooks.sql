-- Public paths where other services start jobs.
CREATE TABLE webhook (
  id TEXT PRIMARY KEY,
  workflow_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  description TEXT,
  -- JSON: how a delivery is verified, without what is secret.
  verify TEXT NOT NULL,
  -- Its secrets, encrypted (JSON: now, and before until when); null: it has none.
  key_id TEXT,
  nonce BLOB,
  box BLOB,
  delivery_id_header TEXT,
  replay TEXT NOT NULL,
  filter TEXT,
  mapping TEXT,
  response TEXT NOT NULL,
  response_mapping TEXT,
  per_second INTEGER,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_by_workflow ON webhook (workflow_id, environment);
-- What may start one job only: SHA-256 of a delivery ID or of a signature.
CREATE TABLE webhook_claim (
  webhook_id TEXT NOT NULL,
  claim TEXT NOT NULL,
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, claim)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_claim_by_time ON webhook_claim (webhook_id, at);
-- The latest deliveries. Headers without secrets and signatures; the body encrypted.
CREATE TABLE webhook_delivery (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- 1: it was refused before it was verified; such ones push out no others.
  refused INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  reason TEXT,
  delivery_id TEXT,
  job_id TEXT,
  method TEXT NOT NULL,
  query TEXT NOT NULL,
  headers TEXT NOT NULL,
  address TEXT,
  size INTEGER NOT NULL,
  key_id TEXT,
  nonce BLOB,
  box BLOB,
  replay_of TEXT
) STRICT;
CREATE INDEX webhook_delivery_by_webhook ON webhook_delivery (webhook_id, refused, id);
