-- What a second person has to agree to. `subject` is the JSON of what exactly is asked for; `snapshot` the jobs it is for.
CREATE TABLE approval (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  workflow_id TEXT,
  subject TEXT NOT NULL,
  request TEXT,
  snapshot TEXT,
  requested_by TEXT NOT NULL,
  requester TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  comment TEXT,
  override INTEGER NOT NULL DEFAULT 0,
  operation_id TEXT
) STRICT;
CREATE INDEX approval_by_status ON approval (status, id);

-- Until when an open request keeps these jobs; null: none does.
ALTER TABLE job_snapshot ADD COLUMN held_until INTEGER;
