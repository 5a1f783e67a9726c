-- Dashboards that operators make; those built in are code.
CREATE TABLE dashboard (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  definition TEXT NOT NULL,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;
