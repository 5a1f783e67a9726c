import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { flux, HttpError, InfluxDB, Point } from '@influxdata/influxdb-client';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../dashboards/dashboards.ts';
import { fluxQuery, OF_DASHBOARD } from '../dashboards/grafana/flux.ts';
import { MAX_BODY_BYTES, useMetricListener, WRITE } from './metric-listener.fixture.ts';

// The whole master, and threads that start with a query: where processors are scarce that takes its time.
const listener = useMetricListener();
const { ask, write, query, tokenOf, refused } = listener;

describe('the client of InfluxDB', () => {
  it('writes, in gzip where there is much, and queries what it wrote', async () => {
    const db = new InfluxDB({ timeout: 60_000, url: listener.base, token: listener.admin });
    const api = db.getWriteApi('yardmaster', 'metrics', 'ms', { gzipThreshold: 1000 });
    const now = Date.now();
    for (let i = 0; i < 200; i++)
      api.writePoint(
        new Point('client')
          .tag('host', `h ${i % 2}`)
          .floatField('f', i / 2)
          .intField('n', i)
          .uintField('u', i)
          .booleanField('b', i % 2 === 0)
          .stringField('s', `say "${i}", \\ok`)
          .timestamp(now - i * 1000),
      );
    await api.close();
    const rows = await db
      .getQueryApi('yardmaster')
      .collectRows<Record<string, unknown>>(
        flux`from(bucket: ${'metrics'}) |> range(start: -1h) |> filter(fn: (r) => r._measurement == ${'client'}) |> pivot(rowKey: ["_time"], columnKey: ["_field"], valueColumn: "_value") |> group() |> sort(columns: ["n"]) |> tail(n: 1)`,
      );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      result: '_result',
      table: 0,
      host: 'h 1',
      f: 99.5,
      n: 199,
      u: 199,
      b: false,
      s: 'say "199", \\ok',
      _time: new Date(now - 199_000).toISOString().replace('.000Z', 'Z').replace(/0+Z$/, 'Z'),
    });
    const windows = await db
      .getQueryApi('yardmaster')
      .collectRows<Record<string, number>>(
        'from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r._measurement == "client" and r._field == "n") |> aggregateWindow(every: 10m, fn: sum, createEmpty: false)',
      );
    expect(windows.reduce((sum, row) => sum + (row['_value'] as number), 0)).toBe((199 * 200) / 2);
  });

  it('is told what is wrong with a query, before and after the first rows', async () => {
    const api = new InfluxDB({ timeout: 60_000, url: listener.base, token: listener.admin }).getQueryApi('yardmaster');
    await expect(api.collectRows('from(bucket: "metrics") |> rang(start: -1h)')).rejects.toThrow(HttpError);
    await write(
      Array.from({ length: 3000 }, (_, i) => `late v=${i} ${Date.now() - 600_000 + i}`).join('\n'),
      `${WRITE}&precision=ms`,
    );
    const rows = await api.collectRows<Record<string, unknown>>(
      'from(bucket: "metrics") |> range(start: -1h) |> filter(fn: (r) => r._measurement == "late") |> window(every: 1s) |> map(fn: (r) => ({r with _value: if r._value > 2900.0 then die(msg: "no more") else r._value}))',
    );
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows.at(-1)).toMatchObject({ error: expect.stringContaining('no more'), reference: '' });
  });

  it('may use a token of a viewer to read, and not to write', async () => {
    const token = await tokenOf('viewer');
    expect(
      await new InfluxDB({ timeout: 60_000, url: listener.base, token })
        .getQueryApi('yardmaster')
        .collectRows('buckets()'),
    ).toMatchObject([{ name: 'metrics' }]);
    const api = new InfluxDB({ timeout: 60_000, url: listener.base, token }).getWriteApi(
      'yardmaster',
      'metrics',
      'ns',
      {
        maxRetries: 0,
        writeFailed: () => Promise.resolve(),
      },
    );
    api.writeRecord('x v=1');
    await api.close();
    expect(await refused(await ask(WRITE, { method: 'POST', body: 'x v=1', token }))).toMatchObject([
      403,
      'forbidden',
      expect.stringContaining('operator'),
    ]);
  });
});

