import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Limits } from '../../../contract/limits.ts';
import { failing, NOW, openLogHttp } from './serve.fixture.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
const surface = (limits: Partial<Limits> = {}) => openLogHttp(opened, limits);

describe('/select/logsql/query', () => {
  it('runs the query with its times and filters, and streams what comes', async () => {
    const { get, runs, rows } = await surface();
    rows({ _time: 'x', a: '1' });
    const answer = await get(
      '//select/logsql//query?query=error%20|%20fields%20a&start=2025-03-10&end=1741651200.5&extra_filters=%7B%22f%22%3A%22v%22%2C%22g%22%3A%5B%22a%22%2C%22b%22%5D%7D&extra_stream_filters=%7Bx%3D%22y%22%7D&limit=5&offset=2',
    );
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/stream+json',
      '{"_time":"x","a":"1"}\n',
    ]);
    expect(answer.headers.get('vl-request-duration-seconds')).toMatch(/^\d/);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(runs[0]).toMatchObject({
      to: 1_741_651_200_500,
      now: 1_741_651_200_500,
      limit: 5,
      offset: 2,
      timeoutMs: 30_000,
      extraFilters: ['f:="v" g:in("a", "b")', '{x="y"}'],
    });
    expect(runs[0]?.query.replace(/\s+/g, ' ')).toBe('error | fields a');
  });

  it('takes a form, cuts results that were sorted or counted by pipes, and leaves pipes out where told to', async () => {
    const { post, runs } = await surface();
    const form = (text: string) =>
      post('/select/logsql/query', text, { 'content-type': 'application/x-www-form-urlencoded' });
    await form('query=*%20%7C%20stats%20count()%20n%20%23%20comment&limit=3&offset=1&timeout=5s');
    expect(runs[0]).toMatchObject({ limit: null, offset: 0, timeoutMs: 5000 });
    expect(runs[0]?.query.split('\n').map((line) => line.trim())).toEqual([
      '*',
      '|  stats count() n # comment',
      '| offset 1',
      '| limit 3',
    ]);
    await form('query=a%20%7C%20limit%203&ignore_pipes=1&hidden_fields_filters=pass*,token');
    expect(runs[1]?.query.replace(/\s+/g, ' ')).toBe('a | delete pass*, token');
  });

  it('answers a bad query with 400 and text, without running it', async () => {
    const { get, runs } = await surface();
    for (const args of [
      '',
      'query=',
      'query=%20',
      'query=a%20%7C%20nonsense',
      'query=*&start=never',
      'query=*&limit=x',
      'query=*&timeout=x',
      'query=*&extra_filters=(',
      `query=${'x'.repeat(17_000)}`,
      'query=*&format=csv',
    ]) {
      const answer = await get(`/select/logsql/query?${args}`);
      expect([args.slice(0, 30), answer.status, answer.headers.get('content-type')]).toEqual([
        args.slice(0, 30),
        400,
        'text/plain; charset=utf-8',
      ]);
    }
    expect(runs).toEqual([]);
  });

  it('gives CSV where the columns are known', async () => {
    const { get, rows } = await surface();
    rows({ a: 'x,"y"', b: '1' }, { b: 'line\nbreak' });
    expect(await (await get('/select/logsql/query?format=csv&query=*%20%7C%20fields%20a,%20b')).text()).toBe(
      'a,b\n"x,""y""",1\n,"line\nbreak"\n',
    );
  });

  it('answers a failure before the first byte by its status, and breaks off after it', async () => {
    const { get, state } = await surface();
    state.pages = () => failing([]);
    expect((await get('/select/logsql/query?query=*')).status).toBe(503);
    state.pages = () => failing(['{"a":"1"}\n']);
    const broken = await get('/select/logsql/query?query=*');
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
  });

  it('ends the query when the caller hangs up, and waits while the caller is slow', async () => {
    const { url, state } = await surface();
    let pages = 0;
    let ended = false;
    state.pages = async function* (_run, signal) {
      try {
        for (; !signal.aborted; pages++) yield Buffer.alloc(256 * 1024, 'x');
      } finally {
        ended = true;
      }
    };
    await new Promise<void>((resolve) => {
      const request = httpRequest(`${url}/select/logsql/query?query=*`, (response) => {
        response.once('readable', () => {
          // Nothing is read: soon nothing is made either.
          let before = -1;
          const timer = setInterval(() => {
            if (pages !== before) return void (before = pages);
            clearInterval(timer);
            expect(pages).toBeLessThan(200);
            request.destroy();
            resolve();
          }, 50);
        });
      });
      request.on('error', () => {});
      request.end();
    });
    const deadline = Date.now() + 60_000;
    while (!ended && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ended).toBe(true);
  });

  it('lets only so many run at once', async () => {
    const { get, state } = await surface({ logQueries: 2 });
    let running = 0;
    let most = 0;
    state.pages = async function* () {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      yield Buffer.from('{}\n');
    };
    await Promise.all(Array.from({ length: 10 }, async () => (await get('/select/logsql/query?query=*')).text()));
    expect(most).toBe(2);
  });
});

