import { ATTEMPT_TABLE, PROJECTED_TABLES, type ProjectedColumn } from './tables.ts';

/** Everything of the projection is in a schema of its own, which can be dropped without harm. */
export const PROJECTION_SCHEMA = 'yardmaster_sql';
/** May read the views and nothing else; it cannot sign in by itself. */
export const READER_ROLE = 'yardmaster_reader';

interface ProjectionMigration {
  readonly sql: string;
}

/** Each is applied once, in this order, and never changed: the next number is appended. What is in the tables afterwards is written anew. */
export const PROJECTION_MIGRATIONS: readonly ProjectionMigration[] = [
  {
    sql: `
CREATE TABLE yardmaster_sql.project (id text PRIMARY KEY, name text, created_at timestamptz);
CREATE TABLE yardmaster_sql.workflow (
  id text PRIMARY KEY, name text, description text, project text,
  created_at timestamptz, updated_at timestamptz, archived_at timestamptz
);
CREATE TABLE yardmaster_sql.version (
  seq bigint PRIMARY KEY, hash text, workflow_id text, parent text, message text, author_name text, created_at timestamptz
);
CREATE INDEX ON yardmaster_sql.version (hash);
CREATE TABLE yardmaster_sql.publication (
  id text PRIMARY KEY, workflow_id text, environment text, hash text, previous_hash text, description text,
  published_by text, published_at timestamptz
);
CREATE INDEX ON yardmaster_sql.publication (workflow_id, environment, published_at);
CREATE TABLE yardmaster_sql.job (
  seq bigint PRIMARY KEY, id text, external_id text, workflow_id text, environment text, commit_hash text, kind text,
  status text, input_count bigint, priority int, duration_ms bigint,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, killed_at timestamptz, failure_at timestamptz,
  ready bigint, scheduled bigint, running bigint, completed bigint, failed bigint, schedule_timeout bigint, run_timeout bigint,
  failure_task text, failure_node text, failure_code text, rerun_of text, rerun_node text, parent_job_id text,
  failure_message text, labels jsonb
);
CREATE INDEX ON yardmaster_sql.job (id);
CREATE INDEX ON yardmaster_sql.job (created_at);
CREATE INDEX ON yardmaster_sql.job (external_id) WHERE external_id IS NOT NULL;
CREATE TABLE yardmaster_sql.task (
  seq bigint PRIMARY KEY, job bigint, id text, node text, type text, state text, worker_id text, port text, error_code text,
  replica bigint, item bigint, attempt int, retry_count int,
  ready_at timestamptz, scheduled_at timestamptz, started_at timestamptz, finished_at timestamptz, retry_at timestamptz,
  error_retryable boolean, error_message text
);
CREATE INDEX ON yardmaster_sql.task (job);
CREATE INDEX ON yardmaster_sql.task (ready_at);
CREATE VIEW yardmaster_sql.yardmaster_project AS SELECT id, name, created_at FROM yardmaster_sql.project;
CREATE VIEW yardmaster_sql.yardmaster_workflow AS
  SELECT id, name, description, project, created_at, updated_at, archived_at FROM yardmaster_sql.workflow;
CREATE VIEW yardmaster_sql.yardmaster_version AS
  SELECT hash, workflow_id, parent, message, author_name AS author, created_at, seq AS number FROM yardmaster_sql.version;
CREATE VIEW yardmaster_sql.yardmaster_publication AS
  SELECT id, workflow_id, environment, hash, previous_hash, description, published_by, published_at,
    lead(published_at) OVER (PARTITION BY workflow_id, environment ORDER BY id) AS replaced_at
  FROM yardmaster_sql.publication;
CREATE VIEW yardmaster_sql.yardmaster_job AS
  SELECT j.id, j.external_id, j.workflow_id, w.name AS workflow_name, w.project, j.environment, j.commit_hash, j.kind,
    j.status, j.priority, j.input_count, j.created_at, j.updated_at, j.finished_at, j.killed_at, j.duration_ms,
    j.ready AS tasks_ready, j.scheduled AS tasks_scheduled, j.running AS tasks_running, j.completed AS tasks_completed,
    j.failed AS tasks_failed, j.schedule_timeout AS tasks_schedule_timeout, j.run_timeout AS tasks_run_timeout,
    j.failure_task AS failure_task_id, j.failure_node, j.failure_code, j.failure_message, j.failure_at, j.labels,
    j.rerun_of, j.rerun_node, j.parent_job_id
  FROM yardmaster_sql.job j LEFT JOIN yardmaster_sql.workflow w ON w.id = j.workflow_id;
CREATE VIEW yardmaster_sql.yardmaster_task AS
  SELECT t.id, j.id AS job_id, j.workflow_id, j.environment, t.node, t.type, t.replica, t.item, t.state, t.attempt,
    t.retry_count, t.worker_id, t.ready_at, t.scheduled_at, t.started_at, t.finished_at, t.retry_at,
    (extract(epoch FROM t.started_at - t.ready_at) * 1000)::bigint AS wait_ms,
    (extract(epoch FROM t.finished_at - t.started_at) * 1000)::bigint AS run_ms,
    t.port, t.error_code, t.error_message, t.error_retryable
  FROM yardmaster_sql.task t JOIN yardmaster_sql.job j ON j.seq = t.job;
CREATE VIEW yardmaster_sql.yardmaster_projection AS
  SELECT turn, turn > 0 AS complete, extras, written_at, seen_at, trouble FROM yardmaster_sql.projection;
`,
  },
  {
    sql: `
CREATE TABLE yardmaster_sql.attempt (
  task bigint, attempt int, state text, worker_id text, error_code text,
  ready_at timestamptz, scheduled_at timestamptz, started_at timestamptz, finished_at timestamptz,
  error_retryable boolean, error_message text, PRIMARY KEY (task, attempt)
);
CREATE INDEX ON yardmaster_sql.attempt (started_at);
CREATE VIEW yardmaster_sql.yardmaster_attempt AS
  SELECT t.id AS task_id, j.id AS job_id, j.workflow_id, j.environment, t.node, t.type, t.replica, t.item,
    a.attempt, a.attempt = t.attempt AS latest, a.state, a.worker_id, a.ready_at, a.scheduled_at, a.started_at, a.finished_at,
    (extract(epoch FROM a.started_at - a.ready_at) * 1000)::bigint AS wait_ms,
    (extract(epoch FROM a.finished_at - a.started_at) * 1000)::bigint AS run_ms,
    a.error_code, a.error_message, a.error_retryable
  FROM yardmaster_sql.attempt a JOIN yardmaster_sql.task t ON t.seq = a.task JOIN yardmaster_sql.job j ON j.seq = t.job;
`,
  },
];

