-- Many jobs may wait for approvals: those that no task waits for are found and counted without them.
CREATE INDEX approval_expiring ON approval (expires_at, id) WHERE status = 'open' AND task IS NULL;
-- Counts of the list, from the index alone.
CREATE INDEX approval_counted ON approval (status, workflow_id);
