import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import { createQueryReaders } from './readers.ts';
import { createReader, type Reader, type ReaderLimits } from './reader.ts';
import type { QueryJob } from '../port.ts';
import { openTestStore, type TestStore } from '../store.fixture.ts';

/** Real threads over a real store; where processors are scarce they take their time. */
const T = Date.UTC(2026, 0, 1, 12);
let store: TestStore;
const readers: Reader[] = [];
let limits: ReaderLimits = {
  seconds: 30,
  values: LIMITS.metricsQueryValues,
  bytes: LIMITS.metricsQueryBytes,
  queries: 64,
  quick: false,
};
function reader(idleMs = 60_000): Reader {
  const made = createReader({
    file: threadFile(import.meta.url, '../store-thread.ts', 'metric-thread.js'),
    folder: store.folder,
    limits: () => limits,
    log: () => {},
    report: () => {},
    idleMs,
  });
  readers.push(made);
  return made;
}
async function text(pages: AsyncIterable<Uint8Array>): Promise<string> {
  const found: Uint8Array[] = [];
  for await (const page of pages) found.push(page);
  return Buffer.concat(found).toString();
}
const ask = (one: Reader, job: QueryJob) => text(one.run(job, new AbortController().signal));
beforeAll(() => {
  store = openTestStore({ mostSeries: 100_000 });
  store.lines(Array.from({ length: 50_000 }, (_, i) => `m,h=${i % 5000} v=${i} ${T + i}`).join('\n'), 'ms');
});
afterAll(async () => {
  for (const one of readers) await one.end();
  store.close();
});
const means = {
  kind: 'series',
  args: {
    measurement: 'm',
    field: 'v',
    aggregate: 'p95',
    groupBy: ['h'],
    filters: {},
    from: T,
    to: T + 10_000,
    intervalMs: 1,
    limit: 10_000,
  },
} as const;

it('answers, several at once', async () => {
  const one = reader();
  const texts = await Promise.all([ask(one, means), ask(one, { kind: 'names', args: null }), ask(one, means)]);
  expect(JSON.parse(texts[1] as string)).toMatchObject({ items: [{ measurement: 'm', series: 5000 }] });
  expect(texts[0]).toBe(texts[2]);
  expect(one.waiting).toBe(0);
});

it('ends a query that takes too long, or reads too much, with a word that helps', async () => {
  const one = reader();
  limits = { ...limits, values: 1000 };
  await expect(ask(one, means)).rejects.toMatchObject({
    code: 'METRICS_TOO_BROAD',
    message: expect.stringContaining('narrow the time range') as string,
  });
  limits = { ...limits, values: 1e9, seconds: 0.001 };
  await expect(ask(one, means)).rejects.toMatchObject({ code: 'METRICS_TIMEOUT' });
  limits = { ...limits, seconds: 30 };
  expect(JSON.parse(await ask(one, means))).toMatchObject({ total: 5000 });
});

it('ends a query whose asker has gone, and takes no more than so many', async () => {
  const one = reader();
  const gone = new AbortController();
  const run = one.run(means, gone.signal)[Symbol.asyncIterator]().next();
  gone.abort();
  await expect(run).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  limits = { ...limits, queries: 1 };
  const first = ask(one, means);
  await expect(ask(one, means)).rejects.toMatchObject({ code: 'OVERLOADED' });
  await first;
  limits = { ...limits, queries: 64 };
});

it('starts again after its thread has ended', async () => {
  const one = reader();
  await ask(one, means);
  await one.end();
  expect(JSON.parse(await ask(one, means))).toMatchObject({ total: 5000 });
});

const flux = (program: string) =>
  ({
    kind: 'flux',
    args: {
      text: program,
      dialect: { header: true, delimiter: ',', annotations: [], commentPrefix: '#' },
      now: BigInt(T + 86_400_000) * 1_000_000n,
      params: null,
    },
  }) as const satisfies QueryJob;
const everything = flux('from(bucket: "metrics") |> range(start: 0)');
/** A billion calls. */
const endless = flux(
  `import "array"\nf0 = (x) => x + 1\n${Array.from({ length: 30 }, (_, i) => `f${i + 1} = (x) => f${i}(x: f${i}(x: x))`).join('\n')}\narray.from(rows: [{_value: 1}]) |> map(fn: (r) => ({_value: f30(x: r._value)}))`,
);

