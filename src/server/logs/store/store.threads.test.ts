import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { LogRun } from './port.ts';
import { logFiles } from './files/schema.ts';
import type { LogBackend } from '../backend.ts';
import { openLogStore } from './store.ts';
import { batch, emptyFolder, LINE_LIMITS } from './store.fixture.ts';

const open: LogBackend[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});
async function storeOf(more: Partial<Parameters<typeof openLogStore>[0]> = {}): Promise<LogBackend> {
  const store = await openLogStore({
    folder: emptyFolder(),
    limits: LINE_LIMITS,
    storeBytes: 1e9,
    retentionDays: 0,
    reserveBytes: 0,
    durable: false,
    queueBytes: 64e6,
    queries: { most: 4, waiting: 4, waitMs: 200, bytes: 2 ** 27 },
    cacheBytes: 2 ** 24,
    log: () => {},
    ...more,
  });
  open.push(store);
  return store;
}
const START = Date.UTC(2026, 0, 1);
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    _time: START + from + i,
    n: from + i,
    source: 'test',
    _msg: `line ${from + i} ${'abcdefgh'.repeat(30)}`,
  }));
const asked = (query: string, more: Partial<LogRun> = {}): LogRun => ({
  query,
  from: null,
  to: null,
  extraFilters: [],
  limit: null,
  offset: 0,
  now: START + 1e6,
  timeoutMs: 30_000,
  ...more,
});
const never = new AbortController().signal;
async function rows(pages: AsyncIterable<Uint8Array>): Promise<Record<string, string>[]> {
  const parts: Uint8Array[] = [];
  for await (const page of pages) parts.push(page);
  return Buffer.concat(parts)
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

describe('a query', () => {
  it('sees what was acknowledged, at once', async () => {
    const store = await storeOf();
    for (let i = 0; i < 20; i++) {
      await store.insert(batch([{ n: i }]));
      expect(await rows(store.run(asked('* | stats count() n'), never))).toEqual([{ n: String(i + 1) }]);
    }
  });

  it('gives the newest first where it is limited', async () => {
    const store = await storeOf();
    await store.insert(batch(lines(0, 3000)));
    await store.insert(batch(lines(3000, 10)));
    expect((await rows(store.run(asked('*', { limit: 3 }), never))).map(({ n }) => n)).toEqual([
      '3009',
      '3008',
      '3007',
    ]);
    expect((await rows(store.run(asked('n:=77'), never))).map(({ n }) => n)).toEqual(['77']);
  });

  it('comes in pages that are pulled, from one moment, while lines arrive', async () => {
    const store = await storeOf();
    await store.insert(batch(lines(0, 6000)));
    const pages = store.run(asked('*'), never)[Symbol.asyncIterator]();
    const first = await pages.next();
    expect((first.value as Uint8Array).length).toBeLessThanOrEqual(256 * 1024);
    await store.insert(batch(lines(6000, 3000)));
    let text = Buffer.from(first.value as Uint8Array).toString();
    for (let page = await pages.next(); !page.done; page = await pages.next())
      text += Buffer.from(page.value).toString();
    expect(text.split('\n').filter(Boolean)).toHaveLength(6000);
  });

  it('ends when it is aborted, and gives its place to the next', async () => {
    const store = await storeOf({ queries: { most: 1, waiting: 1, waitMs: 5000, bytes: 2 ** 27 } });
    await store.insert(batch(lines(0, 6000)));
    const stop = new AbortController();
    const pages = store.run(asked('*'), stop.signal)[Symbol.asyncIterator]();
    await pages.next();
    const next = rows(store.run(asked('*'), never));
    await expect(rows(store.run(asked('*'), never))).rejects.toMatchObject({ code: 'OVERLOADED' });
    stop.abort();
    expect((await pages.next()).done).toBe(true);
    expect(await next).toHaveLength(6000);
  });

  it('that is small waits for no large one', async () => {
    const store = await storeOf({ queries: { most: 1, waiting: 0, waitMs: 0, bytes: 2 ** 27 } });
    await store.insert(batch(lines(0, 6000)));
    const pages = store.run(asked('*'), never)[Symbol.asyncIterator]();
    await pages.next();
    expect(await rows(store.run(asked('* | stats count() n'), never))).toEqual([{ n: '6000' }]);
    expect(JSON.parse(Buffer.from(await store.search({ limit: 1, order: 'desc' }, START)).toString())).toMatchObject({
      records: [{ n: 5999 }],
    });
    expect(await store.values({ field: 'source', limit: 5 }, START)).toEqual({
      values: [{ value: 'test', count: 6000 }],
      complete: true,
    });
    await expect(rows(store.run(asked('*'), never))).rejects.toMatchObject({ code: 'OVERLOADED' });
    await pages.return?.();
  });

  it('is whole, whichever thread reads its blocks, beside others, and while lines arrive', async () => {
    const store = await storeOf();
    const count = 12_000;
    for (let from = 0; from < count; from += 2000) await store.insert(batch(lines(from, 2000)));
    const within = { to: START + count };
    const ends = (digit: string) => `_msg:~"line [0-9]*${digit} "`;
    const sevens = Array.from({ length: count / 10 }, (_, n) => n * 10 + 7);
    for (let i = 0; i < 3; i++) {
      const stop = new AbortController();
      const aborted = rows(store.run(asked(ends('1'), within), stop.signal));
      const [counted, found, few] = await Promise.all([
        rows(store.run(asked(`${ends('3')} | stats count() n`, within), never)),
        rows(store.run(asked(ends('7'), within), never)),
        rows(store.run(asked(`n:=${i}`), never)),
        store.insert(batch(lines(count + i * 500, 500))),
      ]);
      expect(counted).toEqual([{ n: String(count / 10) }]);
      expect(found.map(({ n }) => Number(n)).toSorted((a, b) => a - b)).toEqual(sevens);
      expect(few.map(({ n }) => n)).toEqual([String(i)]);
      stop.abort();
      await aborted;
    }
  });

  it('for records, counts or values ends when nobody waits for it, and gives its place to the next', async () => {
    const store = await storeOf({ queries: { most: 1, waiting: 0, waitMs: 0, bytes: 2 ** 27 } });
    for (let from = 0; from < 24_000; from += 2000) await store.insert(batch(lines(from, 2000)));
    const query = '_msg:~"l[a-z]* [0-9]*[0-9]*[0-9]* [a-h]*x"';
    for (const ask of [
      (signal?: AbortSignal) => store.search({ query, limit: 5, order: 'desc' }, START, signal),
      (signal?: AbortSignal) => store.records({ query, limit: 5, order: 'desc' }, START, signal),
      (signal?: AbortSignal) => store.hits({ query, stepMs: null }, START, signal),
      (signal?: AbortSignal) => store.values({ query, field: 'n', limit: 5 }, START, signal),
    ]) {
      const gone = new AbortController();
      const asked = ask(gone.signal);
      const ended = expect(asked).rejects.toMatchObject({ code: 'QUERY_CANCELLED' });
      gone.abort();
      await ended;
      await ask();
    }
  });

  it('leaves a damaged block out, whichever thread finds it', async () => {
    const folder = emptyFolder();
    const filled = await storeOf({ folder });
    for (let from = 0; from < 12_000; from += 500) await filled.insert(batch(lines(from, 500)));
    await filled.close();
    const db = new Database(join(folder, logFiles(folder)[0] ?? ''));
    const damaged = db.prepare('SELECT id, rows FROM blk WHERE dead IS NULL ORDER BY t0 DESC LIMIT 1').get() as {
      id: number;
      rows: number;
    };
    db.prepare('UPDATE blk SET head = CAST(substr(head, 1, 9) || zeroblob(length(head) - 9) AS BLOB) WHERE id = ?').run(
      damaged.id,
    );
    db.close();
    const left = 12_000 - damaged.rows;
    const store = await storeOf({ folder });
    const [counted, found] = await Promise.all([
      rows(store.run(asked('_msg:~"line [0-9]* a" | stats count() n'), never)),
      rows(store.run(asked('_msg:~"line [0-9]* a"'), never)),
    ]);
    expect(counted).toEqual([{ n: String(left) }]);
    expect(found).toHaveLength(left);
    // Either thread has started by now.
    expect(await rows(store.run(asked('_msg:~"line [0-9]* [a-b]" | stats count() n'), never))).toEqual([
      { n: String(left) },
    ]);
  });

  it('waits for its turn no longer than it may', async () => {
    const store = await storeOf({ queries: { most: 1, waiting: 4, waitMs: 50, bytes: 2 ** 27 } });
    await store.insert(batch(lines(0, 6000)));
    const pages = store.run(asked('*'), never)[Symbol.asyncIterator]();
    await pages.next();
    await expect(rows(store.run(asked('*'), never))).rejects.toMatchObject({ code: 'OVERLOADED' });
    await pages.return?.();
    expect(await rows(store.run(asked('* | stats count() n'), never))).toEqual([{ n: '6000' }]);
  });

  it('holds no more than it may for sorting', async () => {
    const store = await storeOf({ queries: { most: 1, waiting: 4, waitMs: 50, bytes: 100_000 } });
    await store.insert(batch(lines(0, 6000)));
    await expect(rows(store.run(asked('* | sort by (_msg)'), never))).rejects.toMatchObject({
      code: 'QUERY_TOO_LARGE',
    });
    expect(await rows(store.run(asked('* | stats count() n'), never))).toEqual([{ n: '6000' }]);
  });

  it('that is wrong, or takes too long, says so', async () => {
    const store = await storeOf();
    await store.insert(batch(lines(0, 6000)));
    await expect(rows(store.run(asked('_msg:('), never))).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    await expect(rows(store.run(asked('*', { timeoutMs: 0 }), never))).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
});

it('shows each line to a follower once, also one that comes late', async () => {
  const store = await storeOf();
  await store.insert(batch(lines(0, 5)));
  const seen: unknown[] = [];
  let wanted = 0;
  let done = () => {};
  const reached = (count: number) => {
    wanted = count;
    return new Promise<void>((resolve) => (seen.length >= count ? resolve() : (done = resolve)));
  };
  const stop = new AbortController();
  store.tail(
    { query: 'n:>2' },
    (records) => {
      seen.push(...(JSON.parse(records) as { n: unknown }[]).map(({ n }) => n));
      if (seen.length >= wanted) done();
    },
    stop.signal,
  );
  await store.insert(batch(lines(100, 2000)));
  await store.insert(batch([{ n: 50, _time: START - 9e8 }, { n: 1 }]));
  await reached(2001);
  stop.abort();
  await store.insert(batch(lines(5000, 1)));
  expect(seen).toEqual([...Array.from({ length: 2000 }, (_, i) => i + 100), 50]);
});

it('shows each line to a follower once while several threads read what many senders send', async () => {
  const store = await storeOf();
  const SENDERS = 6;
  const BATCHES = 4;
  const seen: string[] = [];
  let done = () => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const stop = new AbortController();
  store.tail(
    { query: 'mark:*' },
    (records) => {
      seen.push(...(JSON.parse(records) as { mark: string }[]).map(({ mark }) => mark));
      if (seen.length >= SENDERS * BATCHES * 2) done();
    },
    stop.signal,
  );
  const text = 'x'.repeat(250);
  const sent = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let n = 0; n < BATCHES; n++) {
      const plain = Array.from({ length: 4000 }, () => ({ _msg: text }));
      const marked = ['first', 'last'].map((end) => ({ mark: `${sender} ${n} ${end}` }));
      await store.insert(batch([marked[0] ?? {}, ...plain, marked[1] ?? {}]));
    }
  });
  await Promise.all([all, ...sent]);
  stop.abort();
  expect(new Set(seen).size).toBe(seen.length);
  for (let sender = 0; sender < SENDERS; sender++)
    // Each batch was sent once the one before it was stored.
    expect(seen.filter((mark) => mark.startsWith(`${sender} `))).toEqual(
      Array.from({ length: BATCHES }, (_, n) => [`${sender} ${n} first`, `${sender} ${n} last`]).flat(),
    );
});

