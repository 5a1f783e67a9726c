import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '../../../contract/logs.ts';
import { openRemote } from '../backends.fixture.ts';
import { createDeliverer } from '../pipeline/deliver.ts';
import type { Logs } from '../port.ts';
import { createLogsClient } from './client.ts';
import { rowsText, startFakeVictoriaLogs, type FakeVictoriaLogs } from './victorialogs.fake.ts';

let store: FakeVictoriaLogs;
let logs: Logs;
let told: readonly string[];
beforeEach(async () => {
  store = await startFakeVictoriaLogs();
  ({ logs, lines: told } = await openRemote(store.url, { authorization: 'Bearer t', accountid: '12', projectid: '3' }));
});
afterEach(async () => {
  await logs.close();
  await store.close();
});

const search = () => logs.search({ query: 'error and', limit: 10, order: 'desc' });
const plain = (query = 'error') => logs.search({ query, limit: 10, order: 'desc' });
const refusal = async (work: () => Promise<unknown>) => {
  const error = await work().then(
    () => null,
    (thrown: { code?: string; message: string; extra?: object }) => thrown,
  );
  return error && { code: error.code, message: error.message, ...error.extra };
};
const status = (code: number, text: string) =>
  (store.answer = (_path, response) => void response.writeHead(code).end(text));

