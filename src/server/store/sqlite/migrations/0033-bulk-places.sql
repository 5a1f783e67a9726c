-- Workflows and environments of the jobs that a bulk operation, or a dry run, is about: JSON of pairs. Null: made before this was kept.
ALTER TABLE operation ADD COLUMN places TEXT;
ALTER TABLE job_snapshot ADD COLUMN places TEXT;
