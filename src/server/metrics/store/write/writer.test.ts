import Database from 'better-sqlite3';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anyFilter, noGuard, type TestStore, settle, useTestStores } from '../store.fixture.ts';
import { querySeries } from '../../queries/series.ts';
import type { ShapeBatch } from '../../collector/port.ts';
import { createCollector } from '../../collector/collector.ts';
import { temporaryFolder } from '../../../../lib/temporary-folder.fixture.ts';

const T = Date.UTC(2026, 0, 1, 12);
const DAY = 86_400_000;
const HOUR = 3_600_000;
const open = useTestStores();
const count = (store: TestStore, measurement = 'm'): number => {
  store.view.refresh();
  return [...store.source.read({ ...anyFilter, measurement: [measurement] }, 0, 1e15)].reduce(
    (sum, { ms }) => sum + ms.length,
    0,
  );
};
const limits = {
  mostSeries: 1000,
  mostFields: 1000,
  mostBytes: 2 ** 40,
  rawDays: 0,
  rollDays: 0,
  headPages: 1_000_000,
};

describe('a write', () => {
  it('with a bad line stores nothing and tells its number', () => {
    const store = open();
    expect(store.lines('m v=1 1\nm v=x 2\nm v=3 3')).toMatchObject({
      points: 0,
      faulty: 1,
      faults: [{ line: 2, text: 'm v=x 2', reason: 'invalid field format' }],
    });
    expect(count(store)).toBe(0);
  });

  it('with a field of another type keeps the other points, and names the conflict', () => {
    const store = open();
    store.lines('m v=1 1');
    expect(store.lines('m v="text" 2\nm v=2,w=3 3\nm v=4i 4\nother v="text" 5')).toEqual({
      points: 2,
      faults: [],
      faulty: 0,
      dropped: 2,
      partial: 'field type conflict: input field "v" on measurement "m" is type string, already exists as type float',
    });
    expect([count(store), count(store, 'other')]).toEqual([3, 1]);
  });

  it('takes whole numbers for what the master says of itself, and no other type, whoever comes first', () => {
    const store = open();
    expect(
      store.lines(
        'system_metrics gauge_queue_depth="much" 1\ntask_metrics counter_error_count=1i 2\nsystem_metrics note="much" 3\nother gauge_queue_depth="much" 4',
      ),
    ).toMatchObject({
      points: 3,
      dropped: 1,
      partial:
        'field type conflict: input field "gauge_queue_depth" on measurement "system_metrics" is type string, already exists as type float',
    });
    const batches: ShapeBatch[] = [];
    const collector = createCollector((batch) => batches.push(batch));
    collector.add({ time: 1, measurement: 'system_metrics', tags: {}, fields: { gauge_queue_depth: 5 } });
    collector.flush();
    store.writer.record(batches);
    expect(count(store, 'system_metrics')).toBe(2);
    expect(
      store.lines(
        'task_metrics counter_error_count=2u 3\ntask_metrics counter_error_count=0.5 4\ntask_metrics counter_error_count=t 5',
      ),
    ).toMatchObject({ points: 2, dropped: 1 });
    expect(count(store, 'task_metrics')).toBe(3);
    // In a bucket of their own clients may call things what they like.
    store.writer.createBucket('mine', 0);
    expect(store.writer.write('mine', Buffer.from('system_metrics gauge_queue_depth="much" 1'), 'ns')).toMatchObject({
      points: 1,
      dropped: 0,
    });
  });

  it('into a bucket that is not there is refused', () => {
    const store = open();
    expect(() => store.writer.write('none', new Uint8Array(), 'ns')).toThrow(
      expect.objectContaining({ code: 'BUCKET_NOT_FOUND' }),
    );
  });

  it('leaves out points of series beyond the limit, counts them, and takes those it knows', () => {
    const store = open({ mostSeries: 3 });
    expect(store.lines(Array.from({ length: 10 }, (_, i) => `m,host=${i} v=1 1`).join('\n'))).toMatchObject({
      points: 3,
      dropped: 7,
      partial: 'max-series-per-database limit exceeded: (3)',
    });
    expect(store.lines('m,host=0 v=2 2')).toMatchObject({ points: 1, dropped: 0 });
    expect(store.lines('m,host=0,job_id=a v=2 2\nm,host=0,job_id=b v=2 2')).toMatchObject({ points: 2, dropped: 0 });
    expect(store.writer.stats()).toMatchObject({ series: 3, overCardinality: 7 });
  });

  it('takes new series in the room of those whose points were deleted, and of no others', () => {
    const store = open({ mostSeries: 4 });
    store.lines('m,host=a v=1 1\nm,host=b v=1 1\nm,host=b v=1 2\nm,host=c v=1 1', 'ms');
    store.writer.delete('metrics', { start: 0, stop: 1, tags: { host: 'b' } });
    store.writer.delete('metrics', { start: 0, stop: 1e15, tags: { host: 'a' } });
    expect(store.writer.stats().series).toBe(2);
    expect(store.lines('m,host=d v=1 1\nm,host=e v=1 1\nm,host=f v=1 1')).toMatchObject({ points: 2, dropped: 1 });
    settle(store);
    store.view.refresh();
    expect([...store.view.catalog.series.values()].map(({ tags }) => tags['host'])).toEqual(['b', 'c', 'd', 'e']);
    expect(count(store)).toBe(4);
  });

  it('leaves out points with fields beyond the limit', () => {
    const store = open({ mostFields: 2 });
    expect(store.lines('m a=1,b=2 1\nm c=3 2')).toMatchObject({
      points: 1,
      dropped: 1,
      partial: 'max-fields limit exceeded: (2)',
    });
  });

  it('gives no room to what is left out, and keeps some for the points of the master itself', () => {
    const store = open({ mostSeries: 1, mostFields: 2 });
    expect(store.lines('m,host=a x=1,y=1,z=1 1')).toMatchObject({ points: 0, dropped: 1 });
    expect(store.lines('m,host=b x=1,y=1 1')).toMatchObject({ points: 1, dropped: 0 });
    expect(store.lines('m,host=c x=1 1')).toMatchObject({ points: 0, dropped: 1 });
    const one = (measurement: string, field: string) => ({
      ...{ measurement, tags: ['worker'], fields: [field], count: 1, texts: 'w1' },
      ...{ times: Float64Array.of(1), values: Float64Array.of(1) },
    });
    // Of a worker, of a series and a field too many.
    store.writer.record([one('custom_metrics', 'gauge_mine'), one('mine', 'y')]);
    expect([count(store, 'custom_metrics'), count(store, 'mine')]).toEqual([0, 0]);
    store.writer.record([one('system_metrics', 'gauge_own')]);
    expect(count(store, 'system_metrics')).toBe(1);
    expect(store.writer.stats()).toMatchObject({ series: 2, overCardinality: 4 });
  });
});

