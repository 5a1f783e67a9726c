-- API keys, secrets and dashboards belong to a project, too. What is there already goes where the one project of the workflows
-- lies that it names, else to the default one.
ALTER TABLE api_key ADD COLUMN project TEXT NOT NULL DEFAULT 'default';
ALTER TABLE secret ADD COLUMN project TEXT NOT NULL DEFAULT 'default';
ALTER TABLE dashboard ADD COLUMN project TEXT NOT NULL DEFAULT 'default';
UPDATE api_key SET project = coalesce((
  SELECT min(w.project) FROM json_each(api_key.workflows) AS named JOIN workflow AS w ON w.id = named.value
  HAVING count(DISTINCT w.project) = 1), 'default');
UPDATE secret SET project = coalesce((
  SELECT min(w.project) FROM json_each(secret.scope, '$.workflows') AS named JOIN workflow AS w ON w.id = named.value
  HAVING count(DISTINCT w.project) = 1), 'default');
