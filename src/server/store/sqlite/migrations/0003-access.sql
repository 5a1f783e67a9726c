CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  workflows TEXT NOT NULL,
  environments TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- SHA-256 of a key's secrets: the current one (`until` null) and, after a rotation, the old one until its time.
CREATE TABLE api_key_secret (
  hash TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_key (id),
  until INTEGER
) STRICT;
CREATE INDEX api_key_secret_by_key ON api_key_secret (key_id);

CREATE TABLE token (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  -- Made by the master itself for its own processes, replaced when its secret changes.
  own INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;

-- Browser sessions outlive the master: `hash` is the SHA-256 of the cookie.
CREATE TABLE session (
  hash TEXT PRIMARY KEY,
  actor TEXT NOT NULL,
  role TEXT NOT NULL,
  token_id TEXT,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT,
  address TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT
) STRICT;
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_target ON audit (target, id);
