import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import { packed, pushOf } from './convert-loki.fixture.ts';
import { openLogHttp } from './serve.fixture.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
const surface = (limits: Partial<Limits> = {}) => openLogHttp(opened, limits);

describe('/insert/jsonline', () => {
  it('hands the bytes on with their arguments and batch id, and answers 200 with nothing', async () => {
    const { post, batches } = await surface();
    const answer = await post(
      '/insert/jsonline?_stream_fields=a,b&_time_field=t,date&_msg_field=log&ignore_fields=x,y*&extra_fields=k=v,k2=a=b&decolorize_fields=log,c*&preserve_json_keys=j',
      '{"log":"one"}\n',
      { 'x-batch-id': 'batch-1' },
    );
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(batches).toEqual([
      {
        id: 'batch-1',
        text: '{"log":"one"}\n',
        options: {
          timeFields: ['t', 'date'],
          messageFields: ['log'],
          streamFields: ['a', 'b'],
          ignoreFields: ['x', 'y*'],
          plainFields: ['log', 'c*'],
          jsonFields: ['j'],
          extraFields: { k: 'v', k2: 'a=b' },
        },
      },
    ]);
  });

  it('takes arguments as headers, of which those of the query string win', async () => {
    const { post, batches } = await surface();
    await post('/insert/jsonline?_msg_field=fromquery', '{}', {
      'vl-msg-field': 'fromheader',
      'vl-time-field': 'when',
      'vl-stream-fields': 's',
    });
    expect(batches[0]?.options).toEqual({
      timeFields: ['when'],
      messageFields: ['fromquery'],
      streamFields: ['s'],
      ignoreFields: [],
      plainFields: [],
      jsonFields: [],
      extraFields: {},
    });
  });

  it.each([
    ['gzip', gzipSync('{"_msg":"x"}')],
    ['deflate', deflateSync('{"_msg":"x"}')],
    ['zstd', zstdCompressSync('{"_msg":"x"}')],
    // Length 12, then a literal of 12 bytes.
    ['snappy', Buffer.from([12, 11 << 2, ...Buffer.from('{"_msg":"x"}')])],
  ])('unpacks %s, whatever the type of the body says', async (encoding, body) => {
    const { post, batches } = await surface();
    const answer = await post('/insert/jsonline', new Uint8Array(body), {
      'content-encoding': encoding,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([answer.status, batches[0]?.text]).toEqual([200, '{"_msg":"x"}']);
  });

  it('refuses what it cannot unpack, what is too large once unpacked, and other methods', async () => {
    const { post, get, url } = await surface({ logInsertBytes: 100_000 });
    const bomb = await post('/insert/jsonline', new Uint8Array(gzipSync(Buffer.alloc(50_000_000))), {
      'content-encoding': 'gzip',
    });
    expect([bomb.status, await bomb.text()]).toEqual([413, expect.stringContaining('100000 bytes')]);
    expect((await post('/insert/jsonline', 'x'.repeat(200_000))).status).toBe(413);
    for (const encoding of ['gzip', 'zstd', 'deflate', 'snappy', 'br', 'constructor', '__proto__', 'toString'])
      expect((await post('/insert/jsonline', '\x00\xff not packed', { 'content-encoding': encoding })).status).toBe(
        400,
      );
    expect((await get('/insert/jsonline')).status).toBe(405);
    expect((await post('/insert/jsonline?extra_fields=novalue', '{}')).status).toBe(400);
    expect((await post(`/insert/jsonline?_stream_fields=${'a,'.repeat(101)}`, '{}')).status).toBe(400);
    expect((await post('/insert/jsonline', '{}', { AccountID: '7' })).status).toBe(400);
    expect((await post('/insert/jsonline', '{}', { 'x-batch-id': 'has space' })).status).toBe(400);
    expect((await fetch(`${url}/nowhere`)).status).toBe(400);
  });

  it('refuses extra fields that many lines would repeat to more than the limit', async () => {
    const { post, batches } = await surface({ logInsertBytes: 100_000 });
    const field = `extra_fields=k=${'x'.repeat(1000)}`;
    for (const path of ['/insert/jsonline', '/insert/elasticsearch/_bulk']) {
      const pair = path.endsWith('_bulk') ? '{"create":{}}\n{"_msg":"x"}\n' : '{"_msg":"x"}\n';
      const answer = await post(`${path}?${field}`, pair.repeat(100));
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('logInsertBytes')]);
      expect((await post(`${path}?${field}`, pair.repeat(90))).status).toBe(200);
    }
    expect(batches).toHaveLength(2);
  });

  it('answers 400 only where every line failed, and tells of skipped ones in a header', async () => {
    const { post, state } = await surface();
    state.outcome = { stored: 2, skipped: 1, duplicate: false };
    const some = await post('/insert/jsonline', 'x\n{}\n{}\n');
    expect([some.status, some.headers.get('x-rows-skipped')]).toEqual([200, '1']);
    state.outcome = { stored: 0, skipped: 3, duplicate: false };
    const none = await post('/insert/jsonline', 'x\ny\nz\n');
    expect([none.status, await none.text()]).toEqual([
      400,
      expect.stringContaining(`at most ${6 * 1024 * 1024 + 65_536} bytes each`),
    ]);
  });

  it('answers 503 while the disk is full, and stores nothing with debug=1', async () => {
    const { post, state, batches, errors } = await surface();
    state.outcome = new Fault('STORE_FULL', 'the disk is full');
    const full = await post('/insert/jsonline', '{}');
    expect([full.status, full.headers.get('retry-after'), await full.text()]).toEqual([503, '5', 'the disk is full\n']);
    expect((await post('/insert/jsonline?debug=1', '{}')).status).toBe(200);
    expect(batches).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe('/insert/elasticsearch', () => {
  it('takes pairs of lines and answers each', async () => {
    const { post, batches } = await surface();
    const answer = await post(
      '/insert/elasticsearch/_bulk?_msg_field=m',
      '{"create":{}}\n{"m":"one"}\n{"index":{"_index":"logs"}}\n{"m":2.0}\n',
    );
    expect(answer.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(await answer.json()).toEqual({
      took: expect.any(Number),
      errors: false,
      items: [{ create: { status: 201 } }, { index: { status: 201 } }],
    });
    expect(batches[0]).toMatchObject({ text: '{"m":"one"}\n{"m":2.0}\n', options: { messageFields: ['m'] } });
  });

  it('refuses a bad action before anything is stored, and names a bad document', async () => {
    const { post, batches, state } = await surface();
    expect((await post('/insert/elasticsearch/_bulk', '{"create":{}}\n{"a":1}\n{"delete":{}}\n')).status).toBe(400);
    expect((await post('/insert/elasticsearch/_bulk', 'garbage\n{"a":1}\n')).status).toBe(400);
    expect((await post('/insert/elasticsearch/_bulk', '{"create":{}}\n')).status).toBe(400);
    expect(batches).toEqual([]);
    state.outcome = { stored: 1, skipped: 1, duplicate: false };
    const answer = await post('/insert/elasticsearch/_bulk', '{"create":{}}\n{"a":1}\n{"create":{}}\nnot json\n');
    expect([answer.status, await answer.text()]).toEqual([
      400,
      'cannot parse the JSON document in line 4; 1 of 2 documents are stored\n',
    ]);
  });

  it('converts a large body in its thread', async () => {
    const { post, batches } = await surface();
    const body = Array.from(
      { length: 5000 },
      (_, i) => `{"create":{}}\n{"_msg":"number ${i} ${'x'.repeat(50)}"}\n`,
    ).join('');
    const answer = (await (await post('/insert/elasticsearch/_bulk', body)).json()) as { items: unknown[] };
    expect(answer.items).toHaveLength(5000);
    expect(batches[0]?.text.split('\n')).toHaveLength(5001);
    expect((await post('/insert/elasticsearch/_bulk', `${body}broken\n{}\n`)).status).toBe(400);
  });

  it('answers what its clients ask before they send', async () => {
    const { get } = await surface();
    const hello = await get('/insert/elasticsearch/');
    expect([await hello.json(), hello.headers.get('x-elastic-product')]).toEqual([
      { version: { number: '8.9.0' } },
      'Elasticsearch',
    ]);
    for (const stub of ['_ilm/policy/x', '_index_template', '_ingest/pipeline', '_nodes/http', '_logstash'])
      expect(await (await get(`/insert/elasticsearch/${stub}`)).json()).toEqual({});
    expect((await get('/insert/elasticsearch/_license')).status).toBe(200);
  });
});

describe('/insert/loki', () => {
  it('takes streams, whose labels make the stream', async () => {
    const { post, batches } = await surface();
    const body = {
      streams: [
        {
          stream: { app: 'a', env: 'x' },
          values: [
            ['1741600800123456789', 'plain'],
            ['1741600800123456790', '{"_msg":"parsed","n":1.0}', { trace: 't' }],
          ],
        },
        { stream: { other: 'y' }, values: [['1', 'z']] },
      ],
    };
    const answer = await post('/insert/loki/api/v1/push', JSON.stringify(body), { 'content-type': 'application/json' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(batches.map(({ text, options }) => [text, options.streamFields])).toEqual([
      [
        '{"_time":"1741600800123456789","app":"a","env":"x","_msg":"plain"}\n{"_time":"1741600800123456790","app":"a","env":"x","trace":"t","_msg":"parsed","n":1.0}\n',
        ['app', 'env'],
      ],
      ['{"_time":"1","other":"y","_msg":"z"}\n', ['other']],
    ]);
    await post(
      '/insert/loki/api/v1/push?disable_message_parsing=1&_stream_fields=env',
      JSON.stringify({ streams: [{ stream: { env: 'x' }, values: [['1', '{"a":1}']] }] }),
      { 'content-type': 'application/json' },
    );
    expect(batches[2]).toMatchObject({
      text: '{"_time":"1","env":"x","_msg":"{\\"a\\":1}"}\n',
      options: { streamFields: ['env'] },
    });
  });

  it.each([
    ['{}'],
    ['not json'],
    ['[]'],
    ['{"streams":5}'],
    ['{"streams":[{"stream":{},"values":[["x","y"]]}]}'],
    ['{"streams":[{"stream":{"a":1},"values":[]}]}'],
    ['{"streams":[null]}'],
    ['{"streams":[{"stream":{},"values":[["1"]]}]}'],
  ])('refuses %s', async (body) => {
    const { post, batches } = await surface();
    expect((await post('/insert/loki/api/v1/push', body, { 'content-type': 'application/json' })).status).toBe(400);
    expect(batches).toEqual([]);
  });

  it('takes protobuf packed with snappy, as the clients of Loki send it', async () => {
    const { post, batches } = await surface();
    const body = pushOf([
      {
        labels: '{app="a", env="x\\n\\"y\\""}',
        entries: [
          { seconds: 1_741_600_800, nanos: 123_456_789, line: 'plain größe' },
          { seconds: 1_741_600_800, nanos: 5, line: '{"_msg":"parsed","n":1.0}', metadata: [['trace', 't']] },
        ],
      },
      { labels: '{}', entries: [{ seconds: 0, nanos: 0, line: 'without a time' }] },
    ]);
    const answer = await post('/insert/loki/api/v1/push', new Uint8Array(packed(body)), {
      'content-type': 'application/x-protobuf',
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(batches.map(({ text, options }) => [text, options.streamFields])).toEqual([
      [
        '{"_time":"1741600800123456789","app":"a","env":"x\\n\\"y\\"","_msg":"plain größe"}\n{"_time":"1741600800000000005","app":"a","env":"x\\n\\"y\\"","trace":"t","_msg":"parsed","n":1.0}\n',
        ['app', 'env'],
      ],
      ['{"_time":"0","_msg":"without a time"}\n', []],
    ]);
    // A header says how it is packed instead.
    expect(
      (
        await post('/insert/loki/api/v1/push', new Uint8Array(gzipSync(body)), {
          'content-type': 'application/x-protobuf',
          'content-encoding': 'gzip',
        })
      ).status,
    ).toBe(204);
    expect(batches).toHaveLength(4);
  });

  it('takes a large body of it in its thread', async () => {
    const { post, batches } = await surface();
    const body = pushOf([
      {
        labels: '{app="a"}',
        entries: Array.from({ length: 5000 }, (_, i) => ({
          seconds: 1_741_600_800,
          nanos: i,
          line: `number ${i} ${'x'.repeat(50)}`,
        })),
      },
    ]);
    expect(
      (
        await post('/insert/loki/api/v1/push', new Uint8Array(packed(body)), {
          'content-type': 'application/x-protobuf',
        })
      ).status,
    ).toBe(204);
    expect(batches[0]?.text.split('\n')).toHaveLength(5001);
    expect(
      (
        await post('/insert/loki/api/v1/push', new Uint8Array(packed(body.subarray(0, -1))), {
          'content-type': 'application/x-protobuf',
        })
      ).status,
    ).toBe(400);
  });

  it.each([
    ['not packed', Buffer.from('not snappy at all')],
    ['cut', packed(Buffer.from([0x0a, 0x7f]))],
    ['of bad labels', packed(pushOf([{ labels: 'app', entries: [] }]))],
  ])('refuses a body that is %s', async (_, body) => {
    const { post, batches } = await surface();
    expect(
      (await post('/insert/loki/api/v1/push', new Uint8Array(body), { 'content-type': 'application/x-protobuf' }))
        .status,
    ).toBe(400);
    expect(batches).toEqual([]);
  });
});

describe('a small body whose lines repeat much', () => {
  /** So many lines that share one long attribute, or label. */
  const bodies = (lines: number, common: string) => ({
    '/insert/opentelemetry/v1/logs': {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'a', value: { stringValue: common } }] },
          scopeLogs: [{ logRecords: Array.from({ length: lines }, () => ({})) }],
        },
      ],
    },
    '/insert/loki/api/v1/push': {
      streams: [{ stream: { a: common }, values: Array.from({ length: lines }, () => ['1', '']) }],
    },
  });
  const json = { 'content-type': 'application/json' };

  it('is converted in the thread, or refused where it becomes more than a body may have', async () => {
    const { post, batches } = await surface({ logInsertBytes: 4 * 1024 * 1024 });
    for (const [path, body] of Object.entries(bodies(100, 'x'.repeat(20_000))))
      expect((await post(path, JSON.stringify(body), json)).status).toBeLessThan(300);
    expect(batches.map(({ text }) => text.split('\n').length)).toEqual([101, 101]);
    for (const [path, body] of Object.entries(bodies(2000, 'x'.repeat(50_000)))) {
      const answer = await post(path, JSON.stringify(body), json);
      expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('logInsertBytes')]);
    }
    expect(batches).toHaveLength(2);
  });
});

it('says that it is well', async () => {
  const { get } = await surface();
  expect(await (await get('/health')).text()).toBe('OK');
  expect(await (await get('/insert/ready')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/insert/loki/ready')).text()).toBe('ready');
});