describe('writing', () => {
  it('answers 204 and nothing else', async () => {
    const answer = await write('m v=1');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await write(gzipSync('m v=1'), WRITE, { 'content-encoding': 'gzip' })).status).toBe(204);
    expect((await write('m v=1\r\n# comment\n', WRITE, { 'content-encoding': 'identity' })).status).toBe(204);
    // Only a body without any byte is refused, as with InfluxDB 2.
    expect((await write('\n# comment\n')).status).toBe(204);
    expect((await write('')).status).toBe(204);
    const { buckets } = (await (await ask('/api/v2/buckets?name=metrics')).json()) as {
      buckets: { id: string; orgID: string }[];
    };
    expect((await write('m v=1', `/api/v2/write?orgID=${buckets[0]?.orgID}&bucket=${buckets[0]?.id}`)).status).toBe(
      204,
    );
  });

  it.each([
    ['a precision that is none', `${WRITE}&precision=h`, 'm v=1', {}, 400, 'invalid', 'invalid precision'],
    [
      'lines that cannot be parsed',
      WRITE,
      'm v=1\nm\nm v=1.5i',
      {},
      400,
      'invalid',
      "unable to parse 'm': missing fields (line 2)\nunable to parse 'm v=1.5i': ",
    ],
    ['a bad gzip header', WRITE, 'm v=1', { 'content-encoding': 'gzip' }, 400, 'invalid', 'incorrect header check'],
    [
      'an encoding that is none',
      WRITE,
      'm v=1',
      { 'content-encoding': 'br' },
      400,
      'invalid',
      'unsupported Content-Encoding',
    ],
    [
      'an unknown organization',
      '/api/v2/write?org=x&bucket=metrics',
      'm v=1',
      {},
      404,
      'not found',
      'organization name "x" not found',
    ],
    [
      'no organization',
      '/api/v2/write?bucket=metrics',
      'm v=1',
      {},
      400,
      'invalid',
      'Please provide either orgID or org',
    ],
    [
      'an unknown bucket',
      '/api/v2/write?org=yardmaster&bucket=x',
      'm v=1',
      {},
      404,
      'not found',
      'bucket "x" not found',
    ],
    [
      'a body that is too large',
      WRITE,
      'm v=1\n'.repeat(MAX_BODY_BYTES / 6 + 1),
      {},
      413,
      'request too large',
      'too large',
    ],
  ])('refuses %s', async (_name, path, body, headers, status, code, message) => {
    expect(await refused(await write(body, path, headers as Record<string, string>))).toMatchObject([
      status,
      code,
      expect.stringContaining(message),
    ]);
  });

  it('stores nothing of a batch with a bad line, and what it can of one with a conflict', async () => {
    expect((await write('whole a=1 1000000000\nwhole a= 2000000000')).status).toBe(400);
    expect((await write('types a=1 1000000000')).status).toBe(204);
    expect(await refused(await write('types b=2 2000000000\ntypes a="x" 3000000000'))).toEqual([
      422,
      'unprocessable entity',
      'failure writing points to database: partial write: field type conflict: input field "a" on measurement "types" is type string, already exists as type float dropped=1',
    ]);
    const rows = await (
      await query(
        'from(bucket: "metrics") |> range(start: 0) |> filter(fn: (r) => r._measurement == "whole" or r._measurement == "types") |> keep(columns: ["_field", "_value"])',
      )
    ).text();
    expect(rows).toBe(',result,table,_value,_field\r\n,_result,0,1,a\r\n,_result,1,2,b\r\n\r\n');
  });

  it('bounds what unpacks to far more than it is', async () => {
    expect((await write(gzipSync(Buffer.alloc(50_000_000, 'a')), WRITE, { 'content-encoding': 'gzip' })).status).toBe(
      413,
    );
  });

  it('takes what Telegraf sends: a split batch after 413', async () => {
    const metric = (i: number) =>
      `cpu,cpu=cpu-total,host=box usage_idle=97.5,usage_user=${i % 7}i 17356896${String(i).padStart(2, '0')}000000000\n`;
    const send = (body: string) =>
      write(gzipSync(body), WRITE, {
        'content-encoding': 'gzip',
        'user-agent': 'Telegraf/1.33.0 Go/1.23.4',
        'content-type': 'text/plain; charset=utf-8',
      });
    const batch = Array.from({ length: 100 }, (_, i) => metric(i))
      .join('')
      .repeat(20);
    expect((await send(batch)).status).toBe(413);
    expect((await send(batch.slice(0, batch.length / 20))).status).toBe(204);
  });
});

