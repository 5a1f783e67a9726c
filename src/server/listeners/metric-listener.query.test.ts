import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../lib/code-point.fixture.ts';
import { useMetricListener, WRITE } from './metric-listener.fixture.ts';

// The whole master, and threads that start with a query: where processors are scarce that takes its time.
const listener = useMetricListener();
const { ask, query, refused } = listener;

describe('querying', () => {
  it('takes a program alone, without annotations', async () => {
    const answer = await ask('/api/v2/query?org=yardmaster', {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.flux' },
      body: 'buckets() |> keep(columns: ["name"])',
    });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      ',result,table,name\r\n,_result,0,metrics\r\n\r\n',
    ]);
  });

  it('writes the dialect that is asked for, and packs it where that is taken', async () => {
    const answer = await query('buckets() |> keep(columns: ["name"])', {
      dialect: { annotations: ['group', 'datatype', 'default'], delimiter: ';', header: true },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.text()).toBe(
      '#datatype;string;long;string\r\n#group;false;false;false\r\n#default;_result;;\r\n;result;table;name\r\n;;0;metrics\r\n\r\n',
    );
    const plain = await ask('/api/v2/query', {
      method: 'POST',
      headers: { 'accept-encoding': 'identity', 'content-type': 'application/vnd.flux' },
      body: 'buckets() |> limit(n: 0) |> filter(fn: (r) => true)',
    });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, '\r\n']);
  });

  it('knows what now is, and parameters', async () => {
    expect(
      await (
        await query('import "array"\narray.from(rows: [{t: now(), p: params.n + 1}])', {
          now: '2025-01-01T00:00:00Z',
          params: { n: 4 },
        })
      ).text(),
    ).toContain('2025-01-01T00:00:00Z,5');
  });

  it.each([
    [{ query: '1 +' }, 'compilation failed: error @1:4-1:4'],
    [{ query: 'from(bucket: "metrics")' }, 'cannot submit unbounded read'],
    [{ query: 'from(bucket: "none") |> range(start: -1h)' }, 'could not find bucket'],
    [{ query: 'buckets()', type: 'sql' }, 'unknown query type'],
    [{ query: 'buckets()', dialect: { annotations: ['other'] } }, 'dialect.annotations'],
    [{ query: 'buckets()', dialect: { delimiter: ',,' } }, 'dialect.delimiter'],
    [{ query: 'buckets()', now: 'today' }, 'now: expected'],
    [{}, 'request body requires either query or AST'],
  ])('refuses %j with 400', async (body, message) => {
    expect(
      await refused(
        await ask('/api/v2/query?org=yardmaster', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    ).toMatchObject([400, 'invalid', expect.stringContaining(message)]);
  });

  it('ends when the asker goes, and a slow reader holds nobody else up', async () => {
    const body = JSON.stringify({
      query: `import "array"\nf0 = () => 1\n${Array.from({ length: 40 }, (_, i) => `f${i + 1} = () => f${i}() + f${i}()`).join('\n')}\narray.from(rows: [{v: f40()}])`,
    });
    const socket = connect(listener.master.ready.ports.metrics as number, '127.0.0.1');
    socket.write(
      `POST /api/v2/query?org=yardmaster HTTP/1.1\r\nhost: localhost\r\nauthorization: Token ${listener.admin}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.end();
    setTimeout(() => socket.destroy(), 200);
    // The thread is free again long before the query's own limit of 30 s.
    expect(await (await query('buckets() |> keep(columns: ["name"])')).text()).toContain('metrics');
  });
});

it('answers rubbish with an error of its own, never one of the master, and goes on', async () => {
  const paths = [
    '/api/v2/write',
    WRITE,
    `${WRITE}&precision=ms`,
    '/api/v2/query',
    '/api/v2/query?org=yardmaster',
    '/api/v2/delete?org=yardmaster&bucket=metrics',
    '/api/v2/buckets',
    '/api/v2/buckets?limit=-1',
    '/api/v2/buckets/x',
    '/api/v2/orgs/%00',
    '/api/v2/setup',
    '/%',
    '//',
    '/api/v2/orgs?org=%zz',
  ];
  const body = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.json(),
    fc.constantFrom(
      '{"query":{}}',
      '{"query":"x","dialect":5}',
      '{"start":1,"stop":2}',
      '{"name":{},"retentionRules":[null]}',
      '[]',
      'null',
      '{"query":"buckets()","params":[1]}',
      '{"retentionRules":[{"type":"expire","everySeconds":1e99}]}',
      'm,a=b f=1 99999999999999999999',
    ),
  );
  const headers = fc.constantFrom(
    {},
    { 'content-encoding': 'gzip' },
    { 'content-type': 'application/vnd.flux' },
    { 'content-type': 'application/json' },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
      fc.constantFrom(...paths),
      body,
      headers,
      async (method, path, text, more) => {
        const answer = await ask(path, {
          method,
          headers: more as Record<string, string>,
          ...(method === 'GET' ? {} : { body: text }),
        });
        await answer.text();
        expect(answer.status).not.toBe(500);
      },
    ),
    { numRuns: 200 },
  );
  expect((await ask('/health')).status).toBe(200);
});
