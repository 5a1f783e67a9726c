import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isMasterAnswering } from './probe.ts';

let answers: (Response | Error)[];
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => {
    const next = answers.shift() ?? new TypeError('fetch failed');
    if (next instanceof Error) throw next;
    return next;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const page = (status: number) => new Response('<h1>gateway</h1>', { status, headers: { 'content-type': 'text/html' } });
async function asked() {
  let done = false;
  const answer = isMasterAnswering(new AbortController().signal).finally(() => (done = true));
  // Bodies are read between timers: how many steps that takes is not known.
  while (!done) await vi.advanceTimersByTimeAsync(100);
  return answer;
}

it('a proxy that has no master for a moment is no outage; one that has none for longer is', async () => {
  answers = [page(502), page(504), new Response('{"status":"ok"}')];
  expect(await asked()).toBe(true);
  answers = [page(502), page(502), page(502), page(502), new Response('{}')];
  expect(await asked()).toBe(false);
});

it('a master that refuses answers; one that is not there, or broken, does not, and is not asked twice', async () => {
  answers = [new Response('{"code":"TOKEN_MISSING"}', { status: 401 })];
  expect(await asked()).toBe(true);
  answers = [new TypeError('fetch failed'), new Response('{}')];
  expect(await asked()).toBe(false);
  answers = [new Response('{"code":"INTERNAL"}', { status: 500 }), new Response('{}')];
  expect(await asked()).toBe(false);
});
