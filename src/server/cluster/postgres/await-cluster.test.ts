import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import { freshDatabase, query } from '../../testing/postgres.fixture.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.fixture.ts';
import { systemTime } from '../time.ts';
import { awaitCluster } from './await-cluster.ts';
import { joinCluster } from './join-cluster.ts';

/** Time that passes as soon as somebody sleeps. */
function quickTime() {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    steady: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
  };
}

const fault = (cause: object, message = 'cannot be reached') =>
  new Fault('POSTGRES_UNREACHABLE', message, { cause: Object.assign(new Error('as the driver says'), cause) });

/** What a master that fails so, each time or as often as there are causes, says and does. */
async function waits(cause: object, waitSeconds: number) {
  const log: string[] = [];
  const time = quickTime();
  const joined = await awaitCluster({
    join: () => Promise.reject(fault(cause)),
    waitSeconds,
    log: (line) => void log.push(line),
    time,
  }).catch((error: unknown) => error as Fault);
  return { joined, log, slept: time.slept };
}

it('serves once PostgreSQL is there, and says in one line that it waits', async () => {
  const database = await freshDatabase();
  const proxy = await startTcpProxy(Number(new URL(database.url).port));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  try {
    await proxy.cut();
    const log: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const joined = awaitCluster({
      join: () => joinCluster(url.href, 'a key', null),
      waitSeconds: 60,
      log(line) {
        log.push(line);
        waiting.resolve();
      },
      time: systemTime(),
    });
    await waiting.promise;
    await proxy.heal();
    expect(await joined).toMatch(/^[0-9a-f-]{36}$/);
    expect(log).toEqual([
      expect.stringMatching(/cannot be reached .*ECONNREFUSED.*; waiting for it for up to 60 s$/),
      expect.stringMatching(/^PostgreSQL answers after \d+\.\d s$/),
    ]);
    expect(await query(database.url, 'SELECT id FROM yardmaster.cluster')).toHaveLength(1);
  } finally {
    await proxy.close();
    await database.drop();
  }
});

it('gives up with a clear error after the time it is given', async () => {
  const { joined, log, slept } = await waits({ code: 'ENOTFOUND' }, 10);
  expect(joined).toMatchObject({ code: 'POSTGRES_UNREACHABLE' });
  expect((joined as Fault).message).toMatch(/^cannot be reached.*waited for it for 10 s .*POSTGRES_WAIT_SECONDS/);
  expect(log).toHaveLength(1);
  expect(slept.slice(0, 5)).toEqual([250, 500, 1000, 2000, 3000]);
  expect(slept.reduce((sum, ms) => sum + ms)).toBe(10_000);
});

it.each([
  ['a server that starts', { code: '57P03' }],
  ['a server without a free connection', { code: '53300' }],
  ['a network that answers nothing', { message: 'timeout expired' }],
  ['a server that went away meanwhile', { message: 'Connection terminated unexpectedly' }],
])('waits for %s', async (_, cause) => {
  expect((await waits(cause, 1)).log).toHaveLength(1);
});

it.each([
  ['a wrong password', { code: '28P01' }],
  ['no such database', { code: '3D000' }],
  ['a certificate that is not trusted', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
  ['no TLS there', { message: 'The server does not support SSL connections' }],
])('does not wait where waiting does not mend it: %s', async (_, cause) => {
  const { joined, log, slept } = await waits(cause, 60);
  expect(joined).toBeInstanceOf(Fault);
  expect([...log, ...slept]).toEqual([]);
});

it('does not wait for another cluster, for a server too old, or where it is told not to', async () => {
  const { slept } = await waits({ code: 'ECONNREFUSED' }, 0);
  expect(slept).toEqual([]);
  const time = quickTime();
  const refused = awaitCluster({
    join: () => Promise.reject(new Fault('CLUSTER_DIFFERS', 'another cluster')),
    waitSeconds: 60,
    log: () => {},
    time,
  });
  await expect(refused).rejects.toThrow('another cluster');
  expect(time.slept).toEqual([]);
});

it('stops to wait when its master is to end', async () => {
  const stop = new AbortController();
  const joined = awaitCluster({
    join: () => Promise.reject(fault({ code: 'ECONNREFUSED' })),
    waitSeconds: 60,
    stopped: stop.signal,
    log: () => stop.abort(),
    time: { steady: () => 0, sleep: () => new Promise(() => {}) },
  });
  expect(await joined.catch((error: unknown) => error)).toBe(stop.signal.reason);
});
