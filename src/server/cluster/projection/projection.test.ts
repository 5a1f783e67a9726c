import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MasterOptions, RunningMaster } from '../../../contract/process.ts';
import { createApiClient, fetchTransport } from '../../../lib/api-client.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openClusterMaster } from '../../master.fixture.ts';
import { simple } from '../../testing/http.fixture.ts';
import { freshDatabase, query, type TestDatabase } from '../../testing/postgres.fixture.ts';

const SECRET = 'a-very-secret-value';
const secretsKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let masters: RunningMaster[];
let lines: string[];
beforeEach(async () => {
  database = await freshDatabase();
  masters = [];
  lines = [];
});
afterEach(async () => {
  for (const master of masters.reverse()) await master.close();
  await database.drop();
});

async function open(over: Partial<MasterOptions> = {}): Promise<RunningMaster> {
  const master = await openClusterMaster({
    data: temporaryFolder('member'),
    store: database.url,
    secretsKey,
    projection: [],
    log: (line) => void lines.push(line),
    ...over,
  });
  masters.push(master);
  return master;
}
const api = ({ ready }: RunningMaster) =>
  createApiClient(fetchTransport({ url: ready.url, token: ready.token }, fetch)).call;
const SLOW = { interval: 50 };

async function publish(master: RunningMaster): Promise<void> {
  await api(master)('workflows.create', { body: { id: 'upper', name: 'Upper' } });
  const { hash } = await api(master)('commits.create', {
    params: { id: 'upper' },
    json: JSON.stringify({ definition: simple, message: 'First', parent: null }),
  });
  await api(master)('workflows.publish', {
    params: { id: 'upper', environment: 'dev' },
    body: { hash, description: 'the first' },
  });
  await api(master)('secrets.set', { params: { name: 'KEY' }, body: { value: SECRET } });
}
const submit = (master: RunningMaster) =>
  api(master)('jobs.create', {
    body: {
      workflowId: 'upper',
      environment: 'dev',
      inputs: [{ content: `input ${SECRET}` }],
      labels: { team: 'label-of-a-job' },
    },
  });
const jobsThere = async () =>
  (await query<{ id: string }>(database.url, 'SELECT id FROM yardmaster_sql.yardmaster_job ORDER BY id')).map(
    ({ id }) => id,
  );
const hasJobs = (count: number) => vi.waitUntil(async () => (await jobsThere().catch(() => [])).length === count, SLOW);
const stands = async (master: RunningMaster) => (await api(master)('cluster.get')).projection;

it('has what the master has, goes on after a restart, and is dropped once nobody writes it', async () => {
  const data = temporaryFolder('member');
  const first = await open({ data });
  await publish(first);
  const { jobId } = await submit(first);
  await hasJobs(1);
  expect(await query(database.url, 'SELECT * FROM yardmaster_sql.yardmaster_job')).toMatchObject([
    { id: jobId, workflow_id: 'upper', workflow_name: 'Upper', environment: 'dev', status: 'RUNNING', labels: null },
  ]);
  expect(await query(database.url, 'SELECT * FROM yardmaster_sql.yardmaster_publication')).toMatchObject([
    { workflow_id: 'upper', environment: 'dev', description: 'the first', replaced_at: null },
  ]);
  expect(await stands(first)).toMatchObject({
    master: expect.any(String),
    complete: true,
    extras: [],
    trouble: null,
  });
  await expect(api(first)('cluster.dropProjection')).rejects.toMatchObject({ code: 'PROJECTION_IN_USE' });
  await first.close();
  masters.pop();

  const second = await open({ data });
  await submit(second);
  await hasJobs(2);
  await query(database.url, 'DELETE FROM yardmaster_sql.job');
  await api(second)('cluster.rebuildProjection');
  await hasJobs(2);
  await second.close();
  masters.pop();

  const third = await open({ data, projection: null });
  expect(existsSync(join(data, 'projection.db'))).toBe(false);
  expect(await stands(third)).toMatchObject({ master: null, trouble: 'no master writes it' });
  await api(third)('cluster.dropProjection');
  expect(await stands(third)).toBeUndefined();
  await expect(api(third)('cluster.dropProjection')).rejects.toMatchObject({ code: 'NO_PROJECTION' });
  await expect(api(third)('cluster.rebuildProjection')).rejects.toMatchObject({ code: 'NO_PROJECTION' });
});

