-- The trace that a job is part of: TRACE-PARENT-FLAGS of W3C Trace Context.
ALTER TABLE job ADD COLUMN trace TEXT;
CREATE INDEX job_by_trace ON job (substr(trace, 1, 32)) WHERE trace IS NOT NULL;
