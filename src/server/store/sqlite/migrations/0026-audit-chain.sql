-- The audit log as two chains of hashes: what people changed is numbered upwards from 1, what jobs used downwards from -1.
-- The number is a column of its own: SQLite may renumber rows that have none.
CREATE TABLE audit_chained (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  role TEXT,
  address TEXT,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT,
  -- SHA-256 of the entry and the hash before it, Base64; null until the first start with chains.
  hash TEXT
) STRICT;
-- Without the gaps that retention left.
INSERT INTO audit_chained
SELECT iif(rowid > 0, row_number() OVER (PARTITION BY rowid > 0 ORDER BY rowid), -row_number() OVER (PARTITION BY rowid > 0 ORDER BY rowid DESC)),
  id, at, actor, role, address, action, target, before, after, NULL
FROM audit;
DROP TABLE audit;
ALTER TABLE audit_chained RENAME TO audit;
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_target ON audit (target, id);
CREATE INDEX audit_by_at ON audit (at);
CREATE INDEX audit_secret_use ON audit (json_extract(after, '$.jobId'), target) WHERE action = 'secret.use';
-- The last entry of each chain that retention deleted: what is left begins with it.
CREATE TABLE audit_anchor (
  chain TEXT PRIMARY KEY,
  n INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
-- How far each destination outside has the chains.
CREATE TABLE audit_export (
  destination TEXT PRIMARY KEY,
  changes INTEGER NOT NULL,
  uses INTEGER NOT NULL
) STRICT;
