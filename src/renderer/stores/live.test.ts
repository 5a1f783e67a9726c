import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive } from './live.ts';

/** A stream that opens or fails when it is told to, as the browser's does. */
class Stream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static made: Stream[] = [];
  readyState = 0;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Stream.made.push(this);
  }
  say(name: string, data: unknown, id: string) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: id }));
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
const probe = (signal: AbortSignal) =>
  hangs
    ? new Promise<boolean>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    : Promise.resolve(answers);
const start = (client = new QueryClient()) => {
  const live = createLive({ client, url: '/api/v1/stream', between: null, probe, now: Date.now });
  live.start();
  return live;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('window', new EventTarget());
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

test('a master that hangs from the first moment is offline within twenty seconds, and followed as soon as it answers', async () => {
  hangs = true;
  const live = start();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(live.store.getState().mode).toBe('offline');
  hangs = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(Stream.made.length).toBe(2);
  newest().become('open');
  expect(live.store.getState().mode).toBe('live');
  live.stop();
});

test('where requests are answered and the stream never opens, the page says that it polls, and lives once it opens', async () => {
  const live = start();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([live.store.getState().mode, Stream.made.length]).toEqual(['polling', 1]);
  newest().become('open');
  expect(live.store.getState().mode).toBe('live');
  live.stop();
});

test('reads that a master holds up are given up once it hangs', async () => {
  const client = new QueryClient();
  const live = start(client);
  newest().become('open');
  const read = ({ signal }: { signal: AbortSignal }) =>
    new Promise<number>((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  const given = client.fetchQuery({ queryKey: ['x'], queryFn: read }).catch(() => 'given up');
  hangs = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await given).toBe('given up');
  live.stop();
});

test('the stream goes on after the last change, also by another connection and for a machine that slept', async () => {
  const live = start();
  expect(newest().url).toBe('/api/v1/stream?after=now');
  newest().become('open');
  newest().say('cursor', {}, '41');
  newest().say('reset', {}, '42');
  live.retryNow();
  expect(newest().url).toBe('/api/v1/stream?after=42');
  newest().become('open');
  const made = Stream.made.length;
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect([Stream.made.length, newest().url]).toEqual([made + 1, '/api/v1/stream?after=42']);
  live.stop();
});

test('a master of before, which knows no place to go on from, is followed without', async () => {
  const live = start();
  newest().become('closed');
  await vi.advanceTimersByTimeAsync(1000);
  expect(newest().url).toBe('/api/v1/stream');
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

test('what changes while it is read is read once more when that read has ended, and then left alone', async () => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16));
  const client = new QueryClient();
  const reads: PromiseWithResolvers<string>[] = [];
  const observed = new QueryObserver(client, {
    queryKey: ['jobs', 'one', '1'],
    queryFn: () => {
      const read = Promise.withResolvers<string>();
      reads.push(read);
      return read.promise;
    },
    staleTime: Infinity,
  }).subscribe(() => {});
  const live = start(client);
  newest().become('open');
  const before = reads.length;
  newest().say('job', { id: '1', status: 'FAILED', finishedAt: null }, '1-1');
  // Longer than a round: the change must not be forgotten with the first.
  await vi.advanceTimersByTimeAsync(2500);
  expect(reads.length).toBe(before);
  reads.at(-1)?.resolve('older than the change');
  await vi.advanceTimersByTimeAsync(1100);
  expect(reads.length).toBe(before + 1);
  reads.at(-1)?.resolve('as it is now');
  await vi.advanceTimersByTimeAsync(5000);
  expect([reads.length, client.getQueryData(['jobs', 'one', '1'])]).toEqual([before + 1, 'as it is now']);
  observed();
  live.stop();
});

test('what a page read before its stream was open is read once more, soon after it shows', async () => {
  const client = new QueryClient();
  const read = vi.fn<() => number>(() => 1);
  const observed = new QueryObserver(client, { queryKey: ['jobs', 'one', '1'], queryFn: read, staleTime: Infinity });
  const gone = observed.subscribe(() => {});
  const live = start(client);
  await vi.advanceTimersByTimeAsync(100);
  newest().become('open');
  await vi.advanceTimersByTimeAsync(500);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(2);
  gone();
  live.stop();
});

test('a master that went as soon as its stream was open is asked for everything once it is back', async () => {
  const client = new QueryClient();
  await client.fetchQuery({ queryKey: ['fleet', 'look', 'a'], queryFn: () => 1 });
  const live = start(client);
  newest().become('open');
  answers = false;
  newest().become('closed');
  await vi.advanceTimersByTimeAsync(4000);
  expect(live.store.getState().mode).toBe('offline');
  expect(client.getQueryState(['fleet', 'look', 'a'])?.isInvalidated).toBe(false);
  answers = true;
  await vi.advanceTimersByTimeAsync(20_000);
  newest().become('open');
  expect(client.getQueryState(['fleet', 'look', 'a'])?.isInvalidated).toBe(true);
  live.stop();
});
