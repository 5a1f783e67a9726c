-- What workers with this token may be given tasks of (JSON array of environments, null: all), and their labels.
ALTER TABLE token ADD COLUMN environments TEXT;
ALTER TABLE token ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';
-- The same of a worker, as it joined last.
ALTER TABLE worker ADD COLUMN environments TEXT;
