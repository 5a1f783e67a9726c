import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { query } from '../../testing/postgres.fixture.ts';
import type { JournalDatabase } from '../journal/port.ts';
import { compressChunk } from '../replica/chunks.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import { openReplica } from '../replica/replica.ts';
import { CHUNK_BYTES } from '../replica/working-copy.ts';
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
  expect(await query(rig.url, 'SELECT count(*)::int AS n FROM yardmaster.snapshot_chunk WHERE index >= 0')).toEqual([
    { n: 0 },
  ]);
  // The journal before it is gone: this one has nothing but the snapshot.
  const other = await rig.follow(rig.file(), database);
  expect(other.position).toEqual(replica.position);
});

describe('a snapshot that somebody else has written into the folder', () => {
  const restored = (database: JournalDatabase) => rig.follow(rig.file(), database);
  /** With another setting, and all that a snapshot must have. */
  async function forged() {
    const { folder, database } = await written();
    await (await rig.follow(rig.file(), database)).takeSnapshot('b');
    await database.trim(1);
    const chunks = join(folder, readdirSync(folder)[0] ?? '');
    const parts = readdirSync(chunks).length;
    const whole = Buffer.concat(
      Array.from({ length: parts }, (_, i) => zstdDecompressSync(readFileSync(join(chunks, String(i))))),
    );
    const file = rig.file();
    writeFileSync(file, whole);
    const db = new Database(file);
    db.exec("INSERT INTO setting VALUES ('forged', 'true')");
    db.close();
    const changed = readFileSync(file);
    for (let i = 0; i * CHUNK_BYTES < changed.length; i++)
      writeFileSync(join(chunks, String(i)), compressChunk(changed.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES)));
    return { chunks, database };
  }

  it('is refused, valid as it is', async () => {
    const { database } = await forged();
    await expect(restored(database)).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('chunk 0 of the snapshot 1 is not the one that was put there'),
    });
  });

  it('would be believed where nothing was noted of it, as of snapshots of earlier versions', async () => {
    const { database } = await forged();
    await query(rig.url, 'DELETE FROM yardmaster.snapshot_chunk WHERE index = -1');
    expect((await restored(database)).position).not.toBeNull();
  });

  it('is not read where it is no chunk at all', async () => {
    const { chunks, database } = await forged();
    writeFileSync(join(chunks, '0'), Buffer.alloc(3 * 1024 * 1024));
    await expect(restored(database)).rejects.toThrow('is no file of at most');
    rmSync(join(chunks, '0'));
    mkdirSync(join(chunks, '0'));
    await expect(restored(database)).rejects.toThrow('is no file of at most');
  });
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