describe('the other questions', () => {
  it('counts hits, with empty buckets and the smaller series as one', async () => {
    const { get, runs, rows } = await surface();
    rows(
      { _time: '2025-03-10T00:00:00Z', level: 'ERROR', hits: '2' },
      { _time: '2025-03-10T02:00:00Z', level: 'ERROR', hits: '3' },
      { _time: '2025-03-10T01:00:00Z', hits: '9' },
      { _time: '2025-03-10T01:00:00Z', level: 'WARN', hits: '1' },
    );
    const answer = (await (
      await get(
        '/select/logsql/hits?query=x%20%7C%20fields%20a&step=1h&field=level&start=2025-03-10T00:10:00Z&end=2025-03-10T03:00:00Z&fields_limit=2',
      )
    ).json()) as unknown;
    expect(runs[0]?.query.replace(/\s+/g, ' ')).toBe('x | stats by (_time:1h, level) count() as hits');
    const timestamps = ['2025-03-10T00:00:00Z', '2025-03-10T01:00:00Z', '2025-03-10T02:00:00Z'];
    expect(answer).toEqual({
      hits: [
        { fields: {}, timestamps, values: [0, 1, 0], total: 1 },
        { fields: { level: '' }, timestamps, values: [0, 9, 0], total: 9 },
        { fields: { level: 'ERROR' }, timestamps, values: [2, 0, 3], total: 5 },
      ],
    });
    rows(
      { _time: '2025-03-10T01:30:00Z', level: 'ERROR', hits: '2' },
      { _time: '2025-03-10T00:00:00Z', level: 'WARN', hits: '1' },
    );
    const own = await get(
      '/select/logsql/hits?query=*&step=1h&field=level&start=2025-03-10T00:00:00Z&end=2025-03-10T02:00:00Z',
    );
    const hours = ['2025-03-10T00:00:00Z', '2025-03-10T01:00:00Z'];
    expect(await own.json()).toEqual({
      hits: [
        { fields: { level: 'ERROR' }, timestamps: [...hours, '2025-03-10T01:30:00Z'], values: [0, 0, 2], total: 2 },
        { fields: { level: 'WARN' }, timestamps: hours, values: [1, 0], total: 1 },
      ],
    });
    expect((await get('/select/logsql/hits?query=*&step=nonsense')).status).toBe(400);
    expect((await get('/select/logsql/hits?query=*&step=1ms&start=2020-01-01Z&end=2025-01-01Z')).status).toBe(400);
  });

  it('counts all as one series where no field is named, behind the pipes that leave each record its time', async () => {
    const { get, runs, rows } = await surface();
    const asked = async (query: string, more = '') => {
      rows({ _time: '2025-03-10T00:00:00Z', hits: '2' }, { _time: '2025-03-11T00:00:00Z', hits: '3' });
      const answer = await (await get(`/select/logsql/hits?query=${encodeURIComponent(query)}${more}`)).json();
      return [answer, runs.at(-1)?.query.replace(/\s+/g, ' ')];
    };
    const one = {
      hits: [{ fields: {}, timestamps: ['2025-03-10T00:00:00Z', '2025-03-11T00:00:00Z'], values: [2, 3], total: 5 }],
    };
    const counted = '| stats by (_time:1d) count() as hits';
    expect(await asked('*')).toEqual([one, `* ${counted}`]);
    expect(await asked('x | extract "code=<c>" | filter c:>=500 | format "<c>!" as d')).toEqual([
      one,
      `x | extract "code=<c>" | filter c:>=500 | format "<c>!" as d ${counted}`,
    ]);
    expect(await asked('x | fields _time, a | sort by (_time) | filter a:b')).toEqual([
      one,
      `x | fields _time, a ${counted}`,
    ]);
    for (const cut of [
      'limit 5',
      'stats count() n',
      'delete _ti*',
      'fields a',
      'copy a as _time',
      'math 1 as _time',
      'union (y | limit 1)',
    ])
      expect(await asked(`x | ${cut}`)).toEqual([one, `x ${counted}`]);
    expect(await asked('x | filter y', '&ignore_pipes=1')).toEqual([one, `x ${counted}`]);
  });

  it('lists fields, values and streams, the most frequent first', async () => {
    const { get, runs, rows } = await surface();
    const asked = async (path: string) => ((await (await get(path)).json()) as { values: unknown }).values;
    rows({ name: 'b', hits: '1' }, { name: 'a', hits: '1' }, { name: 'c', hits: '5' });
    expect(await asked('/select/logsql/field_names?query=*')).toEqual([
      { value: 'c', hits: 5 },
      { value: 'a', hits: 1 },
      { value: 'b', hits: 1 },
    ]);
    rows({ 'my field': 'x', hits: '1' }, { hits: '2' }, { 'my field': 'xy', hits: '3' });
    expect(await asked('/select/logsql/field_values?query=*%20%7C%20limit%205&field=my%20field')).toEqual([
      { value: 'xy', hits: 3 },
      { value: '', hits: 2 },
      { value: 'x', hits: 1 },
    ]);
    expect(runs[1]?.query.replace(/\s+/g, ' ')).toBe('* | limit 5 | field_values "my field"');
    expect(await asked('/select/logsql/field_values?query=*&field=my%20field&limit=1')).toEqual([
      { value: 'xy', hits: 0 },
    ]);
    expect(await asked('/select/logsql/field_values?query=*&field=my%20field&filter=xy')).toEqual([
      { value: 'xy', hits: 3 },
    ]);
    rows({ _stream: '{a="1",b="x\\"y"}', hits: '2' }, { _stream: '{a="2"}', hits: '5' }, { _stream: '{}', hits: '1' });
    expect(await asked('/select/logsql/streams?query=*')).toEqual([
      { value: '{a="2"}', hits: 5 },
      { value: '{a="1",b="x\\"y"}', hits: 2 },
      { value: '{}', hits: 1 },
    ]);
    expect(await asked('/select/logsql/stream_field_names?query=*')).toEqual([
      { value: 'a', hits: 7 },
      { value: 'b', hits: 2 },
    ]);
    expect(await asked('/select/logsql/stream_field_values?query=*&field=b')).toEqual([{ value: 'x"y', hits: 2 }]);
    expect((await get('/select/logsql/field_values?query=*')).status).toBe(400);
  });

  it('lists values of a field that is named as a property is', async () => {
    const { get, rows } = await surface();
    rows({ hits: '2' });
    expect(await (await get('/select/logsql/field_values?query=*&field=constructor')).json()).toEqual({
      values: [{ value: '', hits: 2 }],
    });
    rows({ hits: '2' });
    expect(await (await get('/select/logsql/query?query=*%20%7C%20fields%20constructor,hits&format=csv')).text()).toBe(
      'constructor,hits\n,2\n',
    );
  });

  it('gives facets', async () => {
    const { get, runs, rows } = await surface();
    rows(
      { field_name: 'b', field_value: 'x', hits: '3' },
      { field_name: 'a', field_value: '1', hits: '2' },
      { field_name: 'b', field_value: 'y', hits: '1' },
    );
    expect(await (await get('/select/logsql/facets?query=*&limit=3&keep_const_fields=1')).json()).toEqual({
      facets: [
        { field_name: 'a', values: [{ field_value: '1', hits: 2 }] },
        {
          field_name: 'b',
          values: [
            { field_value: 'x', hits: 3 },
            { field_value: 'y', hits: 1 },
          ],
        },
      ],
    });
    expect(runs[0]?.query).toContain('facets 3 max_values_per_field 1000 max_value_len 128 keep_const_fields');
  });

  it('gives statistics as Prometheus does', async () => {
    const { get, runs, rows } = await surface();
    rows({ state: 'X', n: '14', s: '2' });
    expect(
      await (
        await get(
          '/select/logsql/stats_query?query=*%20%7C%20stats%20by%20(state)%20count()%20n,%20sum(a)%20s&time=1741651200',
        )
      ).json(),
    ).toEqual({
      status: 'success',
      data: {
        resultType: 'vector',
        result: [
          { metric: { __name__: 'n', state: 'X' }, value: [1_741_651_200, '14'] },
          { metric: { __name__: 's', state: 'X' }, value: [1_741_651_200, '2'] },
        ],
      },
    });
    rows({ _time: '2025-03-10T01:00:00Z', state: 'X', n: '2' }, { _time: '2025-03-10T00:00:00Z', state: 'X', n: '1' });
    expect(
      await (
        await get(
          '/select/logsql/stats_query_range?query=*%20%7C%20stats%20by%20(state)%20count()%20n&start=2025-03-10Z&end=2025-03-11Z&step=1h',
        )
      ).json(),
    ).toEqual({
      status: 'success',
      data: {
        resultType: 'matrix',
        result: [
          {
            metric: { __name__: 'n', state: 'X' },
            values: [
              [1_741_564_800, '1'],
              [1_741_568_400, '2'],
            ],
          },
        ],
      },
    });
    expect(runs[1]?.query.replace(/\s+/g, ' ')).toBe('* | stats by (_time:1h, state) count() n');
    for (const [given, expected] of [
      ['count() n', 'by (_time:1m) count() n'],
      ['by (a) count() n', 'by (_time:1m, a) count() n'],
      ['stats () count() n', 'stats (_time:1m) count() n'],
      ['stats by (_time:5m) count() n', 'stats by (_time:5m) count() n'],
    ]) {
      await get(`/select/logsql/stats_query_range?query=${encodeURIComponent(`* | ${given}`)}&step=1m`);
      expect(runs.at(-1)?.query.replace(/\s+/g, ' ')).toBe(`* | ${expected}`);
    }
    const bad = await get('/select/logsql/stats_query?query=*');
    expect([bad.status, await bad.json()]).toEqual([
      422,
      { status: 'error', errorType: '422', error: expect.stringContaining('stats') },
    ]);
  });
});