/** Where rows go, and by which column those are found that are no more. */
const TARGETS: readonly {
  name: string;
  key: readonly string[];
  columns: readonly ProjectedColumn[];
  goneBy: string;
}[] = [
  ...PROJECTED_TABLES.map(({ name, key, columns }) => ({ name, key: [key], columns, goneBy: key })),
  { ...ATTEMPT_TABLE, goneBy: 'task' },
];

/** `turn`: everything up to it is in the tables, and maybe some of what came since; 0: not everything is there yet. */
export const CREATE_PROJECTION = `
DO $$ BEGIN
  -- An administrator may have made it for a user who may not.
  IF to_regnamespace('${PROJECTION_SCHEMA}') IS NULL THEN CREATE SCHEMA ${PROJECTION_SCHEMA}; END IF;
END $$;
CREATE TABLE IF NOT EXISTS ${PROJECTION_SCHEMA}.projection (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format int NOT NULL DEFAULT 0,
  turn bigint NOT NULL DEFAULT 0,
  build text NOT NULL DEFAULT '',
  extras text NOT NULL DEFAULT '',
  wanted boolean NOT NULL DEFAULT false,
  holder text,
  holder_role text,
  generation bigint NOT NULL DEFAULT 0,
  held_at timestamptz,
  seen_at timestamptz,
  written_at timestamptz,
  trouble text
);
INSERT INTO ${PROJECTION_SCHEMA}.projection DEFAULT VALUES ON CONFLICT DO NOTHING;
`;

export const TRUNCATE_TABLES = `TRUNCATE ${TARGETS.map(({ name }) => `${PROJECTION_SCHEMA}.${name}`).join(', ')}`;

const VIEWS = [...TARGETS.map(({ name }) => name), 'projection'].map(
  (name) => `${PROJECTION_SCHEMA}.yardmaster_${name}`,
);

export const CREATE_READER = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN CREATE ROLE ${READER_ROLE} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;
export const GRANT_READER = `
GRANT USAGE ON SCHEMA ${PROJECTION_SCHEMA} TO ${READER_ROLE};
GRANT SELECT ON ${VIEWS.join(', ')} TO ${READER_ROLE}`;

/** One statement for a table: $1 the rows, a JSON array. */
export const UPSERTS: ReadonlyMap<string, string> = new Map(
  TARGETS.map(({ name, key, columns }) => {
    const table = `${PROJECTION_SCHEMA}.${name}`;
    const names = columns.map((column) => column.name);
    const sets = names.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
    return [
      name,
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.join(', ')} FROM json_populate_recordset(NULL::${table}, $1) ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets.join(', ')}`,
    ];
  }),
);

/** $1: keys that are no more, a JSON array. */
export const DELETES: ReadonlyMap<string, string> = new Map(
  TARGETS.map(({ name, goneBy, columns }) => {
    const type = columns.find((column) => column.name === goneBy)?.type === 'integer' ? 'bigint' : 'text';
    return [
      name,
      `DELETE FROM ${PROJECTION_SCHEMA}.${name} WHERE ${goneBy} IN (SELECT value::${type} FROM json_array_elements_text($1))`,
    ];
  }),
);
