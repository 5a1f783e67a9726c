import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';
import { openRig, workflow } from '../testing/engine.fixture.ts';
import { done } from '../testing/worker.fake.ts';
import { sumsFile } from '../store/sqlite/page-sums.ts';
import { repairDatabase } from './repair.ts';
import { verifyDatabase } from './verify-folder.ts';

let folder: string;
let file: string;
let backup: string;
beforeEach(async () => {
  const rig = await openRig();
  const worker = await rig.worker({ capacity: 8 });
  for (const n of ['short', 'x'.repeat(50_000)]) {
    const job = await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ n }]);
    const lease = await worker.lease();
    worker.report(done(lease, lease.input));
    await rig.jobs.wait(job, 60);
  }
  await rig.close();
  file = rig.file;
  folder = dirname(file);
  backup = join(temporaryFolder('backup'), 'backup.db');
  copyFileSync(file, backup);
});

/** In a database whose pages have no sums, as those of an earlier version. */
function spoil(sql: string): void {
  const db = new Database(file);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  rmSync(sumsFile(file), { force: true });
}

it('finds nothing to do where all is sound, and makes no copies', () => {
  expect(verifyDatabase(folder).damages).toEqual([]);
  expect(repairDatabase(folder, backup, 1)).toEqual({ restored: [], lost: [], gone: [], kept: [] });
});

it('restores texts from a backup that has them as they were written, and keeps the file as it was', () => {
  spoil(`UPDATE task SET output = replace(output, 'short', 'shorT') WHERE output LIKE '%short%'`);
  spoil(`UPDATE payload SET text = replace(text, 'x"', 'y"')`);
  expect(verifyDatabase(folder).damages).toHaveLength(3);
  expect(repairDatabase(folder, null, 1)).toMatchObject({ restored: [], lost: { length: 3 }, kept: [] });
  const { restored, lost, kept } = repairDatabase(folder, backup, 2);
  expect(restored).toEqual([
    expect.stringMatching(/^the output of task/),
    expect.stringMatching(/^the input of task/),
    expect.stringMatching(/^the output of task/),
  ]);
  expect(lost).toEqual([]);
  expect(kept).toContain('yardmaster.db.damaged-2');
  expect(verifyDatabase(folder).damages).toEqual([]);
  expect(readFileSync(join(folder, 'yardmaster.db.damaged-2')).includes('shorT')).toBe(true);
});

it('takes nothing from a backup that is not what was written', () => {
  spoil(`UPDATE task SET output = '{"n":"other"}' WHERE output LIKE '%short%'`);
  copyFileSync(file, backup);
  const { restored, lost } = repairDatabase(folder, backup, 1);
  expect(restored).toEqual([]);
  expect(lost).toEqual([expect.stringMatching(/^the output of task .*: the backup does not have it either$/)]);
});

it('puts a flipped bit of a page right without any backup, and lists a page with more', () => {
  const whole = readFileSync(file);
  const spoiled = Buffer.from(whole);
  const at = whole.indexOf('"short"');
  spoiled[at + 1] = (spoiled[at + 1] ?? 0) ^ 2;
  writeFileSync(file, spoiled);
  expect(verifyDatabase(folder).damages.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^page \d+ of task is not what was written/),
    expect.stringMatching(/^the (input|output) of task/),
  ]);
  expect(repairDatabase(folder, null, 4)).toMatchObject({
    restored: ['yardmaster.db: 1 pages with one flipped bit each'],
    lost: [],
  });
  expect(readFileSync(file).subarray(4096).equals(whole.subarray(4096))).toBe(true);

  spoiled[at + 2] = (spoiled[at + 2] ?? 0) ^ 4;
  writeFileSync(file, spoiled);
  expect(repairDatabase(folder, null, 5)).toMatchObject({
    restored: [],
    lost: [expect.stringMatching(/^the (input|output) of task/), expect.stringMatching(/^page \d+ of task/)],
    kept: expect.arrayContaining(['yardmaster.db.damaged-5']),
  });
});

it('counts a page as restored with the text on it, and takes it as it is where somebody accepts that', () => {
  const whole = readFileSync(file);
  const spoiled = Buffer.from(whole);
  const at = whole.lastIndexOf('"short"');
  for (const [i, mask] of [3, 5].entries()) spoiled[at + 1 + i] = (spoiled[at + 1 + i] ?? 0) ^ mask;
  writeFileSync(file, spoiled);
  expect(repairDatabase(folder, backup, 6)).toMatchObject({ restored: { length: 1 }, lost: [], gone: [] });
  expect(verifyDatabase(folder).damages).toEqual([]);

  // The id of a task: nothing else says what it was.
  const again = readFileSync(file);
  const id = again.indexOf('COMPLETED');
  for (const [i, mask] of [3, 5].entries()) again[id + i] = (again[id + i] ?? 0) ^ mask;
  writeFileSync(file, again);
  const { damages } = verifyDatabase(folder);
  expect(damages[0]?.what).toMatch(/^page \d+ of/);
  expect(repairDatabase(folder, backup, 7).lost).toContain(damages[0]?.what);
  repairDatabase(folder, backup, 8, true);
  expect(verifyDatabase(folder).damages.filter(({ place }) => place.startsWith('page'))).toEqual([]);
});

describe('a damaged write-ahead log', () => {
  const frame = 4096 + 24;
  function leaveLog(...bits: number[]): void {
    const db = new Database(file);
    db.exec('CREATE TABLE note (text TEXT)');
    for (let n = 0; n < 20; n++) db.prepare('INSERT INTO note VALUES (?)').run(`note ${n}`);
    const copies = ['', '-wal', '-shm'].map((suffix) => [suffix, readFileSync(file + suffix)] as const);
    db.close();
    for (const [suffix, bytes] of copies) {
      if (suffix === '-wal') for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(file + suffix, bytes);
    }
  }
  const notes = () => {
    const db = new Database(file, { readonly: true });
    const n = db.prepare<[], number>('SELECT count(*) FROM note').pluck().get();
    db.close();
    return n;
  };

  it('is put right where one bit was flipped', () => {
    leaveLog((32 + 8 * frame + 1000) * 8);
    expect(verifyDatabase(folder).damages).toMatchObject([{ file: 'yardmaster.db-wal' }]);
    expect(repairDatabase(folder, null, 3)).toMatchObject({
      restored: ['yardmaster.db-wal: 1 flipped bit'],
      lost: [],
      gone: [],
      kept: ['yardmaster.db.damaged-3', 'yardmaster.db-wal.damaged-3', 'yardmaster.db-shm.damaged-3'],
    });
    expect(notes()).toBe(20);
    expect(verifyDatabase(folder).damages).toEqual([]);
  });

  it('is given up behind what cannot be put right: told, kept, and remembered', () => {
    leaveLog((32 + 8 * frame + 1000) * 8, (32 + 8 * frame + 2000) * 8);
    const { restored, lost, gone } = repairDatabase(folder, null, 3);
    expect(restored).toEqual([]);
    expect(lost).toEqual([expect.stringMatching(/commits behind it: these are lost$/)]);
    expect(gone).toMatchObject([{ part: 'database', file: 'yardmaster.db-wal', keep: true }]);
    expect(notes()).toBeLessThan(20);
    expect(verifyDatabase(folder).damages).toEqual([]);
  });
});