describe('/select/logsql/tail', () => {
  it('tells each record once, also where looks overlap and lines come late', async () => {
    const { get, state, runs } = await surface();
    const looks = [
      ['a', 'b', 'b'],
      ['a', 'b', 'b', 'late', 'b'],
      ['b', 'late', 'b', 'b', 'c'],
    ];
    state.pages = async function* () {
      yield Buffer.from(
        (looks[Math.min(runs.length, looks.length) - 1] ?? []).map((name) => `{"_msg":"${name}"}\n`).join(''),
      );
    };
    const answer = await get('/select/logsql/tail?query=*&refresh_interval=50ms&offset=0s');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('"c"')) text += Buffer.from((await reader.read()).value ?? []).toString();
    await reader.cancel();
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)._msg),
    ).toEqual(['a', 'b', 'b', 'late', 'b', 'c']);
    expect(runs[0]).toMatchObject({ from: NOW - 5000, to: NOW, limit: null });
  });

  it('looks no more often where it is to look hardly ever', async () => {
    const { get, state, runs } = await surface();
    let looks = 0;
    state.pages = async function* () {
      yield Buffer.from(`{"_msg":"${looks++}"}\n`);
    };
    const rarely = await get('/select/logsql/tail?query=rarely&refresh_interval=100y&offset=0s');
    const often = await get('/select/logsql/tail?query=often&refresh_interval=50ms&offset=0s');
    const reader = (often.body as ReadableStream<Uint8Array>).getReader();
    for (let i = 0; i < 3; i++) await reader.read();
    expect(runs.filter(({ query }) => query.startsWith('rarely'))).toHaveLength(1);
    await Promise.all([reader.cancel(), rarely.body?.cancel()]);
  });

  it('refuses queries that never end', async () => {
    const { get } = await surface();
    for (const pipe of ['stats count() n', 'sort by (a)', 'limit 3', 'uniq by (a)', 'delete _time', 'fields a'])
      expect((await get(`/select/logsql/tail?query=${encodeURIComponent(`* | ${pipe}`)}`)).status).toBe(400);
  });

  it('has so many places', async () => {
    const { get } = await surface({ logTails: 1 });
    const first = await get('/select/logsql/tail?query=*');
    expect((await get('/select/logsql/tail?query=*')).status).toBe(503);
    await first.body?.cancel();
    const deadline = Date.now() + 60_000;
    let again = await get('/select/logsql/tail?query=*');
    while (again.status === 503 && Date.now() < deadline) again = await get('/select/logsql/tail?query=*');
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });
});
