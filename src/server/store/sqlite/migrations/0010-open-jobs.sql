-- Jobs that have not finished though something of them failed: few, among all that failed. Those that run are found by
-- their status.
CREATE INDEX job_troubled ON job (status) WHERE finished_at IS NULL AND status <> 'RUNNING';
