import { get as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import type { LogHits, LogRecord, LogContext, LogValues } from '../../../contract/logs.ts';
import { Fault } from '../../../lib/fault.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLogs } from '../../logs/logs.ts';
import type { Logs } from '../../logs/port.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** The monitoring API of logs over the real store. */
let logs: Logs;
let h: Harness;
const LINES = 1200;
const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
beforeAll(async () => {
  logs = await createLogs({ folder: temporaryFolder('logs'), limits: LIMITS, clock: systemClock });
  h = await startHarness({ services: { logs }, limits: { logExports: 1 } });
  await h.app.listen({ port: 0, host: '127.0.0.1' });
  const lines = Array.from({ length: LINES }, (_, n) =>
    JSON.stringify({
      _time: at(n),
      _msg: `line ${n}`,
      level: n % 100 === 0 ? 'ERROR' : 'INFO',
      job_id: n % 2 === 0 ? 'even' : 'odd',
      source: 'test',
      n,
      ...(n === 7 ? { note: '=1+1, "quoted"' } : {}),
    }),
  );
  await logs.insert({
    id: null,
    ndjson: new TextEncoder().encode(lines.join('\n')),
    options: {
      timeFields: ['_time'],
      messageFields: ['_msg'],
      streamFields: ['source'],
      ignoreFields: [],
      extraFields: {},
    },
  });
  await vi.waitFor(async () =>
    expect((await logs.hits({ stepMs: null })).hits.reduce((sum, { total }) => sum + total, 0)).toBe(LINES),
  );
});
afterAll(async () => {
  await h.close();
  await logs.close();
});

const get = (url: string) =>
  h.app.inject({ method: 'GET', url: `/api/v1/logs/${url}`, headers: { authorization: `Bearer ${h.tokens.viewer}` } });
const json = async <T>(url: string) => (await get(url)).json() as T;
const numbers = (records: readonly LogRecord[]) => records.map((record) => record['n']);

describe('the context of a record', () => {
  it('has what stood before and after it in the same job', async () => {
    const { before, after } = await json<LogContext>(`context?at=${at(10)}&job_id=even&before=3&after=2`);
    expect(numbers(before)).toEqual([4, 6, 8]);
    expect(numbers(after)).toEqual([10, 12, 14]);
  });
  it('ends where the log ends', async () => {
    const { before, after } = await json<LogContext>(`context?at=${at(0)}&before=5&after=1`);
    expect([numbers(before), numbers(after)]).toEqual([[], [0, 1]]);
    expect(numbers((await json<LogContext>(`context?at=${at(LINES - 1)}&before=0`)).after)).toEqual([LINES - 1]);
  });
  it('refuses what is no time', async () => {
    expect((await get('context?at=yesterday')).json()).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
  });
});

it('is looked for no longer once whoever asked has gone', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal | undefined>();
  const hits = vi.spyOn(h.services.logs, 'hits').mockImplementationOnce((_query, signal) => {
    resolve(signal);
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Fault('QUERY_CANCELLED', 'the query was cancelled'))),
    );
  });
  const { port } = h.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${h.tokens.viewer}` };
  const request = ask({ port, path: '/api/v1/logs/hits', headers }).on('error', () => {});
  const signal = await promise;
  expect(signal?.aborted).toBe(false);
  request.destroy();
  await expect.poll(() => signal?.aborted).toBe(true);
  hits.mockRestore();
});

it('is made no longer by pipes once whoever asked has gone', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const run = vi.spyOn(h.services.logs, 'run').mockImplementationOnce(async function* (_run, signal) {
    resolve(signal);
    await new Promise((ended) => signal.addEventListener('abort', ended));
    yield new Uint8Array(0);
  });
  const { port } = h.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${h.tokens.viewer}` };
  const path = `/api/v1/logs/search?query=${encodeURIComponent('* | sort by (n)')}`;
  const request = ask({ port, path, headers }).on('error', () => {});
  const signal = await promise;
  request.destroy();
  await expect.poll(() => signal.aborted).toBe(true);
  run.mockRestore();
});

