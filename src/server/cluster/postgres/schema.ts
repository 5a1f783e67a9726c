/**
 * Tables of the cluster, all in the schema `yardmaster`. The partition's number is in every one of them: today there is
 * one, number 0. (id, epoch) of `partition` is a key, so that a takeover, which changes it, waits for the appends that hold
 * the row FOR KEY SHARE; a renewal changes no key and waits for nobody.
 */
export const FORMAT = 1;
export const SCHEMA = 'yardmaster';

export const CREATE_TABLES = `
DO $$ BEGIN
  -- IF NOT EXISTS would ask for the right to create one also where an administrator has made it.
  IF to_regnamespace('yardmaster') IS NULL THEN CREATE SCHEMA yardmaster; END IF;
END $$;
CREATE TABLE IF NOT EXISTS yardmaster.cluster (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  id text NOT NULL,
  format int NOT NULL,
  key_check text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE IF NOT EXISTS yardmaster.partition (
  id int PRIMARY KEY,
  epoch bigint NOT NULL,
  owner text,
  owner_url text,
  lease_until timestamptz NOT NULL,
  renewed_at timestamptz NOT NULL,
  backend_pid int,
  backend_start timestamptz,
  handover_to text,
  UNIQUE (id, epoch)
);
CREATE TABLE IF NOT EXISTS yardmaster.journal_statement (hash text PRIMARY KEY, text text NOT NULL);
CREATE TABLE IF NOT EXISTS yardmaster.journal_entry (
  partition int NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  epoch bigint NOT NULL,
  body bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (partition, first)
);
ALTER TABLE yardmaster.journal_entry ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS yardmaster.snapshot (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partition int NOT NULL,
  epoch bigint NOT NULL,
  turn bigint NOT NULL,
  schema int NOT NULL,
  by text NOT NULL,
  bytes bigint,
  chunks int,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE IF NOT EXISTS yardmaster.snapshot_chunk (
  snapshot bigint NOT NULL REFERENCES yardmaster.snapshot ON DELETE CASCADE,
  index int NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (snapshot, index)
);
ALTER TABLE yardmaster.snapshot_chunk ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE IF NOT EXISTS yardmaster.master (
  id text PRIMARY KEY,
  url text NOT NULL,
  role text NOT NULL,
  version text NOT NULL,
  seq bigint NOT NULL,
  lag_ms bigint NOT NULL,
  started_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS yardmaster.failover (
  partition int NOT NULL,
  epoch bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  from_master text,
  to_master text NOT NULL,
  reason text NOT NULL,
  last_sign_at timestamptz NOT NULL,
  gap_ms bigint,
  PRIMARY KEY (partition, epoch)
);
INSERT INTO yardmaster.partition (id, epoch, lease_until, renewed_at) VALUES (0, 0, clock_timestamp(), clock_timestamp()) ON CONFLICT DO NOTHING;
`;

/** For an administrator, where the master's own user may not create the schema. */
export const grantSql = (user: string, database: string): string =>
  `GRANT CREATE ON DATABASE "${database}" TO "${user}";  -- or: CREATE SCHEMA yardmaster AUTHORIZATION "${user}";`;