describe('what the store elsewhere answers', () => {
  it('is asked with the credentials and the tenant', async () => {
    await plain();
    expect(store.asked.at(-1)).toMatchObject({
      path: '/select/logsql/query',
      headers: { authorization: 'Bearer t', accountid: '12', projectid: '3' },
    });
  });

  it.each([
    [401, 'wrong token', 'LOGS_REFUSED', /refused the credentials \(401: wrong token\).*YARDMASTER_LOGS_TOKEN/],
    [403, 'no rights', 'LOGS_REFUSED', /refused the credentials \(403: no rights\)/],
    [413, 'too large', 'QUERY_TOO_LARGE', /too large/],
    [404, 'not here', 'LOGS_REFUSED', /does not serve queries at this address/],
    [302, '', 'LOGS_REFUSED', /does not serve queries at this address/],
    [400, 'unsupported path requested: "/x"', 'LOGS_REFUSED', /base URL/],
    [429, 'slow down', 'OVERLOADED', /overloaded \(429: slow down\)/],
    [500, 'disk full', 'LOGS_UNAVAILABLE', /failed \(500: disk full\)/],
    [502, '', 'LOGS_UNAVAILABLE', /status 502/],
    [503, "couldn't start executing the request in 10 seconds", 'OVERLOADED', /overloaded/],
    [503, 'the request exceeds the timeout of 30s', 'QUERY_TIMEOUT', /gave the query up/],
  ])('%i %s is said in words', async (code, text, fault, words) => {
    status(code, text);
    expect(await refusal(plain)).toMatchObject({ code: fault, message: expect.stringMatching(words) });
  });

  it.each([
    'null',
    '{"hits":[{"fields":null,"timestamps":"x","values":{}}]}',
    `{"hits":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ])('that has another shape is said to be of something else: %.40s', async (text) => {
    status(200, text);
    const hits = () =>
      logs.hits({ query: '*', from: '2026-11-28T00:00:00Z', to: '2026-11-28T01:00:00Z', stepMs: 60_000 });
    expect(await refusal(hits)).toMatchObject({ code: 'LOGS_REFUSED' });
  });

  it('that is no text in a row is shown as text', async () => {
    status(200, `{"_time":"2026-11-28T03:00:00Z","_msg":{"a":[1]},"n":5,"none":null}\n`);
    expect((await plain()).records[0]).toMatchObject({ _msg: '{"a":[1]}', n: '5' });
  });

  it.each(['row', 'rows'])('without an end is given up: one endless %s', async (what) => {
    store.answer = (path, response) => {
      const piece = what === 'row' ? 'x'.repeat(65_536) : '{"name":"n","hits":"1"}\n'.repeat(2000);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more).write(what === 'row' ? '{"_msg":"' : '');
      more();
    };
    const fields = () => logs.fields({ query: '*', limit: 10 });
    if (what === 'row') expect(await refusal(fields)).toMatchObject({ code: 'QUERY_TOO_LARGE' });
    else expect(await fields()).toMatchObject({ complete: false });
  });

  it('names the place of a mistake that only it finds', async () => {
    status(400, 'cannot parse query [error new_filter(1)]: unknown function; context: [error new_filter(]');
    expect(await refusal(() => plain('error "new_filter(1)"'))).toMatchObject({ code: 'QUERY_INVALID', position: 0 });
    expect(await refusal(search)).toMatchObject({ code: 'QUERY_INVALID', position: 9 });
  });

  it('is never taken for whole where it breaks off, or ends with an error', async () => {
    store.answer = (_path, response) => {
      response.write(rowsText([{ _time: '2026-01-01T00:00:00Z', _msg: 'a' }]));
      setTimeout(() => response.destroy(), 20);
    };
    expect(await refusal(plain)).toMatchObject({
      code: 'LOGS_UNAVAILABLE',
      message: expect.stringContaining('broke its answer off'),
    });
    store.answer = (_path, response) =>
      void response.end(`${rowsText([{ _time: '2026-01-01T00:00:00Z', _msg: 'a' }])}\nstorage node is down\n`);
    expect(await refusal(plain)).toMatchObject({
      code: 'LOGS_UNAVAILABLE',
      message: expect.stringContaining('storage node is down'),
    });
    store.answer = (_path, response) => void response.end('<html>hello</html>');
    expect(
      await refusal(() => logs.hits({ stepMs: null, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })),
    ).toMatchObject({
      code: 'LOGS_REFUSED',
    });
  });

  it.each(['', rowsText([{ _time: '2026-01-01T00:00:00Z', _msg: 'a' }])])(
    'is given up where it does not come in time, or not to its end',
    async (begun) => {
      const failed: string[] = [];
      const watch = { answered: () => {}, failed: ({ message }: Error) => void failed.push(message) };
      const client = createLogsClient({ url: store.url, headers: {}, ca: null }, watch);
      onTestFinished(() => client.close());
      store.answer = (_path, response) => void (begun === '' || response.write(begun));
      const question = { query: '*', extraFilters: [], now: Date.now(), timeoutMs: 30_000 };
      const read = async () => {
        for await (const _ of client.lines(question, AbortSignal.timeout(300))) continue;
      };
      expect(await refusal(read)).toMatchObject({
        code: 'QUERY_TIMEOUT',
        message: expect.stringContaining('did not answer in time'),
      });
      // One slow query is no failing store.
      expect(failed).toEqual([]);
    },
  );

  it('is none where nothing listens, which is said as well', async () => {
    await store.close();
    expect(await refusal(plain)).toMatchObject({
      code: 'LOGS_UNAVAILABLE',
      message: expect.stringContaining('nothing listens at its address'),
    });
    await expect.poll(() => logs.info().state).toBe('failing');
  });

  it('shows in the state, until it answers again', async () => {
    await expect.poll(() => logs.info().state).toBe('ok');
    status(500, 'disk full');
    await refusal(plain);
    await expect
      .poll(() => logs.info())
      .toMatchObject({ state: 'failing', reason: 'VictoriaLogs failed (500: disk full)' });
    expect(logs.stats().remote).toMatchObject({ up: false });
    store.answer = (_path, response) => void response.end();
    // It looks by itself.
    await expect.poll(() => logs.info()).toMatchObject({ state: 'ok', reason: null });
    expect(told).toEqual(['VictoriaLogs failed (500: disk full)', 'VictoriaLogs answers again']);
  });

  it('is read no faster than its reader takes it, and no longer than it is wanted', async () => {
    let sent = 0;
    let gone = false;
    store.answer = (path, response, args) => {
      if (!args.get('query')?.includes('endless')) return void response.end();
      const row = Buffer.from(rowsText([{ _msg: 'x'.repeat(10_000) }]).repeat(100));
      const pump = () => {
        while (!gone && response.write(row)) sent += row.length;
        sent += row.length;
      };
      response.on('drain', pump).on('close', () => (gone = true));
      pump();
    };
    const stop = new AbortController();
    const run = {
      query: 'endless | stats by (_msg) count()',
      from: null,
      to: null,
      extraFilters: [],
      limit: null,
      offset: 0,
      now: Date.now(),
      timeoutMs: 20_000,
    };
    const pages = logs.run(run, stop.signal)[Symbol.asyncIterator]();
    for (let i = 0; i < 3; i++) expect((await pages.next()).done).toBe(false);
    // What lies in buffers of sockets is a few MB; an answer that nobody takes is no more than that.
    const before = sent;
    await pages.next();
    expect(sent - before).toBeLessThan(64 * 1024 * 1024);
    expect(sent).toBeLessThan(128 * 1024 * 1024);
    stop.abort();
    await pages.return?.();
    await expect.poll(() => gone).toBe(true);
  });
});

it('follows on where a live tail breaks off, and gives no line twice', async () => {
  let opened = 0;
  store.answer = (path, response) => {
    if (path !== '/select/logsql/tail') return void response.end();
    opened++;
    const row = (n: number) => ({ _time: '2026-01-01T00:00:00Z', _msg: `line ${n}`, yardmaster_line_id: `b-${n}` });
    response.write(rowsText(Array.from({ length: opened }, (_, i) => row(i))));
    if (opened < 3) setTimeout(() => response.destroy(), 20);
  };
  const seen: string[] = [];
  const end = new AbortController();
  logs.tail(
    {},
    (records) => void seen.push(...(JSON.parse(records) as LogRecord[]).map(({ _msg }) => _msg)),
    end.signal,
  );
  await expect.poll(() => seen).toEqual(['line 0', 'line 1', 'line 2']);
  end.abort();
  expect(opened).toBe(3);
  const back = store.asked.filter(({ path }) => path.endsWith('/tail')).map(({ args }) => args.get('start_offset'));
  expect(Number.parseInt(back[1] ?? '', 10)).toBeGreaterThanOrEqual(5000);
});

describe('a batch whose answer was lost', () => {
  const lines = (text: Buffer) =>
    text
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
  it('is asked after, and only what is missing is sent again', async () => {
    const there: Record<string, string>[] = [];
    let posts = 0;
    store.answer = (path, response, _args, body) => {
      if (path === '/select/logsql/query')
        return void response.end(
          rowsText(there.map(({ yardmaster_line_id: id = '' }) => ({ yardmaster_line_id: id }))),
        );
      const given = lines(gunzipSync(body));
      if (++posts > 1) {
        there.push(...given);
        return void response.end();
      }
      // It takes two of three lines, and dies.
      there.push(...given.slice(0, 2));
      response.destroy();
    };
    const target = { url: store.url, headers: {}, ca: null, gzip: true, lineIds: true, select: null } as const;
    const deliverer = createDeliverer(target);
    const batch = Buffer.from(
      '{"_time":"2026-01-01T00:00:00.000Z","_msg":"a"}\n{"_time":"2026-01-01T00:00:01.000Z","_msg":"b"}\n{"_time":"2026-01-01T00:00:02.000Z","_msg":"c"}\n',
    );
    const { signal } = new AbortController();
    expect(await deliverer.deliver('0198-aa', batch, signal)).toMatchObject({ kind: 'later', afterMs: 2000 });
    expect(await deliverer.deliver('0198-aa', batch, signal)).toEqual({ kind: 'stored', skipped: 0 });
    expect(there.map(({ _msg, yardmaster_line_id: id }) => [_msg, id])).toEqual([
      ['a', '0198aa-0000000'],
      ['b', '0198aa-0000001'],
      ['c', '0198aa-0000002'],
    ]);
    const asked = store.asked.filter(({ args }) => args.get('query')?.includes('yardmaster_line_id')).at(-1);
    expect(asked?.args.get('query')).toContain(
      '_time:>=2026-01-01T00:00:00.000000000Z _time:<2026-01-01T00:00:02.001000000Z',
    );
    deliverer.close();
  });

  it('is sent whole where the store cannot be asked, and is not given up for a refusal of credentials or an overload', async () => {
    const target = { url: store.url, headers: {}, ca: null, gzip: false, lineIds: true, select: null } as const;
    const deliverer = createDeliverer(target);
    const batch = Buffer.from('{"_msg":"a"}\n');
    const { signal } = new AbortController();
    for (const [code, kind] of [
      [401, 'later'],
      [429, 'later'],
      [500, 'later'],
      [400, 'refused'],
    ] as const) {
      status(code, 'no');
      expect((await deliverer.deliver('b', batch, signal)).kind).toBe(kind);
    }
    store.answer = (path, response) =>
      void (path.startsWith('/insert') ? response.end() : response.writeHead(403).end());
    expect(await deliverer.deliver('b', batch, signal)).toEqual({ kind: 'stored', skipped: 0 });
    deliverer.close();
  });
});
