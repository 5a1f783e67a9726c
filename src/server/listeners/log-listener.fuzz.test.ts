import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { createSeededRandom, type SeededRandom } from '../../lib/seeded-random.ts';
import { systemClock } from '../../lib/clock.ts';
import { openLogListener } from './log-listener.ts';
import { createLogs } from '../logs/logs.ts';
import type { ProtocolListener } from './protocol-listener.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

/** Nothing that comes to the log store's port is answered with 500, and afterwards it works as before. */
let door: ProtocolListener;
let logs: Awaited<ReturnType<typeof createLogs>>;
const unexpected: unknown[] = [];
beforeAll(async () => {
  logs = await createLogs({ folder: temporaryFolder('fuzz'), limits: LIMITS, clock: systemClock });
  door = await openLogListener({
    options: {
      host: '127.0.0.1',
      logStorePort: 0,
      allowedHosts: [],
      proxies: null,
      protectLoopback: false,
      log: () => {},
    },
    tls: null,
    access: { token: () => null, onCredentialEnded: () => () => undefined } as never,
    logs,
    limits: { ...LIMITS, logInsertBytes: 200_000, logQuerySeconds: 2 },
    clock: systemClock,
    onError: (error) => unexpected.push(error),
  });
});
afterAll(async () => {
  await door.close();
  await logs.close();
});

const PATHS = [
  '/insert/jsonline',
  '/insert/elasticsearch/_bulk',
  '/insert/loki/api/v1/push',
  '/select/logsql/query',
  '/select/logsql/hits',
  '/select/logsql/facets',
  '/select/logsql/field_names',
  '/select/logsql/field_values',
  '/select/logsql/streams',
  '/select/logsql/stream_field_values',
  '/select/logsql/stats_query',
  '/select/logsql/stats_query_range',
  '/insert/elasticsearch/_ilm/policy',
  '/nowhere',
  '//',
  '/%00',
];
const ARGS = [
  'query',
  'start',
  'end',
  'time',
  'timeout',
  'limit',
  'offset',
  'step',
  'field',
  'fields_limit',
  'filter',
  'extra_filters',
  'extra_stream_filters',
  'hidden_fields_filters',
  'ignore_pipes',
  'format',
  '_time_field',
  '_msg_field',
  '_stream_fields',
  'ignore_fields',
  'decolorize_fields',
  'preserve_json_keys',
  'extra_fields',
  'debug',
];
const VALUES = [
  '*',
  'a',
  '',
  '0',
  '-1',
  '1e999',
  '5m',
  'now',
  '2025',
  '99999999999999999999',
  '{',
  '{"a":',
  '{"a":["b"]}',
  '{a="b"}',
  '* | stats count() n',
  '* | stats by (_time:1ns) count() n',
  '* | sort by (x) | limit 3',
  '(((',
  '"',
  '`',
  '\u0000',
  'a'.repeat(3000),
  '_time:5m | fields *',
  'a | uniq by (b) limit 1',
  '* | union (* | join by (a) (b))',
  're(".*")',
  '!'.repeat(200),
  '| | |',
  'x;y',
  '# comment',
  '*,',
  'k=v',
  '=',
];
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"_msg":"x"}\n',
  '{"create":{}}\n{"a":1}\n',
  '{"create":{}}',
  '{"index":{"a":{"b":[]}}}\nnot json',
  '{"streams":[{"stream":{"a":"b"},"values":[["1","x"]]}]}',
  '{"streams":{}}',
  '{"streams":[[]]}',
  '['.repeat(100_000),
  `{"a":${'{"b":'.repeat(500)}1${'}'.repeat(500)}}`,
  `{"${'k'.repeat(500)}":1}`,
  '\xff\xfe\x00',
  'x'.repeat(300_000),
  `{${Array.from({ length: 3000 }, (_, i) => `"f${i}":${i}`).join(',')}}`,
  '{"_time":"never","_msg":"x"}',
  '{"_time":1e400}',
];

function requestOf(chance: SeededRandom): { path: string; init: RequestInit } {
  const args = new URLSearchParams(
    Array.from({ length: chance.below(6) }, (): [string, string] => [chance.pick(ARGS), chance.pick(VALUES)]),
  );
  if (chance.percent(60)) args.set('query', chance.pick(VALUES));
  const method = chance.pick(['GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
  const packed = chance.percent(20);
  const text = chance.percent(30) ? args.toString() : chance.pick(BODIES);
  const body = packed ? new Uint8Array(chance.percent(50) ? gzipSync(text) : Buffer.from(text)) : text;
  const headers: Record<string, string> = {};
  if (packed) headers['content-encoding'] = chance.pick(['gzip', 'zstd', 'deflate', 'snappy', 'br', 'x'.repeat(500)]);
  if (chance.percent(30))
    headers['content-type'] = chance.pick([
      'application/json',
      'application/x-protobuf',
      'application/x-www-form-urlencoded',
      ';;;',
    ]);
  if (chance.percent(10)) headers['x-batch-id'] = chance.pick(['a', 'b c', 'x'.repeat(400)]);
  if (chance.percent(10)) headers['accountid'] = chance.pick(['0', '1', 'x']);
  return {
    path: `${chance.pick(PATHS)}?${args}`,
    init: { method, headers, ...(method === 'GET' || method === 'HEAD' ? {} : { body }) },
  };
}

it('answers whatever is asked', async () => {
  const chance = createSeededRandom(11);
  const url = `http://127.0.0.1:${door.port}`;
  const bad: unknown[] = [];
  for (let round = 0; round < 60; round++) {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { path, init } = requestOf(chance);
        // A body that is refused half-way may end in a broken connection; an answer of 500 may not be.
        const answer = await fetch(url + path, init).catch(() => null);
        const text = await answer?.text().catch(() => '');
        if (answer && answer.status >= 500 && answer.status !== 503) bad.push([init.method, path, answer.status, text]);
      }),
    );
  }
  expect(bad).toEqual([]);
  expect(unexpected).toEqual([]);
});

it('outlives what is no HTTP', async () => {
  const chance = createSeededRandom(12);
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const socket = connect(door.port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        i % 2
          ? Buffer.from(Array.from({ length: 1 + chance.below(2000) }, () => chance.below(256)))
          : `POST /insert/jsonline HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${chance.below(1e6)}\r\n\r\n{"half":`,
      );
      setTimeout(() => socket.destroy(), chance.below(100));
      await closed;
    }),
  );
  expect(await (await fetch(`http://127.0.0.1:${door.port}/health`)).text()).toBe('OK');
  expect(
    (await fetch(`http://127.0.0.1:${door.port}/insert/jsonline`, { method: 'POST', body: '{"_msg":"still here"}' }))
      .status,
  ).toBe(200);
  expect(
    await (await fetch(`http://127.0.0.1:${door.port}/select/logsql/query?query=%22still%20here%22`)).text(),
  ).toContain('still here');
});