describe('fields and values', () => {
  it('counts the fields of what matches', async () => {
    const { values, complete } = await json<LogValues>(`fields?query=${encodeURIComponent('job_id:even')}`);
    expect(complete).toBe(true);
    expect(values.find(({ value }) => value === 'n')?.count).toBe(LINES / 2);
    expect(values.some(({ value }) => value === 'note')).toBe(false);
  });
  it('counts the values of one field, those with a text in them, so many', async () => {
    expect((await json<LogValues>('values?field=level')).values).toEqual([
      { value: 'INFO', count: LINES - 12 },
      { value: 'ERROR', count: 12 },
    ]);
    expect((await json<LogValues>('values?field=level&contains=err')).values).toEqual([{ value: 'ERROR', count: 12 }]);
    const few = await json<LogValues>('values?field=n&limit=5');
    expect([few.values.length, few.complete]).toEqual([5, false]);
  });
  it('tells where a query is bad', async () => {
    for (const url of ['fields?query=', 'values?field=level&query=', 'export?format=text&query='])
      expect((await get(`${url}${encodeURIComponent('a AND (')}`)).json()).toMatchObject({
        status: 422,
        code: 'QUERY_INVALID',
        position: expect.any(Number),
      });
  });
});

describe('an export', () => {
  it('has all that matches, oldest first or newest first, page after page', async () => {
    const answer = await get('export?format=ndjson&query=job_id:odd');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="logs-\d{8}T\d{6}Z\.ndjson"$/),
    });
    const records = answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LogRecord);
    expect(numbers(records)).toEqual(Array.from({ length: LINES / 2 }, (_, i) => 2 * i + 1));
    const newest = (await get('export?format=ndjson&order=desc&limit=700')).body.trimEnd().split('\n');
    expect(newest).toHaveLength(700);
    expect(JSON.parse(newest[0] as string)).toMatchObject({ n: LINES - 1 });
  });
  it('is a table for spreadsheets that runs no formula', async () => {
    const [head, row] = (await get(`export?format=csv&from=${at(7)}&to=${at(8)}`)).body.split('\r\n');
    expect(head).toBe('_time,level,_msg,job_id,task_id,worker_id,source,fields');
    expect(row).toBe(`${at(7)},INFO,line 7,odd,,,test,"{""n"":7,""note"":""=1+1, \\""quoted\\""""}"`);
    expect((await get(`export?format=csv&column=n&column=note&from=${at(7)}&to=${at(8)}`)).body).toBe(
      'n,note\r\n7,"\'=1+1, ""quoted"""\r\n',
    );
  });
  it('is text for people', async () => {
    expect((await get(`export?format=text&from=${at(3)}&to=${at(4)}`)).body).toBe(`${at(3)} INFO  line 3 n=3\n`);
  });
  it('is empty but for its head where nothing matches', async () => {
    expect((await get('export?format=ndjson&query=nothing')).body).toBe('');
    expect((await get('export?format=csv&query=nothing')).body.trimEnd().split('\r\n')).toHaveLength(1);
  });
});

it('hits count what a search finds', async () => {
  const { hits } = await json<LogHits>('hits?step=10m&field=level');
  expect(hits.map(({ fields, total }) => [fields['level'], total])).toEqual([
    ['ERROR', 12],
    ['INFO', LINES - 12],
  ]);
});

describe('a query with pipes', () => {
  const query = encodeURIComponent('job_id:even | stats by (level) count() n | sort by (level)');
  it('answers the rows that they make, of what the parameters leave', async () => {
    expect(await json(`search?query=${query}`)).toMatchObject({
      records: [
        { level: 'ERROR', n: '12' },
        { level: 'INFO', n: '588' },
      ],
      nextCursor: null,
    });
    expect((await json<{ records: unknown[] }>(`search?query=${query}&level=error&to=${at(500)}`)).records).toEqual([
      { level: 'ERROR', n: '5' },
    ]);
    expect(
      (await json<{ records: unknown[] }>(`search?limit=3&query=${encodeURIComponent('* | fields n')}`)).records,
    ).toEqual([{ n: '1199' }, { n: '1198' }, { n: '1197' }]);
  });
  it('can be exported, not followed', async () => {
    expect((await get(`export?format=csv&column=level&column=n&query=${query}`)).body).toBe(
      'level,n\r\nERROR,12\r\nINFO,588\r\n',
    );
    expect((await get(`tail?query=${query}`)).json()).toMatchObject({
      status: 422,
      code: 'QUERY_INVALID',
      position: 12,
    });
    expect((await get(`search?query=${encodeURIComponent('* | nothing (')}`)).json()).toMatchObject({
      status: 422,
      code: 'QUERY_INVALID',
    });
  });
});
