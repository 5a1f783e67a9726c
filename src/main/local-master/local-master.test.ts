import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { LocalStatus } from '../../contract/ipc.ts';
import type { LocalFile } from '../../contract/process.ts';
import { createLocalMaster, type LocalMaster } from './local-master.ts';
import type { MasterListener, StartProcess } from './master-process.ts';

const ports = { master: 1, logStore: null, metrics: null, logstash: 2 };
const ready = JSON.stringify({ event: 'ready', url: 'http://127.0.0.1:1', token: 'ymt_1', ports, pid: 42 });

/** Stands for the processes: each start is kept, the test says what it does. */
function processes() {
  const started: { args: readonly string[]; listener: MasterListener; stopped: number }[] = [];
  const start: StartProcess = (args, listener) => {
    const one = { args, listener, stopped: 0 };
    started.push(one);
    return { pid: () => 42, stop: () => void one.stopped++, kill: () => listener.ended('SIGKILL', null) };
  };
  const last = () => started.at(-1) as (typeof started)[number];
  return { started, start, last };
}
function cluster(start: StartProcess | null, find: () => Promise<LocalFile | null> = async () => null) {
  return createLocalMaster({
    start,
    args: () => ['--port', '0'],
    dataFolder: '/data',
    find,
    stopSeconds: 30,
    backoff: { firstMs: 1, mostMs: 4 },
  });
}
const until = (local: LocalMaster, holds: (status: LocalStatus) => boolean) =>
  new Promise<LocalStatus>((resolve) => {
    if (holds(local.status())) resolve(local.status());
    else local.onChange((status) => holds(status) && resolve(status));
  });

let server: Server | undefined;
afterEach(() => server?.close());

test('it runs once the ready line came, and only then has a target', async () => {
  const { start, last } = processes();
  const local = cluster(start);
  await local.start();
  expect([local.status().state, local.target()]).toEqual(['starting', null]);
  expect(last().args).toEqual(['master', '--json', '--port', '0']);
  last().listener.line(ready);
  expect(local.status()).toMatchObject({ state: 'running', pid: 42, adopted: false });
  expect(local.target()).toEqual({ url: 'http://127.0.0.1:1', token: 'ymt_1' });
});

test('who asks while it starts waits until it serves, has failed, or for as long as they said', async () => {
  const { start, started, last } = processes();
  const local = cluster(start);
  await local.started(60_000);
  await local.start();
  const told: string[] = [];
  const waiting = local.started(60_000).then(() => told.push(local.status().state));
  await local.started(1);
  expect(told).toEqual([]);
  last().listener.line(ready);
  await waiting;
  expect(told).toEqual(['running']);
  await local.started(60_000);
  last().listener.ended('SIGKILL', null);
  await until(local, ({ state }) => state === 'starting' && started.length === 2);
  const failing = local.started(60_000);
  last().listener.ended('exit 2', 2);
  await failing;
  expect(local.status().state).toBe('failed');
});

test('an unasked end is told with its last word, and restarting in', async () => {
  const { start, started, last } = processes();
  const local = cluster(start);
  await local.start();
  last().listener.line(ready);
  last().listener.logLine('{"detail":"the disk is full","code":"X"}');
  last().listener.ended('SIGKILL', null);
  expect(local.status()).toMatchObject({ state: 'restarting', restarts: 1, url: null });
  expect(local.status().message).toContain('SIGKILL): the disk is full; restarting in');
  expect(local.target()).toBeNull();
  const starting = await until(local, (s) => s.state === 'starting' && started.length === 2);
  expect(starting.message).toBe('the master exited (SIGKILL): the disk is full');
  last().listener.line(ready);
  expect(local.status()).toMatchObject({ state: 'running', message: null });
});

test('what it said long before its end is not told as the reason', async () => {
  const { start, last } = processes();
  const local = cluster(start);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await local.start();
    last().listener.line(ready);
    last().listener.logLine('added 3 example workflows');
    vi.advanceTimersByTime(60_000);
    last().listener.ended('SIGKILL', null);
    expect(local.status().message).toMatch(/^the master exited \(SIGKILL\); restarting in/);
  } finally {
    vi.useRealTimers();
    await local.stop();
  }
});