const words = Array.from({ length: 20 }, (_, i) => `w${i}: string(v: r._time) + r.h + "${i}"`).join(', ');
/** Needs more than 16 MB. */
const broad = flux(
  `from(bucket: "metrics") |> range(start: 0) |> group() |> map(fn: (r) => ({r with ${words}})) |> sort(columns: ["w3"])`,
);

it('ends a query that takes too much memory, and others go on', async () => {
  const one = reader();
  limits = { ...limits, bytes: 16 * 1024 * 1024 };
  await expect(ask(one, broad)).rejects.toMatchObject({
    code: 'METRICS_TOO_BROAD',
    message: expect.stringContaining('metricsQueryBytes') as string,
  });
  limits = { ...limits, bytes: LIMITS.metricsQueryBytes };
  expect(JSON.parse(await ask(one, { kind: 'names', args: null }))).toMatchObject({ items: [{ series: 5000 }] });
});

it('gives the memory of such a query back: what comes then has a new thread, what is under way keeps the old one', async () => {
  let started = 0;
  const one = createReader({
    get file() {
      started++;
      return threadFile(import.meta.url, '../store-thread.ts', 'metric-thread.js');
    },
    folder: store.folder,
    limits: () => limits,
    log: () => {},
    report: () => {},
  });
  readers.push(one);
  const pages = one.run(everything, new AbortController().signal)[Symbol.asyncIterator]();
  const first = await pages.next();
  limits = { ...limits, bytes: 16 * 1024 * 1024 };
  await expect(ask(one, broad)).rejects.toMatchObject({ code: 'METRICS_TOO_BROAD' });
  limits = { ...limits, bytes: LIMITS.metricsQueryBytes };
  expect(started).toBe(1);
  await ask(one, { kind: 'names', args: null });
  expect(started).toBe(2);
  let rest = Buffer.from(first.value as Uint8Array).toString();
  for (let page = await pages.next(); !page.done; page = await pages.next()) rest += Buffer.from(page.value).toString();
  expect(rest).toBe(await ask(one, everything));
  expect(started).toBe(2);
});

it('ends its thread once nobody asks, and starts another for the next query', async () => {
  const one = reader(1);
  expect(JSON.parse(await ask(one, means))).toMatchObject({ total: 5000 });
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(JSON.parse(await ask(one, { kind: 'names', args: null }))).toMatchObject({ items: [{ series: 5000 }] });
  }
});

describe('of several threads', () => {
  const never = new AbortController().signal;
  function open(asked = () => {}) {
    const lanes = createQueryReaders({
      file: threadFile(import.meta.url, '../store-thread.ts', 'metric-thread.js'),
      folder: store.folder,
      limits: () => (asked(), limits),
      log: () => {},
      report: () => {},
      idleMs: 2 ** 31 - 1,
    });
    readers.push({ ...lanes, run: () => [] as never });
    return { lanes, slow: lanes.slow() };
  }

  it('small queries are answered while one is under way that takes its time', async () => {
    const { lanes, slow } = open();
    const gone = new AbortController();
    const busy = text(lanes.run(endless, slow, gone.signal));
    for (let i = 0; i < 3; i++)
      expect(JSON.parse(await text(lanes.run({ kind: 'names', args: null }, slow, never)))).toMatchObject({
        items: [{ series: 5000 }],
      });
    gone.abort();
    await expect(busy).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
  });

  it('what is not small is answered whole, and once', async () => {
    const { lanes, slow } = open();
    const whole = await ask(reader(), everything);
    expect(whole.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(await text(lanes.run(everything, slow, never))).toBe(whole);
  });

  it('what was not small is not tried as if it were when it is asked again, later', async () => {
    let asked = 0;
    const { lanes, slow } = open(() => asked++);
    await text(lanes.run(everything, slow, never));
    // Both threads run by now: what is asked for limits are queries.
    asked = 0;
    const later = { ...everything, args: { ...everything.args, now: everything.args.now + 10_000_000_000n } };
    expect((await text(lanes.run(later, slow, never))).length).toBeGreaterThan(0);
    expect(asked).toBe(1);
  });

  it('a query that ends by its limits says so', async () => {
    const { lanes, slow } = open();
    limits = { ...limits, seconds: 1 };
    await expect(text(lanes.run(endless, slow, never))).rejects.toMatchObject({
      code: 'METRICS_TIMEOUT',
      message: expect.stringContaining('longer than 1 s') as string,
    });
    limits = { ...limits, seconds: 30 };
  });
});
