import { appendFileSync, readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import winston from 'winston';
// @ts-expect-error the package has types of an older form of it alone
import LogstashTransport from 'winston-logstash/lib/winston-logstash-latest.js';
import { LIMITS } from '../../../contract/limits.ts';
import { createSeededRandom } from '../../../lib/seeded-random.ts';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { startFakeStore, type FakeStore } from './log-store.fake.ts';
import { startPipelines, type PipelinesOptions } from './pipelines.ts';
import { masterTarget, settingsOf } from './settings.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const folder = () => temporaryFolder('pipelines');
async function start(more: Partial<PipelinesOptions> = {}) {
  const store = await startFakeStore();
  opened.push(store.close);
  const said: string[] = [];
  const pipelines = await startPipelines({
    ...settingsOf(LIMITS),
    folder: folder(),
    host: '127.0.0.1',
    port: 0,
    replicas: 1,
    target: masterTarget(store.url, null),
    tls: null,
    tokenRequired: false,
    tokens: null,
    durable: false,
    log: (line) => said.push(line),
    ...more,
  });
  opened.push(pipelines.close);
  return { store, pipelines, said };
}
async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!what()) {
    if (Date.now() > deadline) throw new Error('it did not come to be within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const send = (port: number, data: string | Buffer) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(data));
    socket
      .on('error', () => {})
      .on('close', () => resolve())
      .resume();
  });
const record = (store: FakeStore, message: string) => store.records().find((one) => one['_msg'] === message);

describe('real shippers', () => {
  it('pino over pino-socket', async () => {
    const { store, pipelines } = await start();
    const transport = pino.transport({
      target: 'pino-socket',
      options: { address: '127.0.0.1', port: pipelines.port, mode: 'tcp', reconnect: true },
    });
    const logger = pino({ base: { service: 'shop' } }, transport);
    logger.info({ orderId: 'o-1' }, 'order taken');
    logger.error(new Error('no stock'), 'order failed');
    await until(() => store.lines.length === 2);
    expect(record(store, 'order taken')).toMatchObject({
      level: 'INFO',
      service: 'shop',
      orderId: 'o-1',
      source: 'tcp:127.0.0.1',
      _time: expect.stringMatching(/^20.*Z$/),
    });
    expect(record(store, 'order failed')).toMatchObject({ level: 'ERROR', err: { message: 'no stock' } });
    transport.end();
  });

  it('winston over winston-logstash', async () => {
    const { store, pipelines } = await start();
    const transport = new (LogstashTransport as new (options: { host: string; port: number }) => winston.transport)({
      host: '127.0.0.1',
      port: pipelines.port,
    });
    const logger = winston.createLogger({ level: 'debug', transports: [transport] });
    logger.warn('low on paper', { job_id: 'j-1' });
    logger.debug('details');
    await until(() => store.lines.length === 2);
    expect(record(store, 'low on paper')).toMatchObject({ level: 'WARN', job_id: 'j-1' });
    expect(record(store, 'details')).toMatchObject({ level: 'DEBUG' });
    transport.close?.();
  });

  it.each([
    [
      'Fluent Bit, format json_lines',
      '{"date":1741600800.123,"log":"from fluent bit","stream":"stdout"}\n',
      { _time: '2025-03-10T10:00:00.123Z', _msg: 'from fluent bit', stream: 'stdout' },
    ],
    [
      'Fluent Bit, format json',
      '[{"date":1741600800.123,"log":"first"},{"date":1741600801.5,"log":"second"}]',
      { _time: '2025-03-10T10:00:01.500Z', _msg: 'second' },
    ],
    [
      'Vector, codec json',
      '{"host":"h","message":"from vector","source_type":"demo","timestamp":"2025-03-10T10:00:00.123456789Z"}\n',
      { _time: '2025-03-10T10:00:00.123456789Z', _msg: 'from vector', host: 'h' },
    ],
    ['nc, without a newline at the end', 'hello from nc', { _msg: 'hello from nc', tags: ['_jsonparsefailure'] }],
  ])('%s', async (_name, bytes, expected) => {
    const { store, pipelines } = await start();
    await send(pipelines.port, bytes);
    await until(() => store.records().some((one) => one['_msg'] === expected._msg));
    expect(record(store, expected._msg)).toMatchObject(expected);
  });
});

