import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { query } from '../../testing/postgres.fixture.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import { openReplica } from '../replica/replica.ts';
import { startJournal, type JournalRig } from '../testing.fixture.ts';
import { folderBodies } from './folder.ts';
import { withBodies } from './with-bodies.ts';

let rig: JournalRig;
beforeEach(async () => {
  rig = await startJournal();
});
afterEach(() => rig.close());

/** An owner that has written something, and a folder for snapshots. */
async function written() {
  const folder = join(temporaryFolder('snapshots'), 'deep', 'cluster');
  const bodies = folderBodies(folder);
  await bodies.probe();
  const database = withBodies(rig.connect(), bodies);
  const { store } = await rig.own('a', rig.file());
  await store.durable();
  return { folder, database };
}

it('keeps snapshots in the folder, from which another master is rebuilt', async () => {
  const { folder, database } = await written();
  const replica = await rig.follow(rig.file(), database);
  await replica.takeSnapshot('b');
  await database.trim(1);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await query(rig.url, 'SELECT count(*)::int AS n FROM yardmaster.snapshot_chunk')).toEqual([{ n: 0 }]);
  // The journal before it is gone: this one has nothing but the snapshot.
  const other = await rig.follow(rig.file(), database);
  expect(other.position).toEqual(replica.position);
});

it('says what to do where a master does not see the folder', async () => {
  const { database } = await written();
  const replica = await rig.follow(rig.file(), database);
  await replica.takeSnapshot('b');
  await database.trim(1);
  await expect(openReplica({ copy: copyInThread(rig.file()), database: rig.connect(), log: () => {} })).rejects.toThrow(
    '--snapshots',
  );
});

it('drops what no restore needs, and keeps what lies in PostgreSQL readable', async () => {
  const { folder, database } = await written();
  const plain = rig.connect();
  const replica = await rig.follow(rig.file(), plain);
  await replica.takeSnapshot('b');
  const [inPostgres] = await plain.snapshots();
  const both = await rig.follow(rig.file(), database);
  expect(both.position).toEqual(replica.position);
  for (let i = 0; i < 3; i++) await both.takeSnapshot('b');
  await database.trim(2);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(Number((await database.snapshots())[0]?.id)).toBeGreaterThan(inPostgres?.id ?? 0);
});

it('keeps a new snapshot where a database that was restored left others of higher numbers', async () => {
  const { folder, database } = await written();
  for (const id of ['8', '9']) mkdirSync(join(folder, id), { recursive: true });
  const replica = await rig.follow(rig.file(), database);
  await replica.takeSnapshot('b');
  await database.trim(1);
  const [{ id } = {}] = await database.snapshots();
  expect(readdirSync(folder)).toEqual([String(id)]);
  expect((await rig.follow(rig.file(), database)).position).toEqual(replica.position);
});

it('names a folder that cannot be written to', async () => {
  await expect(folderBodies('/proc/nowhere').probe()).rejects.toMatchObject({ code: 'SNAPSHOTS_UNUSABLE' });
});
