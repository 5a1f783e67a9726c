-- Names that people give to versions of a workflow; a name stands at one version.
CREATE TABLE version_tag (
  workflow_id TEXT NOT NULL REFERENCES workflow (id),
  tag TEXT NOT NULL,
  hash TEXT NOT NULL REFERENCES version (hash),
  PRIMARY KEY (workflow_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX version_tag_by_hash ON version_tag (hash);
