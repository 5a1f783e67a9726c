-- Test cases of workflows: the JSON of a list.
CREATE TABLE workflow_test (
  workflow_id TEXT PRIMARY KEY,
  cases TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;