describe('who asks', () => {
  it('needs a token, but for health, readiness and ping', async () => {
    for (const token of [null, 'wrong']) {
      expect(await refused(await ask(WRITE, { method: 'POST', body: 'm v=1', token }))).toEqual([
        401,
        'unauthorized',
        'unauthorized access',
      ]);
      expect((await ask('/api/v2/buckets', { token })).status).toBe(401);
      expect(await (await ask('/health', { token })).json()).toMatchObject({
        name: 'influxdb',
        message: 'healthy',
        status: 'pass',
        checks: [],
      });
      expect(await (await ask('/ready', { token })).json()).toMatchObject({ status: 'ready' });
      for (const method of ['GET', 'HEAD']) {
        const ping = await ask('/ping', { method, token });
        expect([ping.status, ping.headers.get('x-influxdb-build'), ping.headers.get('x-influxdb-version')]).toEqual([
          204,
          'OSS',
          expect.stringMatching(/^v2\./),
        ]);
      }
    }
    expect(
      (await ask('/api/v2/buckets', { token: null, headers: { authorization: `Bearer ${listener.admin}` } })).status,
    ).toBe(200);
  });

  it('is no page of another site', async () => {
    expect((await ask('/health', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    const status = await new Promise((resolve, reject) =>
      httpRequest(`${listener.base}/health`, { headers: { host: 'evil.example' } }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end(),
    );
    expect(status).toBe(421);
  });

  it('is told of paths and methods that are not there', async () => {
    expect(await refused(await ask('/api/v2/nothing'))).toMatchObject([404, 'not found', 'path not found']);
    expect((await ask('/api/v2/write')).status).toBe(405);
  });
});

it('answers every query of the dashboards that are exported to Grafana', async () => {
  await write(
    `task_metrics,workflow_id=w,environment=dev,worker_id=k counter_error_count=2,timer_run_ms=5 ${Date.now() - 60_000}`,
    `${WRITE}&precision=ms`,
  );
  const queries = [...BUILT_IN.values()].flatMap(({ panels, variables }) =>
    panels.flatMap((panel) =>
      panel.queries.flatMap((one) =>
        one.source === 'metrics'
          ? [OF_DASHBOARD.every, null].map((every) => fluxQuery(one, variables ?? [], { ...OF_DASHBOARD, every }))
          : [],
      ),
    ),
  );
  expect(queries.length).toBeGreaterThan(20);
  const filled = (text: string) =>
    text
      .replaceAll('v.timeRangeStart', new Date(Date.now() - 3_600_000).toISOString())
      .replaceAll('v.timeRangeStop', new Date().toISOString())
      .replaceAll('v.windowPeriod', '15s')
      .replace(/\$\{\w+:regex\}/g, '.*');
  for (const text of new Set(queries.map(filled))) {
    const answer = await query(text, { dialect: { annotations: ['group', 'datatype', 'default'] } });
    expect([answer.status, answer.status === 200 ? '' : await answer.text()], text).toEqual([200, '']);
    await answer.body?.cancel();
  }
  expect(
    await (
      await query(
        filled(
          fluxQuery(
            { measurement: 'task_metrics', field: 'counter_error_count', aggregate: 'sum', groupBy: ['workflow_id'] },
            [],
            { ...OF_DASHBOARD, every: null },
          ),
        ),
      )
    ).text(),
  ).toBe(
    ',result,table,_field,_measurement,workflow_id,_value\r\n,_result,0,counter_error_count,task_metrics,w,2\r\n\r\n',
  );
});

describe('buckets and organizations', () => {
  it('are those of the store', async () => {
    expect(await (await ask('/api/v2/orgs?org=yardmaster')).json()).toMatchObject({
      orgs: [{ id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'yardmaster' }],
    });
    expect(await refused(await ask('/api/v2/orgs?org=x'))).toMatchObject([
      404,
      'not found',
      'organization name "x" not found',
    ]);
    const { buckets } = (await (await ask('/api/v2/buckets?org=yardmaster&limit=10&offset=0')).json()) as {
      buckets: Record<string, unknown>[];
    };
    expect(buckets[0]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      type: 'user',
      name: 'metrics',
      retentionRules: [],
    });
    expect(await (await ask('/api/v2/setup')).json()).toEqual({ allowed: false });
    expect((await ask('/api/v2/setup', { method: 'POST', body: '{}' })).status).toBe(422);
  });

  it('can be made, changed and deleted', async () => {
    const post = (body: object) => ask('/api/v2/buckets', { method: 'POST', body: JSON.stringify(body) });
    const made = await post({
      name: 'more',
      orgID: '0000000000000001',
      retentionRules: [{ type: 'expire', everySeconds: 7200 }],
    });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    expect(await refused(await post({ name: 'more' }))).toMatchObject([
      422,
      'conflict',
      'bucket with name more already exists',
    ]);
    expect(await refused(await post({ name: '_own' }))).toMatchObject([
      400,
      'invalid',
      expect.stringContaining('name'),
    ]);
    expect((await write('m v=1', '/api/v2/write?org=yardmaster&bucket=more')).status).toBe(204);
    expect(
      await (await ask(`/api/v2/buckets/${id}`, { method: 'PATCH', body: JSON.stringify({ name: 'renamed' }) })).json(),
    ).toMatchObject({ name: 'renamed', retentionRules: [{ type: 'expire', everySeconds: 7200 }] });
    expect(
      await (await query('from(bucket: "renamed") |> range(start: -1h) |> keep(columns: ["_value"])')).text(),
    ).toContain('_result,0,1');
    expect((await ask(`/api/v2/buckets/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`/api/v2/buckets/${id}`)).status).toBe(404);
    const own = ((await (await ask('/api/v2/buckets?name=metrics')).json()) as { buckets: { id: string }[] }).buckets[0]
      ?.id;
    expect((await ask(`/api/v2/buckets/${own}`, { method: 'DELETE' })).status).toBe(403);
    const audit = (await (
      await fetch(`${listener.master.ready.url}/api/v1/audit?target=bucket:${id}`, {
        headers: { authorization: `Bearer ${listener.admin}` },
      })
    ).json()) as { items: { action: string; after: unknown }[] };
    expect(audit.items.map(({ action }) => action).sort()).toEqual([
      'metrics.bucket.create',
      'metrics.bucket.delete',
      'metrics.bucket.update',
    ]);
  });
});

describe('deleting', () => {
  const remove = (body: object) =>
    ask('/api/v2/delete?org=yardmaster&bucket=metrics', { method: 'POST', body: JSON.stringify(body) });
  const RANGE = { start: '1970-01-01T00:00:00Z', stop: '2100-01-01T00:00:00Z' };

  it('takes points of a range away that a predicate names', async () => {
    await write('gone,host=a v=1 1000000000\ngone,host=b v=2 1000000000\ngone,host=a v=3 9000000000');
    expect(
      (await remove({ ...RANGE, stop: '1970-01-01T00:00:05Z', predicate: '_measurement="gone" AND host="a"' })).status,
    ).toBe(204);
    expect(
      await (
        await query(
          'from(bucket: "metrics") |> range(start: 0) |> filter(fn: (r) => r._measurement == "gone") |> keep(columns: ["host", "_value"]) |> group() |> sort()',
        )
      ).text(),
    ).toBe(',result,table,_value,host\r\n,_result,0,2,b\r\n,_result,0,3,a\r\n\r\n');
  });

  it.each([
    [{ ...RANGE, start: 'x' }, 'invalid RFC3339Nano for field start'],
    [{ start: RANGE.start }, 'invalid RFC3339Nano for field stop'],
    [{ ...RANGE, predicate: 'a != "b"' }, 'the operator != is not supported'],
    [{ ...RANGE, predicate: 'a="b" OR a="c"' }, 'OR is not supported'],
    [{ ...RANGE, predicate: 'a="b" a="c"' }, 'expected AND'],
    [{ ...RANGE, predicate: '(' }, 'invalid predicate at position 0'],
  ])('refuses %j', async (body, message) => {
    expect(await refused(await remove(body))).toMatchObject([400, 'invalid', expect.stringContaining(message)]);
  });
});
