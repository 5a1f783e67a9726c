import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeChunk } from './chunk.ts';
import { FORMAT, openHead } from './head-db.ts';
import { openPartition, PART_MS } from './partition.ts';
import { encodeRolls, rollsOf } from './roll-up.ts';
import { Rows } from './rows.ts';
import { anyFilter, openTestStore, type TestStore } from '../store.fixture.ts';
import { WalWriter } from './wal.ts';
import { ownerKey } from './owner-key.ts';

const T = Date.UTC(2026, 0, 1, 12);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const settle = (store: TestStore) => {
  while (store.writer.tend(true));
};
/** A point each twenty seconds: too few for roll-ups of each minute, enough for those of ten. */
const thin = (store: TestStore) =>
  store.lines(Array.from({ length: 350 }, (_, i) => `m v=${(i * 7919) % 1000} ${T + i * 20_000}`).join('\n'), 'ms');
const greatest = (store: TestStore) => {
  store.view.refresh();
  return [...store.source.windows(anyFilter, T, T + PART_MS, 3_600_000, 'max')].flatMap(({ values }) => [...values]);
};
const formatOf = (file: string): number => {
  const db = new Database(file, { readonly: true });
  const format = db.prepare<[], number>("SELECT value FROM meta WHERE name = 'format'").pluck().get() as number;
  db.close();
  return format;
};
const setFormat = (file: string, format: number): void => {
  const db = new Database(file);
  db.prepare("UPDATE meta SET value = ? WHERE name = 'format'").run(format);
  db.close();
};
const filesOf = (folder: string) => [join(folder, 'head.db'), join(folder, 'bucket-1', `m-${T}.db`)] as const;

/**
 * The bytes of the store as docs/metric-format.md has them. Where a change makes others that an earlier build would read
 * wrongly, the format needs a new number, and what has an old one has to be read.
 */
it('the bytes of the store are those of the format with this number', () => {
  const rows = new Rows();
  for (let i = 0; i < 9; i++) {
    const row = rows.add(T + i * 30_000, i === 8 ? 5 : 0, i === 0 ? ownerKey('job', 'task') : '');
    rows.column(1, 'float').numbers[row] = i / 4;
  }
  const entry = new WalWriter();
  entry.point(3, T, 7, ownerKey('job', ''), 2);
  entry.value(1, 'float', 0.5);
  entry.value(2, 'string', 'ä');
  const { data, stats } = encodeChunk(rows, 0, rows.count);
  const rolled = (all: boolean) => hex(encodeRolls(rollsOf(7, [rows], T, all)));
  expect({
    format: FORMAT,
    wal: hex(entry.done()),
    chunk: hex(data),
    stats: hex(stats),
    minutes: rolled(true),
    tens: rolled(false),
  }).toEqual({
    format: 3,
    wal: '0380d8ee96ef66030700036a6f620201000000000000e03f0202c3a4',
    chunk:
      '09031680d8ee96ef66e0d40300060600070a180200036a6f620000000200061a0200047461736b0000000200060109160200003232323232323232',
    stats:
      '01090000000000002240000000000000000000000000000000400000000000000000000000000000004080d8ee96ef6680fe8b97ef660500',
    minutes:
      '1a010701053f07000000020202020c050004000201160a0232c801c801c801f90110070100000a0a0a0a0e0602326464643210070100000a0a0a0a0e06023264646432',
    tens: '1a010701057f07000000020202020c050004000201160a0232c801c801c801f901080300000006020004080300000006020004',
  });
});

describe('a store of the format before', () => {
  it('is read as it is, and has the present number once it is written', () => {
    const first = openTestStore();
    thin(first);
    settle(first);
    const wanted = greatest(first);
    expect(wanted).toHaveLength(2);
    first.close();
    const [head, part] = filesOf(first.folder);
    // As the build before made it: of series with few points a minute counts and sums alone.
    const db = openPartition(first.folder, 1, T, false);
    db.exec('UPDATE series SET rolled = 0; DELETE FROM roll');
    db.close();
    for (const file of [head, part]) setFormat(file, 1);
    const again = openTestStore({ folder: first.folder });
    expect(greatest(again)).toEqual(wanted);
    expect(formatOf(head)).toBe(FORMAT);
    expect(formatOf(part)).toBe(1);
    again.lines(`m v=5000 ${T + 1}`, 'ms');
    again.writer.seal();
    settle(again);
    expect(greatest(again)[0]).toBe(5000);
    expect(formatOf(part)).toBe(FORMAT);
    again.close();
  });
});

describe('a store of a later format', () => {
  const later = (): TestStore => {
    const store = openTestStore();
    thin(store);
    settle(store);
    store.close();
    return store;
  };

  it('is refused, with both numbers and what to do, and left as it is', () => {
    const { folder } = later();
    const [head] = filesOf(folder);
    setFormat(head, FORMAT + 1);
    for (const readonly of [true, false])
      expect(() => openHead(folder, readonly)).toThrow(
        expect.objectContaining({
          code: 'STORE_CORRUPT',
          message: `the metric store ${head} has format 4, but this version reads formats up to 3: start the version that wrote it, or move the folder away to start with an empty store`,
        }),
      );
    expect(formatOf(head)).toBe(FORMAT + 1);
  });

  it('is a partition of it that was put in alone: it is left out, and told', () => {
    const { folder } = later();
    setFormat(filesOf(folder)[1], FORMAT + 1);
    const store = openTestStore({ folder });
    expect(greatest(store)).toEqual([]);
    expect(store.damaged).toEqual([expect.stringContaining('has format 4, but this version reads formats up to 3')]);
    store.close();
  });
});
