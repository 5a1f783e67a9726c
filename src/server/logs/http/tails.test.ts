import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { createLogs } from '../logs.ts';
import type { LogRun } from '../store/port.ts';
import { NOW, openLogHttp } from './serve.fixture.ts';
import { createLogHttp } from './serve.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Follows a query; `messages` are those that were told. */
function follower(url: string, args: string) {
  const state = { messages: [] as string[], text: '', ended: false, response: null as IncomingMessage | null };
  const request = httpGet(`${url}/select/logsql/tail?${args}`, { agent: false }, (response) => {
    state.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      state.text += chunk;
      const lines = state.text.split('\n');
      state.text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{')) state.messages.push(JSON.parse(line)._msg);
    });
    response.on('close', () => (state.ended = true));
  });
  request.on('error', () => (state.ended = true));
  opened.push(async () => void request.destroy());
  return state;
}
async function until(what: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; !what();) {
    if (Date.now() > deadline) throw new Error('it never came about');
    await delay(10);
  }
}

/** The port over a real store, at a time that the test sets. */
async function port() {
  const clock = { at: NOW, now: () => clock.at };
  const logs = await createLogs({ folder: temporaryFolder('tails'), limits: LIMITS, clock });
  opened.push(() => logs.close());
  const runs: LogRun[] = [];
  const store = {
    ...logs,
    run(run: LogRun, signal: AbortSignal) {
      runs.push(run);
      return logs.run(run, signal);
    },
  };
  const http = createLogHttp({ store, limits: LIMITS, clock, onError: () => {} });
  const server = createServer(http.handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  opened.push(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function write(...lines: readonly (readonly [ms: number, message: string])[]): Promise<void> {
    const body = lines.map(([ms, _msg]) => JSON.stringify({ _msg, _time: new Date(ms).toISOString() })).join('\n');
    expect((await fetch(`${url}/insert/jsonline`, { method: 'POST', body })).status).toBe(200);
  }
  return { clock, url, write, runs };
}
const ARGS = 'query=*&refresh_interval=50ms';

it('tells each line once: those that come late, and those that are not due yet', async () => {
  const { clock, url, write, runs } = await port();
  await write([NOW - 9000, 'before'], [NOW - 500, 'soon']);
  const one = follower(url, `${ARGS}&offset=1s`);
  await until(() => one.response !== null);
  clock.at += 1000;
  await until(() => one.messages.length === 1);
  // Of times that were looked at already, or that are to come.
  await write([NOW - 500, 'late'], [NOW + 5000, 'ahead'], [NOW - 3_600_000, 'an hour ago']);
  await until(() => one.messages.length === 2);
  clock.at += 10_000;
  await until(() => one.messages.length === 3);
  await write([NOW + 9999, 'last']);
  await until(() => one.messages.length === 4);
  expect(one.messages).toEqual(['soon', 'late', 'ahead', 'last']);
  expect(runs.every(({ arrivals }) => arrivals !== undefined)).toBe(true);
});

it('goes on where the clock was set back, and tells nothing again when it comes there once more', async () => {
  const { clock, url, write } = await port();
  await write([NOW - 100, 'first']);
  const one = follower(url, `${ARGS}&offset=0s`);
  await until(() => one.messages.length === 1);
  clock.at -= 3_600_000;
  await write([clock.at - 100, 'an hour before']);
  await until(() => one.messages.length === 2);
  clock.at += 3_600_000;
  await write([clock.at - 50, 'there again']);
  await until(() => one.messages.length === 3);
  expect(one.messages).toEqual(['first', 'an hour before', 'there again']);
});

it('gives a burst whole', async () => {
  const { url, write } = await port();
  const one = follower(url, `${ARGS}&offset=0s`);
  await until(() => one.response !== null);
  for (let n = 0; n < 6; n++) await write(...Array.from({ length: 20_000 }, (_, i) => [NOW - 1, `${n} ${i}`] as const));
  await until(() => one.messages.length === 120_000);
  expect(new Set(one.messages).size).toBe(120_000);
}, 60_000);

it('looks once for all who follow the same', async () => {
  const { url, state, runs } = await openLogHttp(opened);
  state.arrived = 1;
  let looks = 0;
  state.pages = async function* ({ query }) {
    if (query === 'same') yield Buffer.from(`{"_msg":"${looks++}"}\n`);
  };
  const args = 'query=same&refresh_interval=200ms&offset=0s';
  const all = Array.from({ length: 10 }, () => follower(url, args));
  await until(() => all.every(({ messages }) => messages.length > 5));
  const [last] = all.map(({ messages }) => messages).toSorted((a, b) => a.length - b.length);
  // What they were told last was the same for all.
  for (const { messages } of all) expect(messages).toContain(last?.at(-1));
  const own = 10;
  expect(runs.length).toBeLessThan(own + 3 * (last?.length ?? 0));
});

it('lets one that reads nothing keep nobody waiting, and hangs up on it where too much waits for it', async () => {
  const { url, state } = await openLogHttp(opened);
  state.arrived = 1;
  expect(state.tailsEnded).toBe(0);
  let flood = false;
  state.pages = async function* () {
    for (let n = 0; flood && n < 200; n++) yield Buffer.from(`{"_msg":"${'x'.repeat(250_000)}"}\n`);
    flood = false;
  };
  const args = 'query=same&refresh_interval=50ms&offset=0s';
  const [quick, frozen] = [follower(url, args), follower(url, args)];
  await until(() => quick.response !== null && frozen.response !== null);
  frozen.response?.pause();
  await delay(200);
  flood = true;

  await until(() => quick.messages.length === 200);
  frozen.response?.resume();
  await until(() => frozen.ended);
  expect([quick.ended, frozen.messages.length < 200]).toEqual([false, true]);
  expect(state.tailsEnded).toBe(1);
}, 60_000);