it('refuses to answer while a file is out of reach, rather than leave its lines out', async () => {
  const folder = emptyFolder();
  const store = await storeOf({ folder });
  await store.insert(batch(lines(0, 3)));
  const inTheWay = join(folder, 'logs-2020-01-01.db');
  mkdirSync(inTheWay);
  await expect(rows(store.run(asked('*'), never))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('logs-2020-01-01.db cannot be read now') as string,
  });
  await expect(store.search({ limit: 10, order: 'asc' }, START)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  rmdirSync(inTheWay);
  expect(await rows(store.run(asked('*'), never))).toHaveLength(3);
});

it('refuses batches where too many wait', async () => {
  const store = await storeOf({ queueBytes: 1000 });
  const first = store.insert(batch(lines(0, 1000)));
  await expect(store.insert(batch(lines(1000, 1000)))).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(await first).toEqual({ stored: 1000, skipped: 0, duplicate: false });
});

it('gives each line once where costly queries, small ones and exports run side by side', async () => {
  const store = await storeOf({ queries: { most: 8, waiting: 100, waitMs: 60_000, bytes: 2 ** 27 } });
  for (let i = 0; i < 4; i++) await store.insert(batch(lines(i * 1500, 1500)));
  const whole = async () => {
    const all = (await rows(store.run(asked('*'), never))).map(({ n }) => Number(n)).toSorted((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 6000 }, (_, i) => i));
  };
  const costly = async () =>
    expect(await rows(store.run(asked('_msg:~"(a|ab)c?d.*h$" | stats count_uniq(n) n'), never))).toEqual([
      { n: '6000' },
    ]);
  const small = async (n: number) =>
    expect((await rows(store.run(asked(`n:=${n}`), never))).map((row) => row['n'])).toEqual([String(n)]);
  const hits = async () =>
    expect((await store.hits({ stepMs: 60_000 }, START)).hits.map(({ total }) => total)).toEqual([6000]);
  for (let round = 0; round < 2; round++)
    await Promise.all([whole(), costly(), small(round), hits(), whole(), small(5999), costly()]);
  // One that is left half-way gives its place back.
  const pages = store.run(asked('*'), never)[Symbol.asyncIterator]();
  await pages.next();
  await pages.return?.();
  await Promise.all([whole(), small(7)]);
});

