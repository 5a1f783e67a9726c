import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countIn } from '../files/head-db.ts';
import { openPartition } from '../files/partition.ts';
import { anyFilter, type TestStore, settle, useTestStores } from '../store.fixture.ts';
import { compactPart } from './compact.ts';
import type { WriterOptions } from './port.ts';

const T = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const open = useTestStores();
/** A point each second, irregular: a series of its own frame, with roll-ups. Or one a minute. */
const dense = (host: string) => Array.from({ length: 6000 }, (_, i) => `m,h=${host} v=${Math.sin(i)} ${T + i * 1000}`);
const thin = (host: string) => Array.from({ length: 100 }, (_, i) => `m,h=${host} v=${i} ${T + i * 60_000}`);

const partition = (store: TestStore, change: (db: ReturnType<typeof openPartition>) => void) => {
  const db = openPartition(store.folder, 1, T, false);
  change(db);
  db.close();
};
const countOf = (store: TestStore, sql: string): number => {
  let count = 0;
  partition(store, (db) => (count = countIn(db, sql)));
  return count;
};
function damageFirstFrame(store: TestStore): void {
  partition(store, (db) => {
    const data = db.prepare<[], Buffer>('SELECT data FROM pack ORDER BY id LIMIT 1').pluck().get() as Buffer;
    data[1000] = (data[1000] ?? 0) ^ 1;
    db.prepare('UPDATE pack SET data = ? WHERE id = (SELECT min(id) FROM pack)').run(data);
  });
}
const hourly = (store: TestStore) => {
  store.view.refresh();
  return Object.fromEntries(
    [...store.source.windows(anyFilter, T, T + 2 * HOUR, HOUR, 'count')].map(({ tags, values }) => [
      tags['h'] as string,
      [...values],
    ]),
  );
};
const all = { a: [3600, 2400], b: [60, 40], c: [3600, 2400] };

describe('where a part of a pack is damaged', () => {
  function damaged(options: Partial<WriterOptions> = {}): TestStore {
    const store = open(options);
    store.lines([...dense('a'), ...thin('b'), ...dense('c')].join('\n'), 'ms');
    settle(store);
    damageFirstFrame(store);
    return store;
  }

  it('its other series stay whole when points go for their age, and roll-ups that were there', () => {
    let now = T;
    const store = damaged({ now: () => now, rawDays: 2, rollDays: 10 });
    now = T + 3 * DAY;
    settle(store);
    expect(hourly(store)).toEqual(all);
    // What cannot be read is still told.
    for (const data of store.source.read(anyFilter, 0, 1e15)) void data;
    expect(store.damages).toContainEqual(expect.objectContaining({ place: 'series 1 in pack 1', lost: 6000 }));
  });

  it('late points of the others are taken in, and their roll-ups made anew', () => {
    const store = damaged();
    store.lines(`m,h=c v=1 ${T + 500}`, 'ms');
    settle(store);
    expect(hourly(store)).toEqual({ ...all, c: [3601, 2400] });
    expect(countOf(store, 'SELECT count(*) FROM series WHERE rolled > 0')).toBe(2);
    expect(store.writer.stats().damaged).toBe(0);
  });
});

it('each query hears of series whose row is lost, and a delete takes points of those beside one that is damaged', () => {
  const store = open();
  store.lines([...thin('a'), ...thin('b'), ...thin('c')].join('\n'), 'ms');
  settle(store);
  partition(store, (db) => db.exec('UPDATE series SET tie = tie + 1 WHERE sid = 1'));
  store.writer.delete('metrics', { start: T, stop: T + DAY, tags: { h: 'b' } });
  expect(hourly(store)).toEqual({ a: all.b, c: all.b });
  partition(store, (db) => db.exec('DELETE FROM series WHERE sid = 3'));
  for (let query = 0; query < 2; query++) {
    store.damages.length = 0;
    expect(hourly(store)['c']).toBeUndefined();
    expect(store.damaged).toContainEqual(expect.stringContaining('series whose points are in packs are missing'));
    expect(store.damages).toContainEqual(expect.objectContaining({ place: 'packs', from: T, lost: null }));
  }
});

