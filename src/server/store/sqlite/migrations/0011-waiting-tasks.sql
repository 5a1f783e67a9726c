-- Tasks of a job that wait for a retry, past any number of those that failed for good: a kill asks for them slice by slice.
CREATE INDEX task_waiting ON task (job) WHERE retry_at IS NOT NULL;
