import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { RunningMaster } from '../contract/process.ts';
import { createApiClient, fetchTransport } from '../lib/api-client.ts';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { differingTables, sumTables } from './cluster/store-copy/table-sums.ts';
import { openClusterMaster, openMaster } from './master.fixture.ts';
import { copyStore } from './store-copy.ts';
import { migrations } from './store/sqlite/migrate.ts';
import { simple } from './testing/http.fixture.ts';
import { freshDatabase, query, type TestDatabase } from './testing/postgres.fixture.ts';

const NEWEST = migrations.at(-1)?.number ?? 0;
const secretsKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let worked: string;
beforeAll(async () => {
  worked = await workedFolder();
});
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const api = ({ ready }: RunningMaster) =>
  createApiClient(fetchTransport({ url: ready.url, token: ready.token }, fetch));
const copy = (from: string, to: string, key: string | null = secretsKey, snapshots: string | null = null) =>
  copyStore({ from, to, secretsKey: key, snapshots }, NEWEST, () => {});

/** The data folder of a master that has worked and ended: three jobs and a secret. */
function usedFolder(): string {
  const data = temporaryFolder('store');
  cpSync(worked, data, { recursive: true });
  return data;
}
async function workedFolder(): Promise<string> {
  const data = temporaryFolder('store');
  const master = await openMaster({ data, secretsKey });
  const { call } = api(master);
  await call('workflows.create', { body: { id: 'upper', name: 'Upper' } });
  const { hash } = await call('commits.create', {
    params: { id: 'upper' },
    json: JSON.stringify({ definition: simple, message: 'First', parent: null }),
  });
  await call('workflows.publish', { params: { id: 'upper', environment: 'dev' }, body: { hash, description: 'x' } });
  await call('secrets.set', { params: { name: 'KEY' }, body: { value: 'a-very-secret-value' } });
  for (let i = 0; i < 3; i++) await submit(master);
  await master.close();
  return data;
}
const submit = (master: RunningMaster) =>
  api(master).call('jobs.create', { body: { workflowId: 'upper', environment: 'dev', inputs: [{ content: 'x' }] } });
const jobIds = async (master: RunningMaster) =>
  (await api(master).call('jobs.list', { query: { size: 100 } })).items.map(({ id }) => id).toSorted();
const isReadable = async (master: RunningMaster) =>
  (await api(master).call('secrets.list')).items.map(({ name, readable }) => [name, readable]);

it('moves a master into PostgreSQL and back, with all that it knows', async () => {
  const data = usedFolder();
  const there = await copy(data, database.url);
  expect(there.secrets).toBe(1);
  expect(there.tables.find(({ table }) => table === 'job')).toMatchObject({ rows: 3 });

  const member = await openClusterMaster({ data: temporaryFolder('member'), store: database.url, secretsKey });
  const before = await jobIds(member);
  expect(before).toHaveLength(3);
  expect(await isReadable(member)).toEqual([['KEY', true]]);
  const { jobId } = await submit(member);
  // A second master makes its copy of what was put there, and of what came since.
  const standby = await openClusterMaster({ data: temporaryFolder('member'), store: database.url, secretsKey });
  await vi.waitUntil(
    async () => (await api(member).call('cluster.get')).masters.some(({ role }) => role === 'standby'),
    {
      timeout: 60_000,
    },
  );
  await expect(copy(database.url, temporaryFolder('busy'))).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  await standby.close();
  await member.close();

  const target = join(temporaryFolder('back'), 'data');
  const back = await copy(database.url, target);
  expect(back.clusterId).toBe(there.clusterId);
  const single = await openMaster({ data: target, secretsKey });
  expect(await jobIds(single)).toEqual([...before, jobId].toSorted());
  expect(await isReadable(single)).toEqual([['KEY', true]]);
  await single.close();
});

it('holds the same rows there and back', async () => {
  const data = usedFolder();
  const there = await copy(data, database.url);
  const target = join(temporaryFolder('back'), 'data');
  const back = await copy(database.url, target);
  expect(back.tables).toEqual(there.tables);
  expect(there.tables.length).toBeGreaterThan(10);
  // The source is as it was, and nothing is left beside it.
  expect(readdirSync(data).filter((name) => name.startsWith('store-copy'))).toEqual([]);
  const again = await openMaster({ data, secretsKey });
  expect(await jobIds(again)).toHaveLength(3);
  await again.close();
});

