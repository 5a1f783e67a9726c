-- Priority of jobs; the API key that a job came under; limits of keys and of workflows.

ALTER TABLE job ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
-- `api_key.seq`.
ALTER TABLE job ADD COLUMN key_seq INTEGER;
-- Jobs that wait, by turns: `seq` before `ready`, so that the round over them and their counts are read from here alone.
-- A job all of whose tasks are handed out as it is made never comes here.
CREATE INDEX job_waiting ON job (priority, seq, ready) WHERE ready > 0;

-- A short number for a job's row; ids are longer than all else there.
ALTER TABLE api_key ADD COLUMN seq INTEGER;
UPDATE api_key SET seq = rowid;
CREATE UNIQUE INDEX api_key_by_seq ON api_key (seq);
-- JSON `{eventsPerSecond, concurrency}`; null: no limits of its own.
ALTER TABLE api_key ADD COLUMN limits TEXT;
ALTER TABLE workflow ADD COLUMN limits TEXT;