describe('buckets', () => {
  it('are made, renamed, and deleted with their points', () => {
    const store = open();
    const made = store.writer.createBucket('extra', 3600);
    expect(made).toMatchObject({
      name: 'extra',
      retentionSeconds: 3600,
      id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    expect(() => store.writer.createBucket('extra', 0)).toThrow(expect.objectContaining({ code: 'BUCKET_EXISTS' }));
    store.writer.write('extra', new TextEncoder().encode('m v=1'), 'ns');
    store.writer.updateBucket(made.id, { name: 'more', retentionSeconds: 0 });
    store.view.refresh();
    expect([...store.source.read({ ...anyFilter, bucket: 'more' }, 0, 1e15)]).toHaveLength(1);
    expect(count(store)).toBe(0);
    store.writer.deleteBucket(made.id);
    expect(store.writer.buckets().map(({ name }) => name)).toEqual(['metrics']);
    store.view.refresh();
    expect([...store.source.read({ ...anyFilter, bucket: 'more' }, 0, 1e15)]).toEqual([]);
  });

  it('refuse points beyond their retention', () => {
    const store = open({ now: () => T });
    store.writer.createBucket('short', 3600);
    expect(
      store.writer.write('short', new TextEncoder().encode(`m v=1 ${T - 3_700_000}\nm v=2 ${T}`), 'ms'),
    ).toMatchObject({ points: 1, dropped: 1, partial: 'points beyond retention policy' });
  });
});

describe('retention', () => {
  const dense = (from: number) =>
    Array.from({ length: 600 }, (_, i) => `m,h=${i % 3} v=${i} ${from + i * 1000}`).join('\n');

  it('by age takes points first and keeps their roll-ups, then takes those', () => {
    let now = T;
    const store = open({ now: () => now, rawDays: 2, rollDays: 10 });
    store.lines(dense(T), 'ms');
    settle(store);
    const sums = () => {
      store.view.refresh();
      return querySeries(store.view, noGuard, {
        measurement: 'm',
        field: 'v',
        aggregate: 'sum',
        groupBy: ['h'],
        filters: {},
        from: T,
        to: T + 600_000,
        intervalMs: 60_000,
        limit: 10,
      });
    };
    const lasts = () =>
      querySeries(store.view, noGuard, {
        measurement: 'm',
        field: 'v',
        aggregate: 'max',
        groupBy: [],
        filters: {},
        from: T,
        to: T + 600_000,
        intervalMs: null,
        limit: 10,
      }).series.map(({ values }) => values[0]);
    const before = sums();
    expect(before.series).toHaveLength(3);
    now = T + 3 * DAY;
    settle(store);
    expect(count(store)).toBe(0);
    expect(sums()).toEqual(before);
    expect(lasts()).toEqual([599]);
    expect(store.lines(`m,h=0 v=1 ${T + 1}`, 'ms')).toMatchObject({
      dropped: 1,
      partial: 'points beyond retention policy',
    });
    now = T + 11 * DAY;
    settle(store);
    expect(sums().series).toEqual([]);
    expect(readdirSync(join(store.folder, 'bucket-1'))).toEqual([]);
  });

  it('by age leaves the points of series that have few of them: their roll-ups would take more room', () => {
    let now = T;
    const store = open({ now: () => now, rawDays: 2, rollDays: 10 });
    const thin = Array.from({ length: 100 }, (_, i) => `m,h=thin v=${i} ${T + i * 60_000}`);
    const owned = Array.from({ length: 100 }, (_, i) => `m,h=owned,job_id=j${i} v=${i} ${T + i * 60_000}`);
    const noted = Array.from({ length: 100 }, (_, i) => `m,h=noted v=${i},s="x" ${T + i * 60_000}`);
    store.lines([dense(T), ...thin, ...owned, ...noted].join('\n'), 'ms');
    settle(store);
    const hourly = () => {
      store.view.refresh();
      return new Map(
        [...store.source.windows({ ...anyFilter, field: ['v'] }, T, T + 2 * HOUR, HOUR, 'mean')]
          .filter(({ tags }) => tags['job_id'] === undefined)
          .map(({ tags, starts, values }) => [tags['h'], { starts: [...starts], values: [...values] }]),
      );
    };
    const before = hourly();
    now = T + 3 * DAY;
    settle(store);
    // Those of jobs become one series.
    const ofJobs = { starts: [T, T + HOUR], values: [29.5, 79.5] };
    expect(hourly()).toEqual(before.set('owned', ofJobs));
    expect(count(store)).toBe(100);
    expect(store.writer.stats().points).toBe(100);
    store.writer.delete('metrics', { start: T, stop: T + 60_000, tags: { h: 'thin' } });
    expect(count(store)).toBe(98);
    now = T + 11 * DAY;
    settle(store);
    expect(count(store)).toBe(0);
    expect(store.damages).toEqual([]);
  });

  it('by size takes the oldest', () => {
    let now = T;
    const store = open({ now: () => now });
    for (let day = 0; day < 4; day++) store.lines(dense(T + day * DAY), 'ms');
    settle(store);
    expect(count(store)).toBe(2400);
    now = T + 3 * DAY + 1;
    store.writer.configure({ ...limits, mostBytes: 1 });
    now += 60_000;
    settle(store);
    store.view.refresh();
    expect(count(store)).toBeLessThan(600);
  });
});

it('skips a damaged chunk, tells of it, and reads the others', () => {
  const store = open();
  store.lines(Array.from({ length: 2000 }, (_, i) => `m,h=a v=${i} ${T + i}\nm,h=b v=${i} ${T + i}`).join('\n'), 'ms');
  store.writer.seal();
  const file = join(
    store.folder,
    'bucket-1',
    readdirSync(join(store.folder, 'bucket-1')).find((name) => name.endsWith('.db')) as string,
  );
  const db = new Database(file);
  db.prepare(
    "UPDATE chunk SET data = CAST(substr(data, 1, 20) || x'ff00ff' || substr(data, 24) AS BLOB) WHERE id = 1",
  ).run();
  db.close();
  expect(count(store)).toBe(2000);
  expect(store.damages).toMatchObject([{ place: 'chunk 1', lost: 2000, from: T, to: T + 2000 }]);
  settle(store);
  expect(store.writer.stats().damaged).toBe(1);
  expect(count(store)).toBe(2000);
});

it('leaves out a damaged entry of the rows that are not sealed', () => {
  const store = open();
  store.lines(`m v=1 ${T}`, 'ms');
  store.lines(`m v=2 ${T + 1}`, 'ms');
  const db = new Database(join(store.folder, 'head.db'));
  db.prepare('UPDATE wal SET data = CAST(substr(data, 1, 5) AS BLOB) WHERE id = 1').run();
  db.close();
  expect(count(store)).toBe(1);
  expect(store.damages).toMatchObject([{ file: 'head.db', place: 'entry 1' }]);
  settle(store);
  expect(count(store)).toBe(1);
});

it('refuses writes with a clear word while the disk is full, still reads, and recovers', () => {
  const store = open();
  store.lines(`m v=1 ${T}`, 'ms');
  const pages = statSync(join(store.folder, 'head.db')).size / 4096;
  store.writer.configure({ ...limits, headPages: Math.max(20, pages) });
  const long = Array.from({ length: 5000 }, (_, i) => `m,h=new s="${'x'.repeat(50)}" ${T + i}`).join('\n');
  const write = () => {
    for (let i = 0; i < 10; i++) store.lines(long, 'ms');
  };
  expect(write).toThrow(
    expect.objectContaining({
      code: 'METRICS_FULL',
      message: expect.stringContaining('free disk space') as string,
    }),
  );
  expect(store.writer.stats().refusing).not.toBeNull();
  const kept = count(store);
  store.writer.configure(limits);
  expect(store.lines(`m,h=new v=2 ${T}\nm,h=other v=3 ${T}`, 'ms').points).toBe(2);
  expect(store.writer.stats().refusing).toBeNull();
  expect(count(store)).toBe(kept + 2);
});

it('takes over the points of the store that was here before', () => {
  const folder = temporaryFolder('metrics');
  const old = new Database(join(folder, 'metrics.db'));
  old.exec(
    'CREATE TABLE chunk (id INTEGER PRIMARY KEY, measurement TEXT NOT NULL, t0 INTEGER NOT NULL, t1 INTEGER NOT NULL, count INTEGER NOT NULL, jobs TEXT NOT NULL, data ANY NOT NULL) STRICT',
  );
  const points = (from: number, n: number) =>
    JSON.stringify(
      Array.from({ length: n }, (_, i) => ({
        time: from + i,
        measurement: 'm',
        tags: { job_id: `j${i}`, node: 'a' },
        fields: { counter_x: i, timer_y: 0.5 },
      })),
    );
  for (let i = 0; i < 45; i++)
    old
      .prepare('INSERT INTO chunk (measurement, t0, t1, count, jobs, data) VALUES (?, 0, 0, 0, ?, ?)')
      .run('m', '[]', i % 2 ? points(T + i * 1000, 10) : zstdCompressSync(points(T + i * 1000, 10)));
  old.close();
  const store = open({ folder });
  settle(store);
  expect(count(store)).toBe(45 * 10 * 2);
  expect(existsSync(join(folder, 'metrics.db'))).toBe(false);
});
