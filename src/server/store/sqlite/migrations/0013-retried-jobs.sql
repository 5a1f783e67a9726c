-- When a job was last made to go on by a retry by hand: how long it took is counted from there too.
ALTER TABLE job ADD COLUMN retried_at INTEGER;