it('lets other lines go before the rest of a request that takes long, and stores it whole', async () => {
  // A turn is over after the first block: how long the others take does not matter.
  const store = await storeOf({ turnMs: 0 });
  // Each line has names that no other one has: the costliest there are, and a block has room for few of them.
  const wide = Array.from({ length: 2500 }, (_, i) => ({
    _time: START + i,
    _msg: `wide ${i}`,
    [`a${i}`]: 1,
    [`b${i}`]: 2,
  }));
  const done: string[] = [];
  const large = store.insert(batch(wide)).then((ack) => (done.push('large'), ack));
  const small = store.insert(batch(lines(0, 10))).then((ack) => (done.push('small'), ack));
  expect(await Promise.all([large, small])).toEqual([
    { stored: 2500, skipped: 0, duplicate: false },
    { stored: 10, skipped: 0, duplicate: false },
  ]);
  expect(done).toEqual(['small', 'large']);
  expect(await rows(store.run(asked('"wide" | stats count() n, count_uniq(_msg) u'), never))).toEqual([
    { n: '2500', u: '2500' },
  ]);
  // One with an id is stored whole or not at all.
  expect(await store.insert(batch(wide, 'once'))).toMatchObject({ stored: 2500, duplicate: false });
  expect(await store.insert(batch(wide, 'once'))).toMatchObject({ stored: 2500, duplicate: true });
});
