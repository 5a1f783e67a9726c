-- The token that a worker's ID belongs to; null: it joined before this was kept.
ALTER TABLE worker ADD COLUMN token_id TEXT;
