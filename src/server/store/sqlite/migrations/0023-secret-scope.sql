-- JSON of who may use the secret: `{workflows?, environments?, drafts}`. Those that are there already serve whatever was published, and no drafts.
ALTER TABLE secret ADD COLUMN scope TEXT NOT NULL DEFAULT '{"drafts":false}';
-- Each job notes a secret once: found by the job and the secret.
CREATE INDEX audit_secret_use ON audit (json_extract(after, '$.jobId'), target) WHERE action = 'secret.use';
