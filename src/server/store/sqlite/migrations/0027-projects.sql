-- Workflows of a project are reached by whoever has a grant there, or one in all projects.
CREATE TABLE project (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- JSON array of paths whose values are masked in answers.
  masks TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
INSERT INTO project (id, name, created_at, created_by) VALUES ('default', 'Default', 0, 'yardmaster');
-- Named sets of actions beside the built-in roles.
CREATE TABLE role (
  id TEXT PRIMARY KEY,
  description TEXT,
  -- JSON array of actions.
  actions TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
-- Who has which role: in one project or in all (null), in some environments (JSON array) or in all (null).
CREATE TABLE role_grant (
  id TEXT PRIMARY KEY,
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('user', 'group')),
  subject TEXT NOT NULL,
  role TEXT NOT NULL,
  project TEXT REFERENCES project (id),
  environments TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;
CREATE INDEX role_grant_by_subject ON role_grant (subject_kind, subject);
-- Every workflow belongs to a project.
ALTER TABLE workflow ADD COLUMN project TEXT NOT NULL DEFAULT 'default';
CREATE INDEX workflow_by_project ON workflow (project, id);
