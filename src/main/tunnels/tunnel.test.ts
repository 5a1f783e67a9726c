import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { portOf } from '../../lib/listen-on-port.ts';
import { Fault } from '../../lib/fault.ts';
import { createTunnel, type Attempt, type Link, type TunnelDeps } from './tunnel.ts';

/** A master of a test, and links to it that a test can break. */
async function openWorld(deps: Partial<TunnelDeps> = {}) {
  const master = createServer((asked, answer) => answer.end(`you asked for ${asked.url}`));
  master.listen(0, '127.0.0.1');
  await once(master, 'listening');
  const attempts: Attempt[] = [];
  const waits: (() => void)[] = [];
  let fault: Error | null = null;
  const link = (): Link => {
    const sockets = new Set<Socket>();
    return {
      through: `way ${attempts.length}`,
      token: 'theirs',
      async dial() {
        const socket = connect(portOf(master), '127.0.0.1');
        sockets.add(socket);
        await once(socket, 'connect');
        return socket;
      },
      close: () => sockets.forEach((socket) => socket.destroy()),
    };
  };
  const tunnel = createTunnel({
    isLasting: (error) => error instanceof Fault,
    async open(attempt) {
      attempts.push(attempt);
      if (fault) throw fault;
      return link();
    },
    after(_ms, run) {
      waits.push(run);
      return () => void waits.splice(waits.indexOf(run), 1);
    },
    ...deps,
  });
  onTestFinished(() => {
    tunnel.close();
    master.close();
  });
  const state = () => tunnel.status().state;
  return {
    tunnel,
    attempts,
    waits,
    state,
    fail: (error: Error | null) => (fault = error),
    opened: () => vi.waitFor(() => expect(state()).toBe('open')),
  };
}

const get = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

test('it opens when it is first asked for, and stays at one address of loopback however often it breaks', async () => {
  const { tunnel, attempts, opened } = await openWorld();
  expect([tunnel.status().state, attempts.length]).toEqual(['idle', 0]);
  expect(tunnel.target()).toBeNull();
  await opened();
  const first = tunnel.target();
  expect(first).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), token: 'theirs' });
  expect(await get(`${first?.url}/a`)).toBe('you asked for /a');
  attempts[0]?.lost(new Error('the pod is gone'));
  await opened();
  expect(attempts).toHaveLength(2);
  expect(tunnel.target()?.url).toBe(first?.url);
  expect(await get(`${first?.url}/b`)).toBe('you asked for /b');
});

test('no other address of this machine leads to it', async () => {
  const { tunnel, opened } = await openWorld();
  tunnel.target();
  await opened();
  const port = Number(new URL(tunnel.target()?.url ?? '').port);
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) {
    const socket = connect(port, address);
    await expect(once(socket, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EHOSTUNREACH/);
  }
});

test('a failure is tried again after a wait, and says why meanwhile', async () => {
  const { tunnel, waits, fail, state, opened } = await openWorld();
  fail(new Error('no route'));
  tunnel.target();
  await tunnel.settled(60_000);
  expect(tunnel.status()).toEqual({ state: 'waiting', message: 'no route', through: null });
  fail(null);
  expect(waits).toHaveLength(1);
  waits[0]?.();
  expect(state()).toBe('connecting');
  await opened();
});

test('a failure that somebody must mend is not tried again until they ask', async () => {
  const { tunnel, waits, fail, state, opened } = await openWorld();
  fail(new Fault('SSH_AUTH_REFUSED', 'your keys are refused'));
  tunnel.target();
  await tunnel.settled(60_000);
  expect([state(), waits.length]).toEqual(['failed', 0]);
  tunnel.target();
  expect(state()).toBe('failed');
  fail(null);
  tunnel.retry();
  await opened();
});

test('a connection that comes while a lost way is opened anew waits for it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let openings = 0;
  const master = createServer((_asked, answer) => answer.end('here'));
  master.listen(0, '127.0.0.1');
  await once(master, 'listening');
  onTestFinished(() => void master.close());
  const { tunnel, opened } = await openWorld({
    async open() {
      const broken = ++openings === 1;
      if (!broken) await held;
      return {
        through: 'way',
        token: null,
        async dial() {
          if (broken) throw new Error('the pod went away');
          const socket = connect(portOf(master), '127.0.0.1');
          await once(socket, 'connect');
          return socket;
        },
        close() {},
      };
    },
  });
  tunnel.target();
  await opened();
  const { url } = tunnel.target() ?? { url: '' };
  const answer = get(url);
  await vi.waitFor(() => expect(openings).toBe(2));
  expect(tunnel.status()).toMatchObject({ state: 'connecting', message: 'the pod went away' });
  release();
  expect(await answer).toBe('here');
});

test('what was closed takes no more connections, and a way that opens late is closed', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const closed = vi.fn<() => void>();
  const asked = vi.fn<() => void>();
  const { tunnel } = await openWorld({
    async open() {
      asked();
      await held;
      return { through: 'way', token: null, dial: () => Promise.reject(new Error('never')), close: closed };
    },
  });
  tunnel.target();
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  tunnel.close();
  release();
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(tunnel.status().state).toBe('idle');
});