describe('what is no log line', () => {
  it.each([
    ['a POST of a web page', 'POST / HTTP/1.1\r\nhost: 127.0.0.1:9000\r\n\r\n{"msg":"forged"}\n'],
    ['a TLS handshake on a plain port', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x0a])],
  ])('closes and counts %s', async (_name, bytes) => {
    const { store, pipelines } = await start();
    const socket = connect(pipelines.port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().write(bytes);
    await closed;
    await send(pipelines.port, 'POSTED\n');
    await send(pipelines.port, 'POST');
    await until(() => store.lines.length === 2 && pipelines.stats().foreign === 1);
    expect(store.messages().sort()).toEqual(['POST', 'POSTED']);
  });

  it('knows a method that comes byte by byte', async () => {
    const { store, pipelines } = await start();
    const socket = connect(pipelines.port, '127.0.0.1').on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.setNoDelay(true).resume();
    for (const byte of 'PUT ') {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    socket.write('/x HTTP/1.1\r\n');
    await closed;
    await until(() => pipelines.stats().foreign === 1);
    expect(store.lines).toEqual([]);
  });
});

describe('tokens', () => {
  /** Knows `yt_w` of a worker until it is revoked. */
  function tokensOf() {
    const active = new Set(['t-1']);
    const listeners = new Set<() => void>();
    return {
      tokens: {
        identify: (secret: string) =>
          secret === 'yt_w' && active.has('t-1') ? { tokenId: 't-1', role: 'worker' as const } : null,
        isActive: (id: string) => active.has(id),
        vouch: () => Promise.reject(new Error('no line names anything')),
        onEnded(listener: () => void) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      revoke() {
        active.clear();
        for (const listener of listeners) listener();
      },
    };
  }
  const dial = (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
  };

  it('takes lines behind a valid one, and stores nothing of it', async () => {
    const { store, pipelines } = await start({ tokens: tokensOf().tokens, tokenRequired: true });
    await send(pipelines.port, 'AUTH yt_w\r\n{"msg":"one"}\n{"msg":"two"}');
    const { socket } = dial(pipelines.port);
    for (const byte of 'AUTH yt_w\n{"msg":"slowly"}\n') {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await until(() => store.lines.length === 3);
    expect(store.messages().sort()).toEqual(['one', 'slowly', 'two']);
    expect(pipelines.stats().unauthorized).toBe(0);
    socket.destroy();
  });

  it.each([
    ['no token', '{"msg":"forged"}\n'],
    ['an unknown token', 'AUTH yt_x\n{"msg":"forged"}\n'],
    ['an empty token', 'AUTH \n{"msg":"forged"}\n'],
    ['a token that never ends', `AUTH ${'x'.repeat(10_000)}`],
    ['a token at a later line', '{"msg":"forged"}\nAUTH yt_w\n'],
  ])('closes and counts %s where one is required', async (_name, text) => {
    const { store, pipelines } = await start({ tokens: tokensOf().tokens, tokenRequired: true });
    const { socket, closed } = dial(pipelines.port);
    socket.write(text);
    await closed;
    await until(() => pipelines.stats().unauthorized === 1);
    expect([pipelines.stats().accepted, store.lines]).toEqual([0, []]);
  });

  it('checks one that comes unasked, and asks for none', async () => {
    const { store, pipelines } = await start({ tokens: tokensOf().tokens });
    const { socket, closed } = dial(pipelines.port);
    socket.write('AUTH yt_x\n{"msg":"forged"}\n');
    await closed;
    await send(pipelines.port, 'AUTH yt_w\n{"msg":"known"}\n');
    await send(pipelines.port, '{"msg":"unknown"}\n');
    await until(() => store.lines.length === 2 && pipelines.stats().unauthorized === 1);
    expect(store.messages().sort()).toEqual(['known', 'unknown']);
  });

  it('hangs up when the token ends', async () => {
    const { revoke, tokens } = tokensOf();
    const { store, pipelines } = await start({ tokens, tokenRequired: true });
    const { socket, closed } = dial(pipelines.port);
    socket.write('AUTH yt_w\n{"msg":"before"}\n');
    await until(() => store.lines.length === 1);
    revoke();
    await closed;
    await until(() => pipelines.stats().connections === 0);
  });

  it('stores no token where nobody knows tokens', async () => {
    const { store, pipelines } = await start();
    await send(pipelines.port, 'AUTH yt_w\n{"msg":"one"}\n');
    await until(() => store.lines.length === 1);
    expect(store.messages()).toEqual(['one']);
  });
});

describe('silence', () => {
  const dial = async (port: number) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    return { socket, closed };
  };
  const tokens = {
    identify: () => ({ tokenId: 't-1', role: 'worker' as const }),
    isActive: () => true,
    vouch: () => Promise.reject(new Error('no line names anything')),
    onEnded: () => () => undefined,
  };

  it('ends a connection without a token, not one that has shown it', async () => {
    const { store, pipelines } = await start({ tokens, tokenRequired: true, firstLineMs: 200 });
    const known = await dial(pipelines.port);
    known.socket.write('AUTH yt_w\n');
    const [quiet, half] = [await dial(pipelines.port), await dial(pipelines.port)];
    half.socket.write('AUTH yt');
    await Promise.all([quiet.closed, half.closed]);
    await until(() => pipelines.stats().crowded === 2 && pipelines.stats().connections === 1);
    known.socket.write('{"msg":"late"}\n');
    await until(() => store.lines.length === 1);
    known.socket.destroy();
  });

  it('gives way where there is no room, and nobody else does', async () => {
    const { store, pipelines } = await start({ connections: 2, firstLineMs: 50 });
    const busy = await dial(pipelines.port);
    busy.socket.write('{"msg":"busy"}\n');
    const quiet = await dial(pipelines.port);
    await until(() => store.lines.length === 1 && pipelines.stats().connections === 2);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(pipelines.stats()).toMatchObject({ connections: 2, crowded: 0 });
    const next = await dial(pipelines.port);
    next.socket.write('{"msg":"next"}\n');
    await quiet.closed;
    const refused = await dial(pipelines.port);
    await refused.closed;
    busy.socket.write('{"msg":"still busy"}\n');
    await until(() => store.lines.length === 3 && pipelines.stats().crowded === 2);
    busy.socket.destroy();
    next.socket.destroy();
  });
});

it('shows a line to the store within a second of its arrival', async () => {
  const { store, pipelines } = await start();
  const socket = connect(pipelines.port, '127.0.0.1');
  // The quickest of some: whatever else the machine does only ever adds to it.
  let quickest = Infinity;
  for (let sent = 1; sent <= 10 && quickest >= 1000; sent++) {
    const at = performance.now();
    socket.write('{"msg":"now"}\n');
    await until(() => store.lines.length === sent);
    quickest = Math.min(quickest, performance.now() - at);
  }
  expect(quickest).toBeLessThan(1000);
  socket.destroy();
});

describe('TLS', () => {
  const authority = createAuthority('yard');
  const issued = authority.issue({ names: ['localhost'] });
  const [cert, key] = [Buffer.from(issued.cert), Buffer.from(issued.key)];
  const sendTls = (port: number, text: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connectTls({ port, host: '127.0.0.1', ca: authority.cert, servername: 'localhost' }, () =>
        socket.end(text),
      );
      socket
        .on('error', reject)
        .on('close', () => resolve())
        .resume();
    });

  it('is spoken with whoever begins with it, on the same port', async () => {
    const { store, pipelines } = await start({ tls: { cert, key, required: false } });
    await Promise.all([
      sendTls(pipelines.port, '{"msg":"secret"}\n{"msg":"tail"}'),
      send(pipelines.port, '{"msg":"plain"}\n'),
    ]);
    await until(() => store.lines.length === 3);
    expect(store.messages().sort()).toEqual(['plain', 'secret', 'tail']);
  });

  it('can be made a condition', async () => {
    const { store, pipelines } = await start({ tls: { cert, key, required: true } });
    await send(pipelines.port, '{"msg":"plain"}\n');
    // Half of a handshake, then silence or rubbish.
    await send(pipelines.port, Buffer.from([0x16, 0x03, 0x01, 0x02]));
    await send(pipelines.port, Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), Buffer.alloc(500, 0xff)]));
    await sendTls(pipelines.port, '{"msg":"secret"}\n');
    await until(() => store.lines.length === 1);
    expect(store.messages()).toEqual(['secret']);
    // One that stays is counted, once, and none that has gone.
    const staying = connectTls({
      port: pipelines.port,
      host: '127.0.0.1',
      ca: authority.cert,
      servername: 'localhost',
    });
    await until(() => pipelines.stats().connections === 1);
    staying.destroy();
    await until(() => pipelines.stats().connections === 0);
  });
});

