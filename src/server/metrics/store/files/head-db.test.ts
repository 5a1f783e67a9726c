import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeChunk } from './chunk.ts';
import { countIn, FORMAT, openHead } from './head-db.ts';
import { Pack } from './pack.ts';
import { openPartition, PART_MS } from './partition.ts';
import { addRowSum } from './sums.ts';
import { readRolls, RollBlock } from './read-rolls.ts';
import { encodeRolls, ROLL_PARTS, rollsOf } from './roll-up.ts';
import { Rows } from './rows.ts';
import { anyFilter, openTestStore, type TestStore, settle } from '../store.fixture.ts';
import { WalWriter } from './wal.ts';
import { ownerKey } from './owner-key.ts';

const T = Date.UTC(2026, 0, 1, 12);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
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
/** Makes a partition of format 3 of one that has no packs, as if it were compacted. */
function withoutPacks(file: string): void {
  const db = new Database(file);
  addRowSum(db);
  db.exec('UPDATE series SET rolled = 1, tie = row_sum(sid, 1, chunks, sum)');
  db.exec(
    "DROP TABLE pack; ALTER TABLE series DROP COLUMN pack; DROP INDEX series_due; CREATE INDEX series_rolled ON series (rolled); DELETE FROM meta WHERE name = 'packed'",
  );
  db.close();
}
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
  expect({
    format: FORMAT,
    wal: hex(entry.done()),
    chunk: hex(data),
    stats: hex(stats),
    minutes: hex(encodeRolls(rollsOf(7, [rows], T))),
  }).toEqual({
    format: 4,
    wal: '0380d8ee96ef66030700036a6f620201000000000000e03f0202c3a4',
    chunk:
      '09031680d8ee96ef66e0d40300060600070a180200036a6f620000000200061a0200047461736b0000000200060109160200003232323232323232',
    stats:
      '01090000000000002240000000000000000000000000000000400000000000000000000000000000004080d8ee96ef6680fe8b97ef660500',
    minutes:
      '1a010701053f07000000020202020c050004000201160a0232c801c801c801f90110070100000a0a0a0a0e0602326464643210070100000a0a0a0a0e06023264646432',
  });
});

it('a pack of the present format is read, whatever compresses it', () => {
  const head = '4c030280d8ee96ef66e807020300a01f000101079f1f320202030f1d80bc55942b6fd58f43cdd5';
  const data = '28b52ffd2006310000010203040506';
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
  const read = Pack.open({ id: 3, n: 5, crc: 409_922_314, head: bytes(head), data: bytes(data) })?.all();
  expect(read?.map(({ data: one, ...rest }) => ({ ...rest, data: [...one] }))).toEqual([
    { sid: 2, t0: T, t1: T + 1000, n: 2, crc: 1_438_416_925, data: [1, 2, 3] },
    { sid: 2, t0: T + 2000, t1: T + 2000, n: 1, crc: 3_580_832_660, data: [4] },
    { sid: 9, t0: T, t1: T + 50, n: 2, crc: 3_586_999_183, data: [5, 6] },
  ]);
});

/** As formats 2 and 3 made them of series with few points a minute: counts and sums of minutes, and the rest of ten minutes. */
it('roll-ups of ten minutes of the format before are read', () => {
  const tens = '1a010701057f07000000020202020c050004000201160a0232c801c801c801f901080300000006020004080300000006020004';
  const read: unknown[] = [];
  readRolls(new RollBlock(Buffer.from(tens, 'hex')), new Set(ROLL_PARTS), {
    wants: () => true,
    take: (roll) => read.push(roll.parts.min, roll.coarse()),
  });
  expect(read).toEqual([
    undefined,
    {
      count: 1,
      minutes: Float64Array.of(0),
      parts: {
        ...{ count: Float64Array.of(9), sum: Float64Array.of(9), min: Float64Array.of(0), max: Float64Array.of(2) },
        ...{ first: Float64Array.of(0), last: Float64Array.of(2) },
      },
    },
  ]);
});

describe('a store of the format before', () => {
  it('is read as it is, and has the present number once it is written', () => {
    const first = openTestStore();
    thin(first);
    first.writer.seal();
    const wanted = greatest(first);
    expect(wanted).toHaveLength(2);
    first.close();
    const [head, part] = filesOf(first.folder);
    withoutPacks(part);
    for (const file of [head, part]) setFormat(file, 3);
    const again = openTestStore({ folder: first.folder });
    expect(greatest(again)).toEqual(wanted);
    expect(formatOf(head)).toBe(FORMAT);
    expect(formatOf(part)).toBe(3);
    // The reader has it open as it was.
    settle(again);
    expect(greatest(again)).toEqual(wanted);
    expect(formatOf(part)).toBe(FORMAT);
    const db = openPartition(again.folder, 1, T, true);
    expect([countIn(db, 'SELECT count(*) FROM chunk'), countIn(db, 'SELECT sum(n) FROM pack')]).toEqual([0, 350]);
    db.close();
    again.lines(`m v=5000 ${T + 1}`, 'ms');
    again.writer.seal();
    expect(greatest(again)[0]).toBe(5000);
    // Of roll-ups that are not there points are read instead.
    expect(again.damages.map(({ lost }) => lost)).toEqual([0]);
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
          message: `the metric store ${head} has format 5, but this version reads formats up to 4: start the version that wrote it, or move the folder away to start with an empty store`,
        }),
      );
    expect(formatOf(head)).toBe(FORMAT + 1);
  });

  it('is a partition of it that was put in alone: it is left out, and told', () => {
    const { folder } = later();
    setFormat(filesOf(folder)[1], FORMAT + 1);
    const store = openTestStore({ folder });
    expect(greatest(store)).toEqual([]);
    expect(store.damaged).toEqual([expect.stringContaining('has format 5, but this version reads formats up to 4')]);
    store.close();
  });
});
