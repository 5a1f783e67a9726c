-- Of a rerun: JSON of the version and of which jobs it takes besides those that failed.
ALTER TABLE operation ADD COLUMN rerun TEXT;
-- Of a rerun: the job that was begun.
ALTER TABLE operation_result ADD COLUMN new_job_id TEXT;
