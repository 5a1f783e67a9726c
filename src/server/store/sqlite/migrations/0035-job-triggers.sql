-- What started a job where neither its kind nor its origin tells: a schedule, a backfill or a webhook, its ID, and the due time in milliseconds.
ALTER TABLE job ADD COLUMN trigger_kind TEXT;
ALTER TABLE job ADD COLUMN trigger_id TEXT;
ALTER TABLE job ADD COLUMN trigger_due INTEGER;
CREATE INDEX job_by_trigger ON job (trigger_id) WHERE trigger_id IS NOT NULL;
CREATE INDEX job_by_trigger_kind ON job (trigger_kind) WHERE trigger_kind IS NOT NULL;
