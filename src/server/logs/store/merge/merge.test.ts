import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { encodeBlock } from '../blocks/encode.ts';
import { orderOf } from '../blocks/rows.ts';
import { createFiles } from '../files/files.ts';
import { logFiles, openForReading } from '../files/schema.ts';
import { openSource } from '../read/source.ts';
import type { Merge } from './merge.ts';
import { batch, emptyFolder, mergeIn, recordsIn, rowsOf, settle, writerOf } from '../store.fixture.ts';

const START = Date.UTC(2026, 0, 1);
const many = (from: number) =>
  Array.from({ length: 1500 }, (_, i) => ({
    _time: START + from + i,
    n: from + i,
    _msg: `line ${from + i} ${'abcdefgh'.repeat(24)}`,
  }));

/** A store whose merging ends when a test says so. */
function slow(more: Parameters<typeof writerOf>[1] = {}) {
  const folder = emptyFolder();
  const waiting: (() => void)[] = [];
  const merge: Merge = (...given) => void waiting.push(() => mergeIn(folder)(...given));
  const writer = writerOf(folder, { merge, ...more });
  return { folder, writer, waiting };
}

/** Blocks as large batches once became: on their way, although no merge would take them. */
function putAsBefore(folder: string, ...batches: readonly (readonly object[])[]): void {
  const files = createFiles(
    { folder, storeBytes: 1e9, retentionDays: 0, durable: false, now: () => START, log: () => {} },
    () => {},
  );
  for (const lines of batches) {
    const { rows } = rowsOf(lines);
    for (let row = 0; row < rows.count; row++) rows.seq[row] = files.arrival();
    files.put([encodeBlock(rows, orderOf(rows), 1, 'batch')], () => {});
  }
  files.close();
}