it('holds no inputs, secrets or labels, and these last only where they are named', async () => {
  const master = await open();
  await publish(master);
  await submit(master);
  await hasJobs(1);
  const all = async () => {
    const names = await query<{ name: string }>(
      database.url,
      "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_schema = 'yardmaster_sql'",
    );
    const rows = [];
    for (const { name } of names) rows.push(...(await query(database.url, `SELECT * FROM ${name}`)));
    return JSON.stringify(rows);
  };
  expect(await all()).toContain('upper');
  expect(await all()).not.toContain(SECRET);
  expect(await all()).not.toContain('label-of-a-job');
  await master.close();
  masters.pop();
  const other = await open({ projection: ['labels', 'messages'] });
  await vi.waitUntil(async () => (await all()).includes('label-of-a-job'), SLOW);
  expect(await all()).not.toContain(SECRET);
  expect((await stands(other))?.extras).toEqual(['labels', 'messages']);
});

it('lets a reader see the views and nothing else', async () => {
  const master = await open();
  await publish(master);
  await submit(master);
  await hasJobs(1);
  const name = `reader_${randomBytes(4).toString('hex')}`;
  await query(database.url, `CREATE ROLE ${name} LOGIN PASSWORD 'x' IN ROLE yardmaster_reader`);
  try {
    const as = new URL(database.url);
    as.username = name;
    as.password = 'x';
    expect(await query(as.href, 'SELECT id FROM yardmaster_sql.yardmaster_job')).toHaveLength(1);
    for (const refused of [
      'SELECT * FROM yardmaster_sql.job',
      'SELECT * FROM yardmaster.journal_entry',
      'DELETE FROM yardmaster_sql.yardmaster_project',
      'CREATE TABLE yardmaster_sql.mine (id int)',
    ])
      await expect(query(as.href, refused)).rejects.toMatchObject({ code: '42501' });
  } finally {
    await query(database.url, `DROP ROLE ${name}`);
  }
});

it('falls behind while somebody holds a lock, says so, and catches up; calls go on', async () => {
  const master = await open();
  await publish(master);
  await submit(master);
  await hasJobs(1);
  const user = new pg.Client({ connectionString: database.url });
  await user.connect();
  try {
    await user.query('BEGIN; LOCK TABLE yardmaster_sql.job IN ACCESS EXCLUSIVE MODE');
    await submit(master);
    await vi.waitUntil(async () => (await stands(master))?.trouble?.includes('lock timeout'), SLOW);
    await submit(master);
    expect((await stands(master))?.lagMs).toBeGreaterThan(0);
  } finally {
    await user.query('COMMIT');
    await user.end();
  }
  await hasJobs(3);
  await vi.waitUntil(async () => (await stands(master))?.trouble === null, SLOW);
  expect(lines.join('\n')).toContain('projection: canceling statement due to lock timeout; it falls behind');
});

