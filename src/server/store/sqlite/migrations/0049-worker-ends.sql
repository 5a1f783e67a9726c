-- How a worker that is Down came to its end, as JSON.
ALTER TABLE worker ADD COLUMN ended TEXT;