describe('merging', () => {
  it('goes on elsewhere while batches are kept, and takes none of them away', () => {
    const { folder, writer, waiting } = slow();
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    settle(writer);
    expect(waiting).toHaveLength(1);
    writer.insert([batch(many(8 * 1500))]);
    expect(writer.stats().blocks).toBe(9);
    waiting.pop()?.();
    settle(writer);
    expect(writer.stats()).toMatchObject({ blocks: 2, rows: 9 * 1500 });
    writer.close();
    expect(recordsIn(folder).records.map(({ n }) => n)).toEqual(Array.from({ length: 9 * 1500 }, (_, n) => n));
  });

  it('leaves nothing behind where the file went in the meantime', () => {
    let now = START;
    const { folder, writer, waiting } = slow({ now: () => now, retentionDays: 1 });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    settle(writer);
    now += 5 * 86_400_000;
    writer.insert([batch(many(0))]);
    settle(writer);
    expect(writer.stats().rows).toBe(1500);
    waiting.pop()?.();
    settle(writer);
    expect(writer.stats().rows).toBe(1500);
    writer.close();
    expect(recordsIn(folder).records).toHaveLength(1500);
  });

  it('that failed is tried again, not at once', () => {
    let now = START;
    let asked = 0;
    const said: string[] = [];
    const { writer } = slow({
      now: () => now,
      log: (line) => said.push(line),
      merge: (_file, _ids, _rows, done) => (asked++, done(new Error('the thread ended'))),
    });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    for (let i = 0; i < 10; i++) settle(writer);
    expect(asked).toBe(1);
    now += 6000;
    for (let i = 0; i < 10; i++) settle(writer);
    expect(asked).toBe(2);
    expect(said).toEqual(['log store maintenance failed: the thread ended']);
    expect(writer.stats().rows).toBe(8 * 1500);
    writer.close();
  });

  it('writes a large block of a version before anew, one a second, and its lines are no younger for it', () => {
    let now = START;
    const folder = emptyFolder();
    const lines = (from: number) =>
      Array.from({ length: 9000 }, (_, i) => ({ _time: START + from + i, _msg: `line ${from + i} of a large batch` }));
    putAsBefore(folder, lines(0), lines(9000));
    const writer = writerOf(folder, { now: () => now });
    const uses = () => {
      const db = openForReading(join(folder, logFiles(folder)[0] ?? ''));
      const rows = db.prepare<[], { hot: number; born: number }>('SELECT hot, born FROM blk WHERE dead IS NULL').all();
      db.close();
      return rows.map(({ hot, born }) => [hot, born]).toSorted();
    };
    const [plain, merged] = [
      [0, START],
      [2, START],
    ];
    expect(uses()).toEqual([plain, plain]);
    while (writer.work(false));
    expect(uses()).toEqual([plain, plain]);
    now += 3_600_000;
    settle(writer);
    expect(uses()).toEqual([plain, merged]);
    now += 1000;
    settle(writer);
    expect(uses()).toEqual([merged, merged]);
    now += 20_000;
    settle(writer);
    const size = writer.stats().blocks;
    writer.close();
    expect(size).toBe(2);
    expect(recordsIn(folder).records).toEqual(
      lines(0)
        .concat(lines(9000))
        .map((line) => ({ ...line, _time: new Date(line._time).toISOString() })),
    );
  });

  it('keeps fields apart whose names look like parts of each other', () => {
    const folder = emptyFolder();
    const writer = writerOf(folder);
    const lines = (from: number) =>
      Array.from({ length: 1500 }, (_, i) => ({
        _time: START + from + i,
        _msg: 'refused',
        err: `connection ${from + i} was refused by its peer`,
        'err n': `attempt ${from + i + 7} of the same connection`,
        'err text': `the peer ${from + i + 9} does not say why it refused`,
      }));
    const all = Array.from({ length: 8 }, (_, i) => lines(i * 1500));
    for (const some of all) writer.insert([batch(some)]);
    settle(writer);
    expect(writer.stats().blocks).toBeLessThan(8);
    writer.close();
    expect(recordsIn(folder).records).toEqual(
      all.flat().map((line) => ({ ...line, _time: new Date(line._time).toISOString() })),
    );
  });

  it('keeps values that hardly ever recur, bare or not, and rows without one', () => {
    const folder = emptyFolder();
    const writer = writerOf(folder);
    const lines = (from: number) =>
      Array.from({ length: 1500 }, (_, i) => {
        const n = from + i;
        return {
          _time: START + n,
          _msg: `line ${n} ${'x'.repeat(200)}`,
          ...(n % 3 === 0 ? {} : { mixed: n % 2 === 0 ? n : `text ${n}` }),
          ...(n < 4000 ? {} : { late: `only later ${n}` }),
          // More than half differ at first, then few do.
          seldom: n < 1000 ? `s${n}` : `s${n % 7}`,
        };
      });
    const all = Array.from({ length: 8 }, (_, i) => lines(i * 1500));
    for (const some of all) writer.insert([batch(some)]);
    settle(writer);
    expect(writer.stats().blocks).toBeLessThan(8);
    const source = openSource(folder, 1e6, () => {});
    const snapshot = source.snapshot();
    const mayHave = (field: string, value: string) =>
      [...snapshot.blocks({ from: null, to: null, equal: [{ field, anyOf: [value] }], words: [] }, 'asc')].length > 0;
    expect(mayHave('mixed', 'text 10001')).toBe(true);
    expect(mayHave('late', 'only later 11999')).toBe(true);
    expect(mayHave('seldom', 's6')).toBe(true);
    expect(mayHave('late', 'only later 12000')).toBe(false);
    snapshot.release();
    source.close();
    writer.close();
    expect(recordsIn(folder).records).toEqual(
      all.flat().map((line) => ({ ...line, _time: new Date(line._time).toISOString() })),
    );
  });

  it('does not try again to write anew what could not be, and merges the rest', () => {
    let now = START;
    let asked = 0;
    const folder = emptyFolder();
    putAsBefore(
      folder,
      Array.from({ length: 9000 }, (_, i) => ({ _time: START + i, _msg: `line ${i} of a batch` })),
    );
    const writer = writerOf(folder, {
      now: () => now,
      log: () => {},
      merge: (file, ids, rows, done) =>
        ids.length > 1 ? mergeIn(folder)(file, ids, rows, done) : (asked++, done(new Error('a page is damaged'))),
    });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500))]);
    for (let i = 0; i < 10; i++) {
      now += 6000;
      settle(writer);
    }
    expect(asked).toBe(1);
    expect(writer.stats()).toMatchObject({ blocks: 2, rows: 9000 + 8 * 1500 });
    writer.close();
  });

  it('goes through a closed file of an earlier format, whatever the size of its blocks', () => {
    let now = START;
    const folder = emptyFolder();
    const first = writerOf(folder, { now: () => now });
    first.insert([batch(many(0))]);
    first.close();
    const db = new Database(join(folder, logFiles(folder)[0] ?? ''));
    db.exec('UPDATE format SET version = 2');
    db.close();
    now += 8 * 86_400_000;
    const writer = writerOf(folder, { now: () => now });
    writer.insert([batch(many(1500))]);
    settle(writer);
    writer.close();
    const uses = logFiles(folder).map((name) => {
      const file = openForReading(join(folder, name));
      const found = file.prepare<[], number>('SELECT hot FROM blk WHERE dead IS NULL').pluck().all();
      file.close();
      return found;
    });
    expect(uses).toEqual([[2], [0]]);
    expect(recordsIn(folder).records.map(({ n }) => n)).toEqual(Array.from({ length: 3000 }, (_, n) => n));
  });
});
