import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LogRecord } from '../../../../contract/logs.ts';
import { createLogBuffer, type LogBuffer } from './buffer.ts';
import { follow } from './follow.ts';
import type { TakeSlot } from './tail-slots.ts';

const START = Date.UTC(2026, 0, 1);
const line = (n: number): LogRecord => ({ _time: new Date(START + n * 1000).toISOString(), _msg: `line ${n}` });
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i));

/** A store that is searched, and a stream that is told what to send. */
let stored: LogRecord[];
let stream: Stream;
let searches: number;
/** Called while a search is under way. */
let meanwhile: () => void;
class Stream {
  static readonly CLOSED = 2;
  readyState = 0;
  onopen = () => {};
  onerror = () => {};
  onmessage = (_message: { data: string }) => {};
  dropped = (_message: { data: string }) => {};
  addEventListener(_name: string, run: (message: { data: string }) => void) {
    this.dropped = run;
  }
  closed = false;
  close() {
    this.closed = true;
  }
}
/** The page that shows it. */
let page: EventTarget & { hidden: boolean };
const see = (seen: boolean) => {
  page.hidden = !seen;
  page.dispatchEvent(new Event('visibilitychange'));
};
/** Places for streams; null: they need none. */
let takeSlot: TakeSlot | null;

let stop: AbortController;
let buffer: LogBuffer;
let gaps: number;
const states: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  stored = [];
  searches = 0;
  gaps = 0;
  states.length = 0;
  page = Object.assign(new EventTarget(), { hidden: false });
  takeSlot = null;
  meanwhile = () => {};
  vi.stubGlobal(
    'EventSource',
    Object.assign(
      function open() {
        return (stream = new Stream());
      },
      { CLOSED: Stream.CLOSED },
    ),
  );
  vi.stubGlobal('fetch', async (path: string) => {
    searches++;
    const query = new URL(path, 'http://h').searchParams;
    const from = Number(query.get('cursor') ?? 0);
    const found = stored
      .filter(({ _time }) => _time >= (query.get('from') ?? ''))
      .slice(from, from + Number(query.get('limit')));
    const more = stored.filter(({ _time }) => _time >= (query.get('from') ?? '')).length > from + found.length;
    meanwhile();
    return new Response(
      JSON.stringify({
        query: '*',
        from: null,
        to: null,
        records: found,
        nextCursor: more ? String(from + found.length) : null,
      }),
    );
  });
  stop = new AbortController();
  buffer = createLogBuffer({ records: 100_000, characters: 1e9, schedule: (run) => run() });
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const begin = () =>
  follow({
    filters: {},
    buffer,
    signal: stop.signal,
    takeSlot,
    page: page as unknown as Document,
    onState: (state) => states.push(state),
    onLag: () => {},
    onGap: () => gaps++,
  });
const arrive = (...records: LogRecord[]) => {
  stored.push(...records);
  stream.onmessage({ data: JSON.stringify(records) });
};
const held = () => {
  const { first, end } = buffer.bounds();
  return Array.from({ length: end - first }, (_, i) => Number(buffer.message(first + i).slice(5)));
};
const settle = () => vi.advanceTimersByTimeAsync(6000);

it('shows what came between the search and the stream, before what streams in meanwhile', async () => {
  stored = lines(1, 5);
  buffer.addOlder(lines(1, 3).reverse());
  begin();
  // Found by the search and sent by the stream: shown once.
  meanwhile = () =>
    void ((meanwhile = () => {}),
    stream.onmessage({ data: JSON.stringify([line(5)]) }),
    stream.onmessage({ data: JSON.stringify([line(6)]) }));
  stream.onopen();
  await settle();
  expect(held()).toEqual([1, 2, 3, 4, 5, 6]);
});

it('fills what came while the stream was down, and shows nothing twice', async () => {
  begin();
  stream.onopen();
  await settle();
  arrive(line(1), line(2));
  arrive(line(2));
  await settle();
  stream.onerror();
  stored.push(...lines(3, 40), line(40));
  stream.onopen();
  await settle();
  arrive(line(41));
  await settle();
  // A line that was written twice stays twice.
  expect(held()).toEqual([1, 2, 2, ...lines(3, 40).map((_, i) => i + 3), 40, 41]);
  expect([states, gaps]).toEqual([['live', 'broken', 'live'], 0]);
});

it('opens the stream again where the answer was none', async () => {
  begin();
  const first = stream;
  first.readyState = Stream.CLOSED;
  first.onerror();
  await settle();
  expect(stream).not.toBe(first);
});

it('looks for what the stream left out, and tells of a gap that is too long', async () => {
  begin();
  stream.onopen();
  await settle();
  arrive(line(1));
  await settle();
  stored.push(line(2), line(3));
  stream.dropped({ data: '{"count":2}' });
  expect(buffer.snapshot().missed).toBe(2);
  await settle();
  expect([held(), buffer.snapshot().missed]).toEqual([[1, 2, 3], 0]);

  stored.push(...lines(4, 30_000));
  stream.onopen();
  await settle();
  expect(gaps).toBe(1);
  const before = searches;
  stream.dropped({ data: '{"count":100000}' });
  await settle();
  expect([searches, buffer.snapshot().missed]).toEqual([before, 100_000]);
});

it('holds no stream while its page is hidden, and shows what came meanwhile when it is seen again, once', async () => {
  begin();
  stream.onopen();
  await settle();
  arrive(line(1), line(2));
  await settle();
  const first = stream;
  see(false);
  expect(first.closed).toBe(true);
  stored.push(...lines(3, 9));
  await settle();
  expect(stream).toBe(first);
  see(true);
  await settle();
  expect(stream).not.toBe(first);
  stream.onopen();
  await settle();
  arrive(line(10));
  await settle();
  expect(held()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('reads the store again and again while other pages have all streams, and streams once one of them is free', async () => {
  let free = 0;
  takeSlot = async () => (free > 0 ? (free--, () => void free++) : null);
  stream = new Stream();
  const none = stream;
  begin();
  stored.push(line(1));
  await settle();
  stored.push(line(2));
  await settle();
  expect([held(), stream === none, states.at(-1)]).toEqual([[1, 2], true, 'slow']);
  free = 1;
  await settle();
  stream.onopen();
  arrive(line(3));
  await settle();
  expect([held(), states.at(-1), free]).toEqual([[1, 2, 3], 'live', 0]);
  see(false);
  expect(free).toBe(1);
});
