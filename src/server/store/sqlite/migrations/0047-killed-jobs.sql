-- The few jobs that were killed, for lists of those that are shown as cancelled.
CREATE INDEX job_killed ON job (seq) WHERE killed_at IS NOT NULL;
