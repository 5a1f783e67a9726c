import { expect, it, vi } from 'vitest';
import type { LogRun } from './port.ts';
import { createReader } from './read/reader.ts';
import { openLogStore } from './store.ts';
import { createMerger } from './merge/merger.ts';
import { batch, emptyFolder, LINE_LIMITS, recordsIn, settle, writerOf } from './store.fixture.ts';

/** Threads that read end when nobody asks them: what is asked then is answered all the same. */

const never = new AbortController().signal;
const asked = (query: string): LogRun => ({
  query,
  from: null,
  to: null,
  extraFilters: [],
  limit: null,
  offset: 0,
  now: Date.UTC(2026, 0, 2),
  timeoutMs: 30_000,
});
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    _time: Date.UTC(2026, 0, 1) + from + i,
    n: from + i,
    _msg: `line ${from + i} ${'abcdefgh'.repeat(30)}`,
  }));
async function text(pages: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const page of pages) parts.push(page);
  return Buffer.concat(parts).toString();
}
const storeOf = (idleMs: number) =>
  openLogStore({
    folder: emptyFolder(),
    limits: LINE_LIMITS,
    storeBytes: 1e9,
    retentionDays: 0,
    reserveBytes: 0,
    durable: false,
    queueBytes: 64e6,
    queries: { most: 4, waiting: 4, waitMs: 5000, bytes: 2 ** 27 },
    cacheBytes: 2 ** 24,
    idleMs,
    log: () => {},
  });

it('ends a thread that nobody asks, and the next query has a new one', async () => {
  const seen: string[] = [];
  const oldest = new SharedArrayBuffer(16);
  const reader = createReader({
    data: {
      folder: emptyFolder(),
      oldest,
      stay: new SharedArrayBuffer(8),
      reader: 0,
      cacheBytes: 1e6,
      queryBytes: 1e6,
    },
    onEvent: () => {},
    onStart: () => seen.push('started'),
    onCrash: (why) => seen.push(why),
    idleMs: 0,
  });
  const first = reader.session();
  const second = reader.session();
  expect(second.call).toBe(first.call);
  first.release();
  first.release();
  await second.call('poll');
  expect(reader.running).toBe(true);
  new BigInt64Array(oldest)[0] = 5n;
  second.release();
  await vi.waitUntil(() => !reader.running);
  // The query of a thread that ended holds nothing back.
  await vi.waitUntil(() => new BigInt64Array(oldest)[0] === 0n);
  const third = reader.session();
  expect(third.call).not.toBe(first.call);
  await third.call('poll');
  third.release();
  await reader.close();
  expect(() => reader.session()).toThrow(expect.objectContaining({ code: 'SHUTTING_DOWN' }));
  expect(seen).toEqual(['started', 'started']);
});

it('loses no query to a thread that is about to end', async () => {
  const store = await storeOf(0);
  for (let n = 1; n <= 4; n++) {
    await store.insert(batch(lines(n, 1)));
    const [counted, found] = await Promise.all([
      text(store.run(asked('* | stats count() n'), never)),
      store.search({ limit: 100, order: 'asc' }, 0),
    ]);
    expect(JSON.parse(counted)).toEqual({ n: String(n) });
    expect((JSON.parse(Buffer.from(found).toString()) as { records: unknown[] }).records).toHaveLength(n);
  }
  await store.close();
});

it('ends a thread that has nothing to merge, and what there is to merge then has a new one', async () => {
  const folder = emptyFolder();
  let merges = 0;
  const merger = createMerger(folder, () => void merges++, 0);
  const writer = writerOf(folder, { merge: merger.merge });
  for (let round = 1; round <= 2; round++) {
    for (let i = 0; i < 8; i++) writer.insert([batch(lines(((round - 1) * 8 + i) * 1500, 1500))]);
    settle(writer);
    expect(merger.running()).toBe(true);
    await vi.waitUntil(() => merges >= round);
    settle(writer);
    await vi.waitUntil(() => !merger.running());
  }
  expect(writer.stats()).toMatchObject({ rows: 2 * 8 * 1500 });
  expect(writer.stats().blocks).toBeLessThan(2 * 8);
  await merger.end();
  writer.close();
  expect(recordsIn(folder).records.map(({ n }) => n)).toEqual(Array.from({ length: 2 * 8 * 1500 }, (_, n) => n));
});

it('keeps the thread of a result that is fetched page by page, and of a follower', async () => {
  const store = await storeOf(0);
  const seen: unknown[] = [];
  const stop = new AbortController();
  store.tail({ query: '*' }, (records) => void seen.push(...(JSON.parse(records) as unknown[])), stop.signal);
  await store.insert(batch(lines(0, 6000)));
  await vi.waitUntil(() => seen.length === 6000);
  let all = '';
  for await (const page of store.run(asked('*'), never)) {
    all += Buffer.from(page).toString();
    // Others come and go meanwhile.
    await store.values({ field: 'n', limit: 1 }, 0);
  }
  expect(all.split('\n').filter(Boolean)).toHaveLength(6000);
  await store.insert(batch(lines(6000, 5)));
  await vi.waitUntil(() => seen.length === 6005);
  stop.abort();
  await store.close();
});