it('says what an administrator has to run where it may create nothing, and goes on once that is done', async () => {
  const name = `plain_${randomBytes(4).toString('hex')}`;
  await query(database.url, `CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
  await query(database.url, `CREATE SCHEMA yardmaster AUTHORIZATION ${name}`);
  const as = new URL(database.url);
  as.username = name;
  as.password = 'x';
  try {
    const master = await open({ store: as.href });
    await publish(master);
    await submit(master);
    await vi.waitUntil(async () => (await stands(master))?.trouble?.includes('CREATE SCHEMA yardmaster_sql'), SLOW);
    await query(database.url, `CREATE SCHEMA yardmaster_sql AUTHORIZATION ${name}`);
    await hasJobs(1);
  } finally {
    for (const master of masters.splice(0)) await master.close();
    await query(database.url, `DROP OWNED BY ${name} CASCADE`);
    await query(database.url, `DROP ROLE ${name}`);
  }
});

it('is taken over by a standby where the master that writes ends', async () => {
  const first = await open();
  await publish(first);
  await submit(first);
  await hasJobs(1);
  const before = (await stands(first))?.master;
  const second = await open();
  await vi.waitUntil(
    async () => (await api(first)('cluster.get')).masters.some(({ role }) => role === 'standby'),
    SLOW,
  );
  await first.close();
  masters.shift();
  await submit(second);
  await hasJobs(2);
  const after = (await stands(second))?.master;
  expect(after).not.toBe(before);
});

it('answers the queries of the documentation', async () => {
  const master = await open({ projection: ['messages', 'labels'] });
  await publish(master);
  await submit(master);
  await hasJobs(1);
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/sql.md'), 'utf8');
  const queries = [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = '']) => sql);
  expect(queries).toHaveLength(10);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(
      "CREATE SCHEMA shop; CREATE TABLE shop.orders (id text, customer text); INSERT INTO shop.orders VALUES ('o-1', 'A'), ('o-2', 'B')",
    );
    // What two finished jobs, one of them failed, would be; the writer leaves rows alone that do not change.
    await client.query(`
      INSERT INTO yardmaster_sql.job (seq, id, external_id, workflow_id, environment, commit_hash, status, created_at, finished_at, duration_ms, failure_at, failure_node, failure_code)
      SELECT 1000 + n, 'j' || n, 'o-' || n, 'upper', 'dev', (SELECT hash FROM yardmaster_sql.version), CASE n WHEN 1 THEN 'COMPLETED' ELSE 'FAILED' END,
        now() - interval '2 hours', now(), 500 * n, CASE n WHEN 2 THEN now() END, CASE n WHEN 2 THEN 'a' END, CASE n WHEN 2 THEN 'BOOM' END
      FROM generate_series(1, 2) n`);
    await client.query(`
      INSERT INTO yardmaster_sql.task (seq, job, id, node, type, state, worker_id, replica, attempt, retry_count, ready_at, started_at, finished_at)
      SELECT 1000 + n, 1000 + n, 't' || n, 'a', 'code', CASE n WHEN 1 THEN 'COMPLETED' ELSE 'FAILED' END, 'worker-' || n, 0, 1, 0,
        now() - interval '3 s', now() - interval '2 s', now() - interval '1 s' FROM generate_series(1, 2) n`);
    // The first failed at worker-2 before.
    await client.query(`
      INSERT INTO yardmaster_sql.attempt (task, attempt, state, worker_id, started_at)
      VALUES (1001, 1, 'FAILED', 'worker-2', now()), (1001, 2, 'COMPLETED', 'worker-1', now()), (1002, 1, 'FAILED', 'worker-2', now())`);
    await client.query(
      "UPDATE yardmaster_sql.job SET created_at = now() - interval '2 hours' WHERE finished_at IS NULL",
    );
    await client.query('SET search_path = yardmaster_sql');
    const answers = [];
    for (const sql of queries) answers.push((await client.query<Record<string, unknown>>(sql)).rows);
    expect(answers.map((rows) => rows[0])).toMatchObject([
      { workflow_id: 'upper', environment: 'dev', status: 'COMPLETED', jobs: '1' },
      { finished: '2', failed_percent: '50.0' },
      { workflow_id: 'upper', jobs: '1', p50_ms: 500, p95_ms: 500 },
      { failure_node: 'a', failure_code: 'BOOM', jobs: '1' },
      { workflow_id: 'upper', message: 'First', jobs: '2', failed: '1' },
      { workflow_id: 'upper', description: 'the first', jobs: '2', failed: '1' },
      { node: 'a', type: 'code', tasks: '2', wait_ms: '1000', run_ms: '1000' },
      { worker_id: 'worker-2', attempts: '2', failed_percent: '100.0' },
      { workflow_id: 'upper', status: 'RUNNING' },
      { id: 'o-2', customer: 'B', job_id: 'j2', status: 'FAILED', failure_code: 'BOOM' },
    ]);
  } finally {
    await client.end();
  }
});