it('refuses a source that is in use, of a cluster, or newer, and leaves PostgreSQL as it was', async () => {
  const data = usedFolder();
  const master = await openMaster({ data, secretsKey });
  await expect(copy(data, database.url)).rejects.toMatchObject({ code: 'DATA_FOLDER_LOCKED' });
  await master.close();
  await expect(
    copyStore({ from: data, to: database.url, secretsKey, snapshots: null }, NEWEST - 1, () => {}),
  ).rejects.toMatchObject({
    code: 'SCHEMA_UNKNOWN',
  });
  await expect(copy(temporaryFolder('none'), database.url)).rejects.toMatchObject({ code: 'MASTER_NOT_FOUND' });
  await expect(copy(data, data)).rejects.toMatchObject({ code: 'USAGE' });
  // Half of it may be there: that is no state, and the next attempt begins anew.
  await copy(data, database.url);
  await expect(copy(data, database.url)).rejects.toMatchObject({ code: 'STORE_NOT_EMPTY' });
});

it('asks for the key that opens the secrets', async () => {
  const data = usedFolder();
  await expect(copy(data, database.url, null)).rejects.toThrow(/YARDMASTER_SECRETS_KEY.*secrets\.key/);
  await expect(copy(data, database.url, randomBytes(32).toString('base64'))).rejects.toThrow(
    'does not open the secrets',
  );
  await copy(data, database.url);
  await expect(copy(database.url, temporaryFolder('x'), randomBytes(32).toString('base64'))).rejects.toMatchObject({
    code: 'SECRETS_KEY_INVALID',
  });
});

it('takes up what a copy that was cut off left, and is no state to a master until it is whole', async () => {
  const data = usedFolder();
  const other = await freshDatabase();
  try {
    await copy(data, other.url);
    // As it was before its last step.
    await query(other.url, 'UPDATE yardmaster.partition SET epoch = 0');
    await query(other.url, 'UPDATE yardmaster.snapshot SET chunks = NULL, bytes = NULL');
    await copy(data, other.url);
    expect(await query(other.url, 'SELECT count(*)::int AS n FROM yardmaster.snapshot')).toEqual([{ n: 1 }]);
  } finally {
    await other.drop();
  }
});

it('refuses a folder that has something in it, and a database that has nothing', async () => {
  const data = usedFolder();
  await expect(copy(database.url, data)).rejects.toMatchObject({ code: 'FOLDER_NOT_EMPTY' });
  const target = join(temporaryFolder('back'), 'data');
  await expect(copy(database.url, target)).rejects.toMatchObject({ code: 'STORE_COPY_FAILED' });
  expect(existsSync(target)).toBe(false);
});

it('finds a row that changed on the way', async () => {
  const file = join(usedFolder(), 'yardmaster.db');
  const before = sumTables(file);
  const db = new Database(file);
  db.prepare('UPDATE job SET priority = priority + 1 WHERE seq = (SELECT min(seq) FROM job)').run();
  db.prepare('DELETE FROM secret').run();
  db.close();
  expect(differingTables(before, sumTables(file))).toEqual([
    'job (3 rows before, 3 after)',
    'secret (1 rows before, 0 after)',
  ]);
  expect(differingTables(before, before)).toEqual([]);
});

it('reads snapshots where the masters keep them', async () => {
  const { clusterId } = await copy(usedFolder(), database.url);
  const folder = temporaryFolder('snapshots');
  const chunks = await query<{ snapshot: string; index: number; body: Buffer }>(
    database.url,
    'DELETE FROM yardmaster.snapshot_chunk RETURNING snapshot, index, body',
  );
  for (const { snapshot, index, body } of chunks) {
    mkdirSync(join(folder, clusterId, snapshot), { recursive: true });
    writeFileSync(join(folder, clusterId, snapshot, String(index)), body);
  }
  const target = join(temporaryFolder('back'), 'data');
  await expect(copy(database.url, target)).rejects.toThrow('--snapshots');
  expect(existsSync(target)).toBe(false);
  const { tables } = await copy(database.url, target, secretsKey, folder);
  expect(tables.find(({ table }) => table === 'job')).toMatchObject({ rows: 3 });
});
