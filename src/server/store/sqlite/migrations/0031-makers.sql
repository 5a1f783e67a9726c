-- Who approved a publication; null: nobody had to.
ALTER TABLE publication ADD COLUMN approved_by TEXT;
-- The person who made what belongs to nobody, and outlives them; null: no person, or made before this was kept.
ALTER TABLE token ADD COLUMN made_by_user TEXT;
ALTER TABLE api_key ADD COLUMN made_by_user TEXT;