it('outlives whatever bytes come', async () => {
  const { store, pipelines, said } = await start({ lineBytes: 10_000 });
  const chance = createSeededRandom(7);
  const rubbish = (length: number) => Buffer.from(Array.from({ length }, () => chance.below(256)));
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const socket = connect(pipelines.port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      for (let n = 0; n < 5; n++)
        socket.write(
          i % 3 === 0
            ? rubbish(chance.below(5000))
            : i % 3 === 1
              ? '['.repeat(chance.below(30_000))
              : `{"a":${'"\\u0000'.repeat(chance.below(1000))}\n`,
        );
      await new Promise<void>((resolve) =>
        i % 2 ? socket.end(() => resolve()) : setImmediate(() => resolve(void socket.destroy())),
      );
    }),
  );
  // One that never ends its line holds nobody up.
  const slow = connect(pipelines.port, '127.0.0.1');
  slow.write('{"msg":"slo');
  await send(pipelines.port, '{"msg":"alive"}\n');
  await until(() => store.messages().includes('alive'));
  slow.destroy();
  await until(() => pipelines.stats().connections === 0 && pipelines.stats().queueLines === 0);
  expect(said.filter((line) => line.includes('ended'))).toEqual([]);
  expect(pipelines.stats().delivered).toBe(pipelines.stats().accepted);
});

