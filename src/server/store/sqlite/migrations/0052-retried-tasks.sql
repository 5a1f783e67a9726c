-- The few tasks that were tried more than once, for queries by attempts. Queries must repeat the condition to the letter.
CREATE INDEX task_retried ON task (job, attempt) WHERE attempt > 1;