test('ends before it ever served are not repeated for ever; starting by hand tries anew', async () => {
  const { start, started, last } = processes();
  const local = cluster(start);
  local.onChange((s) => {
    if (s.state === 'starting' && s.pid === 42) queueMicrotask(() => last().listener.ended('exit 1', 1));
  });
  await local.start();
  const failed = await until(local, (s) => s.state === 'failed');
  expect([started.length, failed.message]).toEqual([3, 'the master exited (exit 1)']);
  void local.start();
  await until(local, (s) => s.state === 'starting');
});

test('a data folder that another master has is waited for, for as long as it takes, and nothing of it counts as a fault', async () => {
  const { start, started, last } = processes();
  const local = cluster(start);
  const states: string[] = [];
  local.onChange((s) => {
    if (s.state === 'starting' && s.pid === 42 && started.length <= 5)
      queueMicrotask(() => {
        last().listener.logLine(
          '{"detail":"another master (process 7) uses the data folder","code":"DATA_FOLDER_LOCKED"}',
        );
        last().listener.ended('exit 1', 1);
      });
    states.push(s.state);
  });
  await local.start();
  const waiting = await until(local, (s) => s.message !== null);
  expect(waiting).toMatchObject({ state: 'starting', message: 'another master (process 7) uses the data folder' });
  await until(local, (s) => s.pid === 42 && started.length === 6);
  last().listener.line(ready);
  expect(local.status()).toMatchObject({ state: 'running', message: null, restarts: 0 });
  expect(new Set(states)).toEqual(new Set(['starting', 'running']));
});

test('wrong usage fails at once', async () => {
  const { start, last } = processes();
  const local = cluster(start);
  await local.start();
  last().listener.ended('exit 2', 2);
  expect(local.status().state).toBe('failed');
});

test('stop asks it to end, waits for it, and does not start it again', async () => {
  const { start, started, last } = processes();
  const local = cluster(start);
  await local.start();
  last().listener.line(ready);
  const stopped = local.stop();
  expect([local.status().state, last().stopped]).toEqual(['stopping', 1]);
  last().listener.ended('exit 0', 0);
  await stopped;
  expect([local.status().state, started.length]).toEqual(['off', 1]);
});

test('a master that is there already is adopted, and let go by a stop', async () => {
  server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { start, started } = processes();
  const local = cluster(start, async () => ({
    url,
    token: 't',
    ports,
    pid: 7,
    startedAt: '',
    apiKey: null,
    proofKey: 'key',
  }));
  await local.start();
  expect(local.status()).toMatchObject({ state: 'running', adopted: true, pid: 7, url });
  await local.stop();
  expect([local.status().state, started.length]).toEqual(['off', 0]);
});

test('an Electron that cannot run it says what helps', async () => {
  const local = cluster(null);
  await local.start();
  expect(local.status()).toMatchObject({ state: 'failed' });
  expect(local.status().message).toContain('YARDMASTER_NODE');
});

test('the code of what ends it is told, with the arguments of each start asked for anew', async () => {
  const { start, started, last } = processes();
  let port = 8700;
  const local = createLocalMaster({
    start,
    args: () => ['--port', String(port)],
    dataFolder: '/data',
    find: async () => null,
    stopSeconds: 30,
    backoff: { firstMs: 1, mostMs: 4 },
  });
  await local.start();
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until(local, ({ state }) => state === 'starting' && started.length === attempt);
    last().listener.logLine('{"detail":"port 8700 is in use","code":"PORT_TAKEN"}');
    last().listener.ended('exit 1', 1);
    expect(local.status().code).toBe('PORT_TAKEN');
  }
  expect(local.status().state).toBe('failed');
  port = 8701;
  await local.start();
  expect(last().args).toContain('8701');
  last().listener.line(ready);
  expect(local.status()).toMatchObject({ state: 'running', code: null, ports });
});
