import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { systemClock } from '../../lib/clock.ts';
import { createAuthority } from '../../lib/certificate-authority.fixture.ts';
import type { Access } from '../access/port.ts';
import { openLogListener } from './log-listener.ts';
import { createLogs } from '../logs/logs.ts';
import type { ProtocolListener } from './protocol-listener.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** The log store's port over the real store. */
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const roles: Record<string, Role> = { ymt_viewer: 'viewer', ymt_operator: 'operator', ymt_worker: 'worker' };
const access = {
  onCredentialEnded: () => () => undefined,
  attempts: { wrong: () => undefined },
  token: (secret: string) =>
    Object.hasOwn(roles, secret)
      ? { actor: secret, role: roles[secret] as Role, expiresAt: null, grants: null, userId: null }
      : null,
} as unknown as Access;

async function door(
  more: { host?: string; proxies?: string[]; protectLoopback?: boolean; tls?: { cert: Buffer; key: Buffer } } = {},
): Promise<ProtocolListener> {
  const logs = await createLogs({ folder: temporaryFolder('door'), limits: LIMITS, clock: systemClock });
  opened.push(() => logs.close());
  const made = await openLogListener({
    options: {
      host: more.host ?? '127.0.0.1',
      logStorePort: 0,
      allowedHosts: ['logs.example.org'],
      proxies: more.proxies ?? null,
      protectLoopback: more.protectLoopback ?? false,
      log: () => {},
    },
    tls: more.tls ?? null,
    access,
    logs,
    limits: LIMITS,
    clock: systemClock,
    onError: (error) => {
      throw error;
    },
  });
  opened.push(made.close);
  return made;
}
/** Plain requests, since `fetch` sets `Host` and `Origin` as it likes. */
const ask = (url: string, headers: Record<string, string> = {}, body?: string, ca?: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const made = (url.startsWith('https') ? requestTls : request)(
      url,
      { method: body === undefined ? 'GET' : 'POST', headers, ...(ca ? { ca, servername: 'localhost' } : {}) },
      (response) => {
        let text = '';
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    made.on('error', reject).end(body);
  });

describe('who is answered', () => {
  it('is nobody without a token where a proxy stands before the port, nor who was passed on by one', async () => {
    const proxied = await door({ proxies: ['127.0.0.1'] });
    const path = '/select/logsql/query?query=*';
    expect((await ask(`http://127.0.0.1:${proxied.port}${path}`)).status).toBe(401);
    expect((await ask(`http://127.0.0.1:${proxied.port}/insert/jsonline`, {}, '{"_msg":"forged"}')).status).toBe(401);
    expect((await ask(`http://127.0.0.1:${proxied.port}${path}`, { authorization: 'Bearer ymt_viewer' })).status).toBe(
      200,
    );
    // The master's own parts do not come by here.
    expect(proxied.innerToken).not.toBeNull();
    const { port } = await door();
    const url = `http://127.0.0.1:${port}${path}`;
    expect((await ask(url, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
    expect((await ask(url, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(200);
  });

  it('is anybody on loopback, but no page of another site', async () => {
    const { port, innerToken } = await door();
    const url = `http://127.0.0.1:${port}/select/logsql/query?query=*`;
    expect(innerToken).toBeNull();
    expect((await ask(url)).status).toBe(200);
    for (const host of ['localhost', '127.0.0.1', 'logs.example.org'])
      expect((await ask(url, { host: `${host}:${port}` })).status).toBe(200);
    expect((await ask(url, { host: 'evil.example' })).status).toBe(421);
    expect((await ask(url, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask(url, { origin: 'null' })).status).toBe(403);
    expect((await ask(url, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask(url, { origin: `http://127.0.0.1:${port}` })).status).toBe(200);
    expect(
      (await ask(`http://127.0.0.1:${port}/insert/jsonline`, { origin: 'http://evil.example' }, '{"_msg":"x"}')).status,
    ).toBe(403);
  });

  it('is elsewhere who has a token of a role that may', async () => {
    const { port } = await door({ host: '0.0.0.0' });
    const query = `http://127.0.0.1:${port}/select/logsql/query?query=*`;
    const insert = `http://127.0.0.1:${port}/insert/jsonline`;
    expect((await ask(query)).status).toBe(401);
    expect((await ask(query, { authorization: 'Bearer nonsense' })).status).toBe(401);
    expect((await ask(query, { authorization: 'Bearer ymt_viewer' })).status).toBe(200);
    expect(
      (await ask(query, { authorization: `Basic ${Buffer.from('anybody:ymt_viewer').toString('base64')}` })).status,
    ).toBe(200);
    expect((await ask(query, { authorization: 'Bearer ymt_worker' })).status).toBe(403);
    for (const path of [insert, insert.replace('/insert', '//insert')]) {
      expect((await ask(path, { authorization: 'Bearer ymt_viewer' }, '{"_msg":"x"}')).status).toBe(403);
      expect((await ask(path, { authorization: 'Bearer ymt_worker' }, '{"_msg":"x"}')).status).toBe(200);
    }
    expect((await ask(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  it('writes with the token of a worker nothing into the log of a job', async () => {
    const { port } = await door({ host: '0.0.0.0' });
    const url = `http://127.0.0.1:${port}`;
    const worker = { authorization: 'Bearer ymt_worker' };
    const line = '{"_msg":"forged","job_id":"j","task_\\u0069d":"t","worker_id":"w","source":"task","app":"shop"}';
    const given = '/insert/jsonline?_stream_fields=job_id,app';
    expect((await ask(`${url}${given}`, worker, line)).status).toBe(200);
    expect((await ask(`${url}/insert/jsonline?extra_fields=job_id%3Dj`, worker, '{"_msg":"too"}')).status).toBe(200);
    expect((await ask(`${url}${given}`, { authorization: 'Bearer ymt_operator' }, line)).status).toBe(200);
    const found = async (query: string) => {
      const asked = `${url}/select/logsql/query?query=${encodeURIComponent(query)}`;
      const { text } = await ask(asked, { authorization: 'Bearer ymt_viewer' });
      return text === ''
        ? []
        : text
            .trim()
            .split('\n')
            .map((one) => JSON.parse(one) as Record<string, string>);
    };
    const ids = { job_id: 'j', task_id: 't', worker_id: 'w', source: 'task' };
    expect(await found('job_id:j or task_id:t or worker_id:w')).toMatchObject([ids]);
    const claimed = Object.fromEntries(Object.entries(ids).map(([name, value]) => [`claimed_${name}`, value]));
    expect(await found('claimed_task_id:t')).toMatchObject([{ ...claimed, _stream: '{app="shop"}' }]);
    expect(await found('claimed_job_id:j')).toHaveLength(2);
  });

  it('is the master itself on a port of its own, by a token of its own', async () => {
    const { port, innerUrl, innerToken } = await door({ host: '0.0.0.0' });
    expect(innerUrl).not.toContain(String(port));
    expect((await ask(`${innerUrl}/health`)).status).toBe(401);
    expect((await ask(`${innerUrl}/health`, { authorization: 'Bearer ymt_operator' })).status).toBe(401);
    expect(
      (await ask(`${innerUrl}/insert/jsonline`, { authorization: `Bearer ${innerToken}` }, '{"_msg":"x"}')).status,
    ).toBe(200);
  });

  it('speaks TLS where the master does', async () => {
    const authority = createAuthority('yard');
    const { cert, key } = authority.issue({ names: ['localhost'] });
    const { port } = await door({ host: '0.0.0.0', tls: { cert: Buffer.from(cert), key: Buffer.from(key) } });
    expect(
      (
        await ask(
          `https://127.0.0.1:${port}/select/logsql/query?query=*`,
          { authorization: 'Bearer ymt_viewer', host: `localhost:${port}` },
          undefined,
          authority.cert,
        )
      ).status,
    ).toBe(200);
    await expect(ask(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});

describe('what clients send is what they find', () => {
  const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
  async function filled() {
    const { port } = await door();
    const url = `http://127.0.0.1:${port}`;
    const lines = Array.from(
      { length: 30 },
      (_, i) =>
        `{"date":"${at(i)}","log":"step ${i}","stream":"${i % 3 ? 'stdout' : 'stderr'}","level":"${i % 5 ? 'info' : 'error'}","took":${i}.50}`,
    );
    expect(
      (
        await ask(
          `${url}/insert/jsonline?_stream_fields=stream&_msg_field=log&_time_field=date&extra_fields=app%3Dshop`,
          { 'x-batch-id': 'one' },
          lines.join('\n'),
        )
      ).status,
    ).toBe(200);
    // A batch that is sent again is stored once.
    expect(
      (
        await ask(
          `${url}/insert/jsonline?_stream_fields=stream&_msg_field=log&_time_field=date&extra_fields=app%3Dshop`,
          { 'x-batch-id': 'one' },
          lines.join('\n'),
        )
      ).status,
    ).toBe(200);
    const get = async (path: string, query: string, args = '') => {
      const { status, text } = await ask(`${url}/select/logsql/${path}?query=${encodeURIComponent(query)}${args}`);
      return {
        status,
        text,
        rows: () =>
          text
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, string>),
      };
    };
    return { url, get };
  }

  it('rows, with every value as text, the newest of them where a limit is given', async () => {
    const { get } = await filled();
    expect((await get('query', '*')).rows()).toHaveLength(30);
    const [newest, ...rest] = (await get('query', 'stream:stdout', '&limit=2')).rows();
    expect(newest).toMatchObject({
      _time: at(29),
      _msg: 'step 29',
      stream: 'stdout',
      level: 'info',
      took: '29.50',
      app: 'shop',
      _stream: '{stream="stdout"}',
      _stream_id: expect.stringMatching(/^[0-9a-f]{48}$/),
    });
    expect(rest).toHaveLength(1);
    expect(
      (await get('query', '{stream="stderr"} level:=error | fields _msg | sort by (_msg) | limit 2')).rows(),
    ).toEqual([{ _msg: 'step 0' }, { _msg: 'step 15' }]);
    expect((await get('query', '* | stats count() n, max(took) m')).rows()).toEqual([{ n: '30', m: '29.50' }]);
  });

  it('within times whose end is out, with filters from elsewhere', async () => {
    const { get } = await filled();
    expect((await get('query', '*', `&start=${at(10)}&end=${at(20)}`)).rows()).toHaveLength(10);
    expect(
      (await get('query', '*', `&start=${Date.parse(at(10)) / 1000}&end=${Date.parse(at(20)) / 1000}.5`)).rows(),
    ).toHaveLength(11);
    expect(
      (
        await get('query', '*', `&extra_filters=${encodeURIComponent('{"level":"error","stream":["stderr","x"]}')}`)
      ).rows(),
    ).toHaveLength(2);
    expect(
      (await get('query', '*', `&extra_stream_filters=${encodeURIComponent('{"stream":"stderr"}')}`)).rows(),
    ).toHaveLength(10);
    expect(
      Object.keys(
        (await get('query', 'step | limit 1', '&hidden_fields_filters=_stream*,took')).rows()[0] as object,
      ).toSorted(),
    ).toEqual(['_msg', '_time', 'app', 'level', 'stream']);
  });

  it('counts, values and facets', async () => {
    const { get } = await filled();
    const hits = JSON.parse(
      (await get('hits', '*', `&step=10m&field=stream&start=${at(0)}&end=${at(40)}`)).text,
    ) as unknown;
    expect(hits).toEqual({
      hits: [
        { fields: { stream: 'stderr' }, timestamps: [at(0), at(10), at(20), at(30)], values: [4, 3, 3, 0], total: 10 },
        { fields: { stream: 'stdout' }, timestamps: [at(0), at(10), at(20), at(30)], values: [6, 7, 7, 0], total: 20 },
      ],
    });
    const values = async (path: string, args = '') =>
      (JSON.parse((await get(path, '*', args)).text) as { values: unknown[] }).values;
    expect(await values('field_values', '&field=level')).toEqual([
      { value: 'info', hits: 24 },
      { value: 'error', hits: 6 },
    ]);
    expect(await values('streams')).toEqual([
      { value: '{stream="stdout"}', hits: 20 },
      { value: '{stream="stderr"}', hits: 10 },
    ]);
    const [stdout, stderr] = (await values('stream_ids')) as { value: string; hits: number }[];
    expect((await get('query', `_stream_id:${stderr?.value}`)).rows()).toHaveLength(10);
    expect((await get('query', `_stream_id:in(${stderr?.value}, ${stdout?.value})`)).rows()).toHaveLength(30);
    expect(
      (await get('query', '_stream_id:in(stream:=stdout | fields _stream_id) | stats count() c')).rows(),
    ).toMatchObject([{ c: '20' }]);
    expect((await get('query', '_stream_id:foo')).text).toContain('the ID of a stream');
    const all = await get('facets', 'stream:stdout', '&keep_const_fields=1');
    expect(all.text).toContain('"field_name":"app"');
    expect((await get('query', '* | top 0 by (app)')).text).toContain('above 0');
    expect((await get('query', '# a comment alone')).text).toContain('besides the comments');
    expect(await values('stream_field_names')).toEqual([{ value: 'stream', hits: 30 }]);
    expect(await values('stream_field_values', '&field=stream')).toEqual([
      { value: 'stdout', hits: 20 },
      { value: 'stderr', hits: 10 },
    ]);
    expect(await values('field_names', '&filter=to')).toEqual([{ value: 'took', hits: 30 }]);
    const { facets } = JSON.parse((await get('facets', 'stream:stdout')).text) as { facets: { field_name: string }[] };
    expect(facets.map(({ field_name: name }) => name)).toEqual(expect.arrayContaining(['level']));
    expect(facets.map(({ field_name: name }) => name)).not.toContain('app');
  });

  it('statistics as Prometheus gives them', async () => {
    const { get } = await filled();
    const vector = JSON.parse((await get('stats_query', '* | by (stream) count() n', `&time=${at(59)}`)).text) as {
      data: { result: unknown[] };
    };
    expect(vector.data.result).toEqual(
      expect.arrayContaining([
        { metric: { __name__: 'n', stream: 'stderr' }, value: [Date.parse(at(59)) / 1000, '10'] },
      ]),
    );
    const matrix = JSON.parse(
      (await get('stats_query_range', '* | stats count() n', `&start=${at(0)}&end=${at(30)}&step=15m`)).text,
    ) as { data: { result: unknown } };
    expect(matrix.data.result).toEqual([
      {
        metric: { __name__: 'n' },
        values: [
          [Date.parse(at(0)) / 1000, '15'],
          [Date.parse(at(15)) / 1000, '15'],
        ],
      },
    ]);
  });

  it('lines as they come, to whoever follows', async () => {
    const { url } = await filled();
    const following = await fetch(`${url}/select/logsql/tail?query=app%3A%3Dlive&refresh_interval=50ms&offset=0s`);
    const reader = (following.body as ReadableStream<Uint8Array>).getReader();
    await ask(`${url}/insert/jsonline`, {}, `{"_time":"${new Date().toISOString()}","_msg":"followed","app":"live"}`);
    const { value } = await reader.read();
    expect(JSON.parse(Buffer.from(value as Uint8Array).toString())).toMatchObject({ _msg: 'followed' });
    await reader.cancel();
  });
});
