import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { createReader, type Reader } from './reader.ts';
import { openTestStore, type TestStore } from './testing.ts';

/** A real thread over a real store. */
const T = Date.UTC(2026, 0, 1, 12);
let store: TestStore;
const readers: Reader[] = [];
let limits: { seconds: number; values: number; queries: number } = { seconds: 30, values: LIMITS.metricsQueryValues, queries: 64 };
function reader(): Reader {
  const made = createReader({ file: new URL('./thread.ts', import.meta.url), folder: store.folder, limits: () => limits, say: () => {} });
  readers.push(made);
  return made;
}
beforeAll(() => {
  store = openTestStore({ mostSeries: 100_000 });
  store.lines(Array.from({ length: 50_000 }, (_, i) => `m,h=${i % 5000} v=${i} ${T + i}`).join('\n'), 'ms');
});
afterAll(async () => {
  for (const one of readers) await one.end();
  store.close();
});
const means = { kind: 'series', args: { measurement: 'm', field: 'v', aggregate: 'p95', groupBy: ['h'], filters: {}, from: T, to: T + 50_000, intervalMs: 1, limit: 10_000 } } as const;

it('answers, several at once', async () => {
  const one = reader();
  const texts = await Promise.all([one.text(means), one.text({ kind: 'names', args: null }), one.text(means)]);
  expect(JSON.parse(texts[1] as string)).toMatchObject({ items: [{ measurement: 'm', series: 5000 }] });
  expect(texts[0]).toBe(texts[2]);
  expect(one.waiting).toBe(0);
});

it('ends a query that takes too long, or reads too much, with a word that helps', async () => {
  const one = reader();
  limits = { ...limits, values: 1000 };
  await expect(one.text(means)).rejects.toMatchObject({ code: 'METRICS_TOO_BROAD', message: expect.stringContaining('narrow its time range') as string });
  limits = { ...limits, values: 1e9, seconds: 0.001 };
  await expect(one.text(means)).rejects.toMatchObject({ code: 'METRICS_TIMEOUT' });
  limits = { ...limits, seconds: 30 };
  expect(JSON.parse(await one.text(means))).toMatchObject({ total: 5000 });
});

it('ends a query whose asker has gone, and takes no more than so many', async () => {
  const one = reader();
  const gone = new AbortController();
  const run = one.run(means, gone.signal)[Symbol.asyncIterator]().next();
  gone.abort();
  await expect(run).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  limits = { ...limits, queries: 1 };
  const first = one.text(means);
  await expect(one.text(means)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await first;
  limits = { ...limits, queries: 64 };
});

it('starts again after its thread has ended', async () => {
  const one = reader();
  await one.text(means);
  await one.end();
  expect(JSON.parse(await one.text(means))).toMatchObject({ total: 5000 });
});
