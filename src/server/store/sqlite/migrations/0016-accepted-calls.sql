-- The status of its job that the first call of a key was told with a 202; null: it was told no 202. Repeats are told the same.
ALTER TABLE idempotency ADD COLUMN accepted TEXT;
