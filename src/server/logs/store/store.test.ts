import Database from 'better-sqlite3';
import type { StoreDamage } from './port.ts';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { logFiles, sizeOf } from './files/schema.ts';
import { batch, emptyFolder, recordsIn, settle, writerOf } from './store.fixture.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
/** Lines of more than a block's size at once. */
const many = (from: number, count = 3000) =>
  Array.from({ length: count }, (_, i) => ({
    _time: START + from + i,
    n: from + i,
    level: i % 3 === 0 ? 'WARN' : 'INFO',
    source: 'test',
    _msg: `line ${from + i} ${'abcdefgh'.repeat(12)}`,
  }));
const numbers = (records: readonly Record<string, unknown>[]) => records.map(({ n }) => n);
const change = (folder: string, sql: string) => {
  const db = new Database(join(folder, logFiles(folder)[0] as string));
  db.exec(sql);
  db.close();
};

describe('the store', () => {
  it('keeps what it acknowledged over a restart, small batches and large ones', () => {
    const folder = emptyFolder();
    const first = writerOf(folder);
    expect(first.insert([batch([{ n: 1, _time: START }, 'nothing'], 'a')])).toEqual([
      { stored: 1, skipped: 1, duplicate: false },
    ]);
    expect(first.insert([batch(many(2), 'b')])).toEqual([{ stored: 3000, skipped: 0, duplicate: false }]);
    first.close();
    const second = writerOf(folder);
    expect(second.stats()).toMatchObject({ rows: 3001, oldest: START, newest: START + 3001 });
    expect(second.arrived()).toBe(3001);
    second.close();
    expect(recordsIn(folder).records[0]).toEqual({ _time: '2026-01-01T00:00:00.000Z', _msg: '', n: 1 });
  });

  it('keeps a batch once, however often and whenever it is sent', () => {
    const folder = emptyFolder();
    const first = writerOf(folder);
    expect(
      first
        .insert([batch([{ n: 1 }], 'x'), batch([{ n: 1 }], 'x'), batch([{ n: 2 }], null)])
        .map(({ duplicate }) => duplicate),
    ).toEqual([false, true, false]);
    first.close();
    const second = writerOf(folder);
    expect(second.insert([batch([{ n: 1 }], 'x')])).toEqual([{ stored: 1, skipped: 0, duplicate: true }]);
    expect(second.stats().rows).toBe(2);
    second.close();
  });

  it('forgets batches long gone, and none that was sent just before a stop', () => {
    const folder = emptyFolder();
    let now = START;
    const writer = writerOf(folder, { now: () => now });
    for (let i = 0; i < 51; i++) {
      writer.insert(Array.from({ length: 1000 }, (_, n) => batch([{ n }], `${i}-${n}`)));
      now += 1000;
    }
    now += 600_000;
    settle(writer);
    writer.close();
    // However long it stood still.
    now += 300 * DAY;
    const again = writerOf(folder, { now: () => now });
    expect(
      again
        .insert([batch([{ n: 0 }], '50-999'), batch([{ n: 0 }], '2-0'), batch([{ n: 0 }], '0-0')])
        .map(({ duplicate }) => duplicate),
    ).toEqual([true, true, false]);
    again.close();
  });

  it('has the same lines after its blocks were merged, late ones and those of the future included', () => {
    const line = fc.record({
      _time: fc.oneof(
        fc.integer({ min: START, max: START + 5000 }),
        fc.integer({ min: START - 400 * DAY, max: START + 4000 * DAY }),
      ),
      _msg: fc.string({ unit: 'grapheme' }),
      extra: fc.oneof(fc.constant(undefined), fc.integer(), fc.string()),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 12 }),
        (batches) => {
          const folder = emptyFolder();
          let now = START;
          const writer = writerOf(folder, { now: () => now });
          for (const lines of batches) writer.insert([batch(lines)]);
          const before = recordsIn(folder).records;
          expect(before).toHaveLength(batches.flat().length);
          now += 61_000;
          settle(writer);
          now += 61_000;
          settle(writer);
          expect(recordsIn(folder)).toEqual({ records: before, said: [], damages: [] });
          writer.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('makes few large blocks of many small ones', () => {
    const folder = emptyFolder();
    let now = START;
    const writer = writerOf(folder, { now: () => now });
    for (let i = 0; i < 40; i++) writer.insert([batch(many(i * 1500, 1500))]);
    const before = writer.stats();
    now += 61_000;
    settle(writer);
    expect(before.blocks).toBe(40);
    expect(writer.stats()).toMatchObject({ rows: 60_000, blocks: expect.toSatisfy((blocks: number) => blocks < 8) });
    expect(numbers(recordsIn(folder).records)).toEqual(Array.from({ length: 60_000 }, (_, i) => i));
    writer.close();
  });

  it.each([
    ['before', 0],
    ['while they were replaced', 61_001],
  ])('leaves replaced blocks to queries that began %s', (_, began) => {
    const folder = emptyFolder();
    let now = START;
    let oldest = START + began;
    const writer = writerOf(folder, { now: () => now, oldestQuery: () => oldest });
    for (let i = 0; i < 8; i++) writer.insert([batch(many(i * 1500, 1500))]);
    now += 61_000;
    settle(writer);
    now += 61_000;
    settle(writer);
    const dead = () => {
      const db = new Database(join(folder, logFiles(folder)[0] as string), { readonly: true });
      const count = db.prepare('SELECT count(*) FROM blk WHERE dead IS NOT NULL').pluck().get();
      db.close();
      return count;
    };
    expect(dead()).toBe(8);
    oldest = Infinity;
    settle(writer);
    expect(dead()).toBe(0);
    writer.close();
  });

  it('takes secrets out of lines, also where escapes hide them', () => {
    const folder = emptyFolder();
    const writer = writerOf(folder);
    writer.redact([{ name: 'TOKEN', value: 'hünter/22' }]);
    writer.insert([
      batch(['{"_msg":"a hünter/22 b"}', String.raw`{"_msg":"h\u00fcnter\/22","deep":{"list":["x hünter/22"]}}`]),
    ]);
    writer.close();
    expect(recordsIn(folder).records.map(({ _msg, 'deep.list': list }) => [_msg, list])).toEqual([
      ['a [secret TOKEN] b', undefined],
      ['[secret TOKEN]', ['x [secret TOKEN]']],
    ]);
  });
});

describe('room', () => {
  it('is made by removing the oldest file', () => {
    const folder = emptyFolder();
    let now = START;
    const said: string[] = [];
    const writer = writerOf(folder, { now: () => now, storeBytes: 2_000_000, log: (line) => said.push(line) });
    for (let i = 0; i < 60; i++) {
      writer.insert([
        batch(
          Array.from({ length: 500 }, (_, n) => ({
            n: i * 500 + n,
            _msg: `${Math.random()}${Math.random()}${Math.random()}${Math.random()}`.repeat(8),
          })),
        ),
      ]);
      now += 3000;
      writer.work(false);
    }
    now += 30_000;
    settle(writer);
    now += 3000;
    settle(writer);
    // With their write-ahead logs. Only the newest file may be there whatever its size.
    const sizes = logFiles(folder).map((name) => sizeOf(folder, name));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(Math.max(2_000_000, sizes.at(-1) as number));
    now += 3000;
    expect(writer.stats().bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    const left = numbers(recordsIn(folder).records) as number[];
    expect(left.at(-1)).toBe(29_999);
    expect(left[0]).toBeGreaterThan(0);
    expect(said[0]).toMatch(/logs-2026-01-01\.db was removed: the store is full/);
    writer.close();
  });

  it('is looked after also where the clock went back', () => {
    const folder = emptyFolder();
    let now = START + DAY;
    const writer = writerOf(folder, { now: () => now, storeBytes: 2_000_000, reserveBytes: 1e18 });
    expect(() => writer.insert([batch([{ n: 0 }])])).toThrow(expect.objectContaining({ code: 'STORE_FULL' }));
    writer.work(false);
    now = START;
    writer.configure({ storeBytes: 2_000_000, retentionDays: 0, reserveBytes: 0 });
    for (let i = 0; i < 20; i++) {
      writer.insert([
        batch(
          Array.from({ length: 500 }, () => ({
            _msg: `${Math.random()}${Math.random()}${Math.random()}${Math.random()}`.repeat(8),
          })),
        ),
      ]);
      now += 3000;
      writer.work(false);
    }
    expect(writer.stats().bytes).toBeLessThan(4_000_000);
    writer.close();
  });

  it('is made by age, where that is asked for', () => {
    const folder = emptyFolder();
    let now = START;
    const writer = writerOf(folder, { now: () => now, retentionDays: 30 });
    for (let day = 0; day < 5; day++) {
      writer.insert([batch([{ day }])]);
      now += DAY;
    }
    expect(recordsIn(folder).records).toHaveLength(5);
    writer.configure({ storeBytes: 1e9, retentionDays: 2 });
    settle(writer);
    expect(recordsIn(folder).records.map(({ day }) => day)).toEqual([3, 4]);
    writer.close();
  });

  it('has few files where few lines come: a week is one, and a day where lines go after days', () => {
    const filesAfter = (days: number, more: Parameters<typeof writerOf>[1]) => {
      const folder = emptyFolder();
      let now = START;
      const writer = writerOf(folder, { now: () => now, ...more });
      for (let day = 0; day < days; day++, now += DAY) writer.insert([batch([{ day }])]);
      writer.close();
      const again = writerOf(folder, { now: () => now, ...more });
      again.insert([batch([{ day: days }])]);
      again.close();
      expect(recordsIn(folder).records.map(({ day }) => day)).toEqual(
        Array.from({ length: days + 1 }, (_, day) => day),
      );
      return logFiles(folder).length;
    };
    expect([
      filesAfter(27, {}),
      filesAfter(27, { retentionDays: 100 }),
      filesAfter(9, { retentionDays: 20 }),
      filesAfter(0, {}),
    ]).toEqual([4, 5, 10, 1]);
  });

  it('that is missing refuses lines and no reading, until there is some again', () => {
    const folder = emptyFolder();
    let now = START;
    const said: string[] = [];
    const options = { now: () => now, reserveBytes: 0, log: (line: string) => said.push(line) };
    const writer = writerOf(folder, options);
    writer.insert([batch([{ n: 1 }])]);
    // The writer's own options: as if the disk had filled up.
    writer.configure({ storeBytes: 1e9, retentionDays: 0, reserveBytes: 1e18 });
    now += 2000;
    expect(() => writer.insert([batch([{ n: 2 }], 'b')])).toThrow(
      expect.objectContaining({
        code: 'STORE_FULL',
        message: expect.stringMatching(/log store cannot write .*free disk space/),
      }),
    );
    expect(writer.stats().refusing).toMatch(/free disk space/);
    expect(numbers(recordsIn(folder).records)).toEqual([1]);
    writer.configure({ storeBytes: 1e9, retentionDays: 0, reserveBytes: 0 });
    now += 2000;
    writer.work(true);
    expect(writer.stats().refusing).toBeNull();
    expect(writer.insert([batch([{ n: 2 }], 'b')])).toEqual([{ stored: 1, skipped: 0, duplicate: false }]);
    // On a full disk there is room for a little now and then: each end of it is not told, nor is each beginning.
    for (let i = 0; i < 5; i++) {
      now += 1000;
      writer.configure({ storeBytes: 1e9, retentionDays: 0, reserveBytes: 1e18 });
      expect(() => writer.insert([batch([{ n: 3 }])])).toThrow(/cannot write/);
      writer.configure({ storeBytes: 1e9, retentionDays: 0, reserveBytes: 0 });
      now += 1000;
      writer.work(true);
      expect(writer.stats().refusing).toBeNull();
    }
    expect(said).toHaveLength(1);
    now += 6000;
    writer.work(true);
    expect(said).toEqual([expect.stringMatching(/cannot write/), 'the log store can write again']);
    writer.close();
  });

  it('that has no room for a new file is said to be full, and not to be out of reach', () => {
    const folder = emptyFolder();
    const said: string[] = [];
    const writer = writerOf(folder, { pages: 2, log: (line) => said.push(line) });
    expect(() => writer.insert([batch(many(0, 10))])).toThrow(expect.objectContaining({ code: 'STORE_FULL' }));
    expect(writer.stats()).toMatchObject({ refusing: expect.stringContaining('free disk space'), refused: 1 });
    expect(said).toHaveLength(1);
    writer.close();
    const again = writerOf(folder);
    expect(again.insert([batch(many(0, 10))])).toEqual([{ stored: 10, skipped: 0, duplicate: false }]);
    again.close();
  });

  it('that ends in the middle of a batch leaves nothing of it, and no file that is broken', () => {
    const folder = emptyFolder();
    const writer = writerOf(folder, { pages: 60 });
    let taken = 0;
    expect(() => {
      for (; ; taken++)
        writer.insert([
          batch(
            many(taken * 1000, 1000).map((line) => ({ ...line, random: Math.random() })),
            `b${taken}`,
          ),
        ]);
    }).toThrow(expect.objectContaining({ code: 'STORE_FULL' }));
    writer.close();
    const again = writerOf(folder);
    expect(again.stats().rows).toBe(taken * 1000);
    expect(again.insert([batch(many(taken * 1000, 1000), `b${taken}`)])).toEqual([
      { stored: 1000, skipped: 0, duplicate: false },
    ]);
    again.close();
    expect(numbers(recordsIn(folder).records)).toEqual(Array.from({ length: (taken + 1) * 1000 }, (_, i) => i));
  });
});

describe('damage', () => {
  const filled = () => {
    const folder = emptyFolder();
    const writer = writerOf(folder);
    for (let i = 0; i < 3; i++) writer.insert([batch(many(i * 3000))]);
    writer.close();
    return folder;
  };

  it('of a head takes its block, with one line that says so', () => {
    const folder = filled();
    change(folder, 'UPDATE blk SET head = zeroblob(200) WHERE id = 2');
    const { records, said } = recordsIn(folder);
    expect(numbers(records)).toEqual([...Array(3000).keys(), ...[...Array(3000).keys()].map((i) => i + 6000)]);
    expect(said).toEqual([expect.stringMatching(/^logs-.*\.db: 1 blocks with 3000 log lines are missing or damaged/)]);
  });

  it('of a column takes its block: without the field its lines would be others', () => {
    const folder = filled();
    change(
      folder,
      'UPDATE col SET data = zeroblob(100) WHERE id = 2 * 65536 + (SELECT max(id) - 2 * 65536 FROM col WHERE id < 3 * 65536)',
    );
    const { records, said } = recordsIn(folder);
    expect(records).toHaveLength(6000);
    expect(said).toEqual([
      expect.stringMatching(/: block 2 is damaged \(field ".*": another part is in the place of one\)/),
    ]);
  });

  it('is left alone by merging, and the rest is merged', () => {
    const folder = filled();
    change(folder, 'UPDATE blk SET head = zeroblob(200) WHERE id = 2');
    const damages: StoreDamage[] = [];
    let now = Date.now();
    const writer = writerOf(folder, { now: () => now, report: (damage) => damages.push(damage) });
    for (let i = 3; i < 12; i++) writer.insert([batch(many(i * 3000))]);
    now += 61_000;
    settle(writer);
    expect(damages).toMatchObject([{ place: 'blocks', lost: 3000 }]);
    expect(writer.stats().damaged).toBe(1);
    writer.close();
    expect(recordsIn(folder).records).toHaveLength(33_000);
  });

  it('of a whole file sets it aside', () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'logs-2026-01-01.db'), 'this is no database, whatever it may be called'.repeat(100));
    const said: string[] = [];
    const writer = writerOf(folder, { log: (line) => said.push(line) });
    writer.insert([batch([{ n: 1 }])]);
    expect(said).toEqual([
      expect.stringMatching(
        /logs-2026-01-01\.db is damaged .*renamed to logs-2026-01-01\.db\.damaged-\d+, and its lines cannot be searched/,
      ),
    ]);
    expect(writer.stats()).toMatchObject({ rows: 1, damaged: 1 });
    writer.close();
  });

  it('is not what an unknown format is: that is refused, and left as it is', () => {
    const folder = filled();
    change(folder, 'UPDATE format SET version = 9');
    expect(() => writerOf(folder)).toThrow(
      new Fault(
        'STORE_CORRUPT',
        `the log file ${join(folder, logFiles(folder)[0] as string)} has format 9, but this version reads format 4: run the version that wrote the file, or move the file away`,
      ),
    );
    expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('of the clock, which goes back a day, mixes no files up', () => {
    const folder = emptyFolder();
    let now = START;
    const writer = writerOf(folder, { now: () => now });
    writer.insert([batch([{ n: 1 }])]);
    now -= DAY;
    writer.insert([batch([{ n: 2 }])]);
    writer.close();
    expect(logFiles(folder)).toEqual(['logs-2026-01-01.db']);
    renameSync(join(folder, 'logs-2026-01-01.db'), join(folder, 'logs-2026-01-01-7.db'));
    const again = writerOf(folder, { now: () => START + 8 * DAY });
    again.insert([batch([{ n: 3 }])]);
    again.close();
    expect(logFiles(folder)).toEqual(['logs-2026-01-01-7.db', 'logs-2026-01-09.db']);
  });
});
