import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LIMITS, type Limits } from '../../contract/limits.ts';
import type { LogRecord, LogSearch } from '../../contract/logs.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogs } from './logs.ts';
import { eventsOf, type Sender } from './pipeline/normalise.ts';
import type { Logs } from './port.ts';
import type { LogBatch } from './store/port.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const open: Logs[] = [];
afterEach(async () => {
  for (const logs of open.splice(0)) await logs.close();
});

async function logsIn(folder?: string, limits: Partial<Limits> = {}): Promise<Logs> {
  const logs = await createLogs({
    folder: folder ?? temporaryFolder('logs'),
    limits: { ...LIMITS, ...limits },
    clock: systemClock,
  });
  open.push(logs);
  return logs;
}
const SENDER: Sender = { address: 'tcp:127.0.0.1', assigned: new Map(), claims: null };
const OPTIONS: LogBatch['options'] = {
  timeFields: ['_time'],
  messageFields: ['_msg'],
  streamFields: ['source'],
  ignoreFields: [],
  extraFields: {},
};
/** Stores lines as the pipeline makes records of them. */
async function ship(logs: Logs, text: string): Promise<void> {
  const events = text.split('\n').flatMap((line) => eventsOf(line, SENDER, Date.now(), { unparsed: 0 }));
  await logs.insert({ id: null, ndjson: new TextEncoder().encode(events.join('\n')), options: OPTIONS });
}
async function until<T>(look: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await look();
    if (done(value) || Date.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const recordsOf = (found: LogSearch) => found.records as LogRecord[];
const search = (
  logs: Logs,
  query: string | undefined,
  count: number,
  more: Partial<Parameters<Logs['search']>[0]> = {},
) =>
  until(
    async () =>
      recordsOf(await logs.search({ ...(query === undefined ? {} : { query }), limit: 1000, order: 'asc', ...more })),
    (records) => records.length >= count,
  );

describe('what the pipeline makes of lines', () => {
  it('takes JSON lines, arrays, plain text and an unterminated tail', async () => {
    const logs = await logsIn();
    await ship(
      logs,
      '{"_time":"2026-01-02T03:04:05.678Z","_msg":"one","level":"info","job_id":"j","n":12345678901234567890}\n\n[{"msg":"two"},{"message":"three","severity":"warning"}]\r\nnot json\n{"message":"tail"}',
    );
    const records = await search(logs, undefined, 5);
    expect(records[0]).toEqual({
      _time: '2026-01-02T03:04:05.678Z',
      _msg: 'one',
      level: 'INFO',
      job_id: 'j',
      source: 'tcp:127.0.0.1',
      n: expect.anything(),
    });
    expect(JSON.stringify(records[0])).toContain('"n":12345678901234567890');
    expect(records.slice(1).map((r) => r._msg)).toEqual(['two', 'three', 'not json', 'tail']);
    expect(records[2]?.level).toBe('WARN');
    expect(records[3]?.['tags']).toEqual(['_jsonparsefailure']);
  });

  it('keeps no value of a secret, in messages and fields', async () => {
    const logs = await logsIn();
    logs.redact([{ name: 'API_TOKEN', value: 'hunter-22' }]);
    await ship(logs, '{"msg":"with hunter-22","n":{"deep":["hunter-22"]}}\nplain hunter-22\n');
    const [one, two] = await search(logs, undefined, 2);
    expect(one).toMatchObject({ _msg: 'with [secret API_TOKEN]', 'n.deep': ['[secret API_TOKEN]'] });
    expect(two?._msg).toBe('plain [secret API_TOKEN]');
  });

  it('keeps a line whose values are too deep as text, so that whoever reads it need not go down', async () => {
    const logs = await logsIn();
    await ship(logs, `{"_msg":"deep","d":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}\n{"msg":"next"}\n`);
    const records = await search(logs, undefined, 2);
    expect(records.map((r) => [r._msg.slice(0, 14), r['tags']])).toEqual([
      ['{"_msg":"deep"', ['_jsontoodeep']],
      ['next', undefined],
    ]);
  });

  it('keeps what it accepted over a restart', async () => {
    const folder = temporaryFolder('logs');
    const first = await logsIn(folder);
    await ship(first, '{"msg":"kept"}\n');
    await first.close();
    expect(await search(await logsIn(folder), 'kept', 1)).toHaveLength(1);
  });

  it('drops the oldest records when the store is full', async () => {
    const logs = await logsIn(undefined, { logStoreBytes: 3_000_000 });
    const lines = (from: number) =>
      Array.from({ length: 4000 }, (_, i) =>
        JSON.stringify({ _time: 1_700_000_000_000 + from + i, msg: `line ${randomBytes(100).toString('hex')}` }),
      ).join('\n');
    for (let i = 0; i < 8; i++) await ship(logs, `${lines(i * 5000)}\n`);
    await ship(logs, '{"msg":"newest"}\n');
    expect(await search(logs, 'newest', 1)).toHaveLength(1);
    const oldest = () => logs.search({ query: '_time:<2023-11-14T22:13:20.100Z', limit: 10, order: 'asc' });
    expect((await until(oldest, ({ records }) => records.length === 0)).records).toEqual([]);
    expect(
      (
        await until(
          async () => logs.stats(),
          ({ bytes }) => bytes <= 3_000_000,
        )
      ).bytes,
    ).toBeLessThanOrEqual(3_000_000);
  });
});

describe('search', () => {
  const lines = Array.from({ length: 50 }, (_, i) =>
    JSON.stringify({
      _time: `2026-01-01T00:00:${String(Math.floor(i / 2)).padStart(2, '0')}Z`,
      _msg: `step ${i}`,
      level: i % 5 ? 'INFO' : 'ERROR',
      job_id: i % 2 ? 'odd' : 'even',
      n: i,
    }),
  );

  it('filters by its parameters and by the query', async () => {
    const logs = await logsIn();
    await ship(logs, `${lines.join('\n')}\n`);
    await search(logs, undefined, 50);
    const found = async (query: string | undefined, more: Partial<Parameters<Logs['search']>[0]> = {}) =>
      recordsOf(
        await logs.search({ ...(query === undefined ? {} : { query }), limit: 100, order: 'asc', ...more }),
      ).map((r) => r['n']);
    expect(await found(undefined, { job_id: 'odd', level: 'error' })).toEqual([5, 15, 25, 35, 45]);
    expect(await found('level:error OR n:>47')).toEqual([48, 49]);
    expect(await found('job_id:="odd" AND level:ERROR -n:15')).toEqual([5, 25, 35, 45]);
    expect(await found('"step 4"')).toEqual([4]);
    expect(await found('"step 4"*')).toEqual([4, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
    expect(await found('_time:[2026-01-01T00:00:03Z, 2026-01-01T00:00:04Z]')).toEqual([6, 7, 8, 9]);
    expect(await found('n:in(1, 7)', { from: '2026-01-01T00:00:03Z' })).toEqual([7]);
    expect(await found('*', { from: '2026-01-01T00:00:03Z', to: '2026-01-01T00:00:04Z' })).toEqual([6, 7]);
  });

  it.each(['asc', 'desc'] as const)('pages %s without gap or double while records arrive', async (order) => {
    const logs = await logsIn();
    await ship(logs, `${lines.join('\n')}\n`);
    await search(logs, undefined, 50);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await logs.search({ limit: 7, order, to: '2026-01-01T00:01:00Z', ...(cursor ? { cursor } : {}) });
      seen.push(...recordsOf(page).map((r) => r['n']));
      cursor = page.nextCursor ?? undefined;
      await ship(logs, '{"msg":"meanwhile"}\n');
    } while (cursor);
    const all = Array.from({ length: 50 }, (_, i) => i);
    expect(seen).toEqual(order === 'asc' ? all : all.reverse());
  });

  it('takes a cursor only with the search that gave it', async () => {
    const logs = await logsIn();
    await ship(logs, `${lines.join('\n')}\n`);
    await search(logs, undefined, 50);
    const asked = { query: 'n:*', to: '2026-01-01T00:01:00Z', limit: 7, order: 'asc' } as const;
    const { nextCursor } = await logs.search(asked);
    const cursor = nextCursor as string;
    expect(recordsOf(await logs.search({ ...asked, cursor, limit: 3 })).map((r) => r['n'])).toEqual([7, 8, 9]);
    for (const other of [
      { query: '*' },
      { order: 'desc' as const },
      { level: 'ERROR' },
      { job_id: 'x' },
      { to: '2026-01-01T00:02:00Z' },
    ])
      await expect(logs.search({ ...asked, ...other, cursor })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ pointer: '/cursor' }],
      });
  });

  it('says where a query is wrong', async () => {
    const logs = await logsIn();
    await expect(logs.search({ query: 'level:="ERROR" AND (', limit: 1, order: 'asc' })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      extra: { position: 20 },
    });
    await expect(logs.search({ query: '*', cursor: 'nonsense', limit: 1, order: 'asc' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('counts hits in buckets, by a field', async () => {
    const logs = await logsIn();
    await ship(logs, `${lines.join('\n')}\n`);
    await search(logs, undefined, 50);
    const { hits } = await logs.hits({
      stepMs: 10_000,
      field: 'level',
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-01T00:00:30Z',
    });
    expect(hits).toEqual([
      {
        fields: { level: 'ERROR' },
        timestamps: ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:10.000Z', '2026-01-01T00:00:20.000Z'],
        values: [4, 4, 2],
        total: 10,
      },
      { fields: { level: 'INFO' }, timestamps: expect.any(Array), values: [16, 16, 8], total: 40 },
    ]);
    // Years of silence between two lines must not ask for a bucket a minute.
    await ship(logs, '{"_msg":"old","_time":"2020-01-01T00:00:00Z"}\n');
    await search(logs, undefined, 51);
    const open = await logs.hits({ stepMs: null });
    expect(open.hits[0]?.total).toBe(51);
    expect(open.hits[0]?.timestamps.length).toBeLessThanOrEqual(1000);
    await expect(logs.hits({ stepMs: 1000 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const searched = await logs.hits({ stepMs: 10_000, query: '"step 4"*', from: '2026-01-01T00:00:00Z' });
    expect(searched.hits[0]).toMatchObject({ fields: {}, total: 11 });
  });
});

describe('tail', () => {
  it('gives matching records as they arrive, until it is aborted', async () => {
    const logs = await logsIn();
    const seen: LogRecord[] = [];
    const stop = new AbortController();
    const got = new Promise<void>((resolve) =>
      logs.tail(
        { query: 'wanted _time:5m', level: 'INFO' },
        (records) => void (seen.push(...(JSON.parse(records) as LogRecord[])), resolve()),
        stop.signal,
      ),
    );
    await ship(
      logs,
      '{"msg":"wanted but warned","level":"WARN"}\n{"msg":"wanted","level":"info"}\n{"msg":"other","level":"info"}\n',
    );
    await got;
    expect(seen.map((r) => r._msg)).toEqual(['wanted']);
    stop.abort();
    await ship(logs, '{"msg":"wanted too","level":"info"}\n');
    await search(logs, '"wanted too"', 1);
    expect(seen).toHaveLength(1);
  });

  it('counts the lines of a burst that are too much for it, tells how many, and logs it once', async () => {
    const said: string[] = [];
    const logs = await createLogs({
      folder: temporaryFolder('logs'),
      limits: LIMITS,
      clock: systemClock,
      log: (line) => said.push(line),
    });
    open.push(logs);
    const stop = new AbortController();
    let [given, missed] = [0, 0];
    logs.tail({}, (_records, count, leftOut = 0) => void ((given += count), (missed += leftOut)), stop.signal);
    const line = `${JSON.stringify({ msg: 'x'.repeat(100_000) })}\n`;
    await ship(logs, line.repeat(60));
    await vi.waitFor(() => expect(given + missed).toBe(60), 30_000);
    await ship(logs, line.repeat(60));
    await vi.waitFor(() => expect(given + missed).toBe(120), 30_000);
    stop.abort();
    expect(missed).toBeGreaterThan(20);
    expect(logs.stats().tailMissed).toBe(missed);
    expect(said.filter((one) => one.includes('live tails'))).toHaveLength(1);
  });

  it('refuses a bad query at once', async () => {
    const logs = await logsIn();
    expect(() => logs.tail({ query: '"open' }, () => {}, new AbortController().signal)).toThrow(/not closed/);
  });
});

it('sets a file of the first form aside that cannot be read, and says so', async () => {
  const folder = temporaryFolder('logs');
  await writeFile(join(folder, 'logs.db'), 'this is no database, whatever it may be called'.repeat(100));
  const said: string[] = [];
  open.push(await createLogs({ folder, limits: LIMITS, clock: systemClock, log: (line) => said.push(line) }));
  await until(
    async () => said,
    (lines) => lines.length > 0,
  );
  expect(said).toEqual([
    expect.stringMatching(/logs\.db of an older version cannot be read .*renamed to logs\.db\.damaged-/),
  ]);
});