it('runs several side by side on one port, each with its queue', async () => {
  const { store, pipelines } = await start({ replicas: 3 });
  await Promise.all(Array.from({ length: 40 }, (_, i) => send(pipelines.port, `{"msg":"${i}"}\n`)));
  await until(() => store.lines.length === 40);
  expect(new Set(store.messages()).size).toBe(40);
  await until(() => pipelines.stats().delivered === 40);

  store.reply(() => [400, 'no']);
  await Promise.all(Array.from({ length: 6 }, (_, i) => send(pipelines.port, `{"msg":"dead ${i}"}\n`)));
  await until(() => pipelines.stats().dead === 6);
  const { items, totalItems } = await pipelines.deadLetters.list({ page: 0, size: 4 });
  expect([items.length, totalItems]).toEqual([4, 6]);
  store.reply(() => [200, '']);
  expect(await pipelines.deadLetters.replay([items[0]?.id as string])).toEqual({ replayed: 1 });
  expect(await pipelines.deadLetters.discard([items[1]?.id as string, 'none', '9:none'])).toEqual({ discarded: 1 });
  expect(await pipelines.deadLetters.replay(null)).toEqual({ replayed: 4 });
  await until(() => store.lines.length === 45);
});

it('delivers what was left by pipelines that run no more', async () => {
  const own = folder();
  const { store, pipelines } = await start({ folder: own, replicas: 3 });
  store.reply((lines) => (lines.join().includes('dead') ? [400, 'no'] : [503, 'away']));
  await Promise.all(Array.from({ length: 30 }, (_, i) => send(pipelines.port, `{"msg":"${i}"}\n`)));
  await until(() => pipelines.stats().queueLines === 30);
  await pipelines.close();
  appendFileSync(
    join(own, '2', 'dead-letters.ndjson'),
    `${JSON.stringify({ id: 'left', at: new Date(0).toISOString(), status: 400, reason: 'no', line: '{}', bytes: 2 })}\n`,
  );

  const fewer = await start({ folder: own, replicas: 1 });
  await until(() => fewer.store.lines.length === 30);
  expect(new Set(fewer.store.messages()).size).toBe(30);
  expect(readdirSync(own)).toEqual(['0']);
  expect((await fewer.pipelines.deadLetters.list({ page: 0, size: 9 })).items.map(({ id }) => id)).toEqual(['0:left']);
});

it.each([1, 2])('names a port that is taken, with %i pipelines', async (replicas) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise((resolve) => holder.close(() => resolve())));
  const { port } = holder.address() as AddressInfo;
  await expect(start({ port, replicas })).rejects.toThrow(new RegExp(`port ${port} for the log pipeline is in use`));
});
