import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive } from './live.ts';

/** A stream that opens or fails when it is told to, as the browser's does. */
class Stream extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static made: Stream[] = [];
  readyState = 0;
  constructor() {
    super();
    Stream.made.push(this);
  }
  become(state: 'open' | 'closed') {
    this.readyState = state === 'open' ? 1 : 2;
    this.dispatchEvent(new Event(state === 'open' ? 'open' : 'error'));
  }
  close() {
    this.readyState = 2;
  }
}
const newest = () => Stream.made.at(-1)!;

let answers = true;
/** It takes requests and never answers. */
let hangs = false;
const probe = (signal: AbortSignal) => (hangs ? new Promise<boolean>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))) : Promise.resolve(answers));
const start = (client = new QueryClient()) => {
  const live = createLive({ client, url: '/api/v1/stream', probe, now: Date.now });
  live.start();
  return live;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  Stream.made = [];
  answers = true;
  hangs = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a master that answers again after a long silence is followed with the next look, not after the pause that has grown', async () => {
  const live = start();
  newest().become('open');
  expect(live.store.getState().mode).toBe('live');
  answers = false;
  newest().become('closed');
  // Each try fails; the pauses between them grow to 15 s.
  for (let second = 0; second < 40; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    if (newest().readyState === 0) newest().become('closed');
  }
  expect(live.store.getState().mode).toBe('offline');
  answers = true;
  const tries = Stream.made.length;
  await vi.advanceTimersByTimeAsync(5000);
  expect(Stream.made.length).toBe(tries + 1);
  newest().become('open');
  expect(live.store.getState().mode).toBe('live');
  live.stop();
});

test('a master that hangs is offline though its stream is open, and followed again when it answers', async () => {
  const live = start();
  newest().become('open');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([live.store.getState().mode, Stream.made.length]).toEqual(['live', 1]);
  hangs = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(live.store.getState().mode).toBe('offline');
  hangs = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(Stream.made.length).toBe(2);
  newest().become('open');
  expect(live.store.getState().mode).toBe('live');
  live.stop();
});

test('where the stream alone is refused, its tries stay apart', async () => {
  const live = start();
  newest().become('closed');
  for (let second = 0; second < 60; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    if (newest().readyState === 0) newest().become('closed');
  }
  expect(live.store.getState().mode).toBe('polling');
  expect(Stream.made.length).toBeLessThan(10);
  live.stop();
});

test('reading everything again reads also what the stream does not bring', async () => {
  const client = new QueryClient();
  const read = vi.fn<() => number>(() => 1);
  await client.fetchQuery({ queryKey: ['fleet', 'look', 'a'], queryFn: read });
  const live = start(client);
  live.retryNow();
  expect(client.getQueryState(['fleet', 'look', 'a'])?.isInvalidated).toBe(true);
  live.stop();
});