it('points of series with texts alone go for their age, too', () => {
  let now = T;
  const store = open({ now: () => now, rawDays: 2, rollDays: 0 });
  store.lines([`log s="x" ${T}`, ...thin('b')].join('\n'), 'ms');
  settle(store);
  now = T + 3 * DAY;
  settle(store);
  store.view.refresh();
  expect([...store.source.read(anyFilter, 0, 1e15)].map(({ measurement }) => measurement)).toEqual(['m']);
});

it('for room, files go of which nothing else can be taken, and no others are touched', () => {
  let now = T;
  const store = open({ now: () => now });
  for (let part = 0; part < 4; part++)
    store.lines(
      thin('a')
        .map((line) => line.replace(/\d+$/, (at) => String(Number(at) + part * 2 * HOUR)))
        .join('\n'),
      'ms',
    );
  now = T + DAY;
  settle(store);
  const files = () => readdirSync(join(store.folder, 'bucket-1')).filter((name) => name.endsWith('.db'));
  expect(files()).toHaveLength(4);
  const limits = { mostSeries: 1000, mostFields: 1000, rawDays: 0, rollDays: 0, headPages: 1_000_000 };
  store.writer.configure({ ...limits, mostBytes: store.writer.stats().bytes - 1 });
  now += 60_000;
  settle(store);
  expect(files()).toHaveLength(3);
  expect(store.lines(`m,h=a v=1 ${T + 6 * HOUR + 5}`, 'ms')).toMatchObject({ points: 1, dropped: 0 });
});

it('late points in many packs are taken in step by step', () => {
  const store = open({ mostSeries: 10_000 });
  const hosts = Array.from({ length: 256 * 10 }, (_, i) => i);
  store.lines(hosts.map((host) => `m,h=${host} v=1 ${T}`).join('\n'), 'ms');
  settle(store);
  expect(countOf(store, 'SELECT count(*) FROM pack')).toBe(10);
  store.lines(Array.from({ length: 10 }, (_, i) => `m,h=${i * 256} v=2 ${T + 1}`).join('\n'), 'ms');
  store.writer.seal();
  partition(store, (db) => {
    const step = () =>
      compactPart(
        db,
        { bucket: 1, start: T },
        () => 'float',
        false,
        () => {},
      );
    expect([step(), step(), step()]).toEqual([true, true, false]);
  });
  store.view.refresh();
  expect([...store.source.read(anyFilter, 0, 1e15)].flatMap(({ values }) => [...values])).toHaveLength(2570);
});

it('a large series stays beside the packs', () => {
  const store = open();
  const long = Array.from({ length: 20_000 }, (_, i) => `m,h=long v=${Math.sin(i)} ${T + i * 300}`);
  store.lines([...long, ...thin('b')].join('\n'), 'ms');
  settle(store);
  expect(countOf(store, 'SELECT sum(n) FROM chunk')).toBe(20_000);
  expect(countOf(store, 'SELECT sum(n) FROM pack')).toBe(100);
  expect(hourly(store)).toEqual({ b: all.b, long: [12_000, 8_000] });
});

it('a partition that was compacted has no gaps, and nothing of it stays open', () => {
  const store = open({ mostSeries: 10_000 });
  const hosts = Array.from({ length: 1500 }, (_, i) => i);
  for (const minute of [0, 1, 2]) {
    store.lines(hosts.map((host) => `m,h=${host} v=${host} ${T + minute * 60_000}`).join('\n'), 'ms');
    store.writer.seal();
  }
  settle(store);
  expect(readdirSync(join(store.folder, 'bucket-1')).filter((file) => !file.endsWith('.db'))).toEqual([]);
  partition(store, (db) => {
    const pages = () => db.pragma('page_count', { simple: true });
    const before = pages();
    db.exec('VACUUM');
    expect(pages()).toBe(before);
  });
  // It is opened again for what comes late.
  store.lines(`m,h=1 v=5 ${T + 1}`, 'ms');
  settle(store);
  store.view.refresh();
  expect([...store.source.read(anyFilter, 0, 1e15)].flatMap(({ values }) => [...values])).toHaveLength(4501);
});
