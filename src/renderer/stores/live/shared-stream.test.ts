import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StreamEvent } from '../../../contract/stream.ts';
import { type Channel, createSharedStream } from './shared-stream.ts';
import type { LiveMode } from './stream.ts';

/** A master that numbers its changes, the streams that browsers hold to it, and pages of one browser that open, close, freeze and thaw. */
interface Page {
  readonly name: string;
  frozen: boolean;
  /** What the browser has for it as soon as it runs again. */
  inbox: { readonly task: () => void; readonly isMessage: boolean }[];
  readonly streams: Set<FakeSource>;
  readonly channels: Set<FakeChannel>;
  mode: LiveMode;
  /** Changes that it knows of: told, or read. */
  known: Set<number>;
  shared: ReturnType<typeof createSharedStream>;
}
let pages: Page[];
/** Whose code runs, also after what it waited for. */
interface Running {
  run<T>(page: Page, what: () => T): T;
  getStore(): Page | undefined;
}
const { AsyncLocalStorage } = await vi.importActual<{ AsyncLocalStorage: new () => Running }>('node:async_hooks');
const running = new AsyncLocalStorage();
let log: number[];
let answers: boolean;
let notes: string[];
const last = () => log.length;

/** Runs what the browser does for a page: later where it is frozen, and never where it is gone. */
function deliver(page: Page, run: () => void, isMessage = false) {
  const task = () => {
    if (!pages.includes(page)) return;
    if (page.frozen) return void page.inbox.push({ task, isMessage });
    running.run(page, run);
  };
  setTimeout(task, 1);
}

class FakeSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readyState = 0;
  sent: number;
  readonly page = running.getStore() as Page;
  readonly fresh: boolean;
  constructor(url: string) {
    super();
    const after = new URL(url, 'http://h').searchParams.get('after');
    this.fresh = after === 'now';
    this.sent = this.fresh ? last() : Number(after);
    this.page.streams.add(this);
    deliver(this.page, () => {
      if (this.readyState !== 0) return;
      if (!answers) return this.fail();
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      if (this.fresh) this.say('cursor', {}, (this.sent = last()));
      this.pump();
    });
  }
  say(name: string, data: unknown, id: number) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data), lastEventId: String(id) }));
  }
  /** Hands on what came since, each once. */
  pump() {
    if (this.readyState !== 1) return;
    while (this.sent < last()) {
      const id = ++this.sent;
      deliver(this.page, () => this.readyState === 1 && this.say('job', { id: String(id) }, id));
    }
  }
  fail() {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = 2;
    this.page.streams.delete(this);
  }
}

class FakeChannel implements Channel {
  onmessage: ((event: MessageEvent) => void) | null = null;
  readonly page = running.getStore() as Page;
  constructor() {
    this.page.channels.add(this);
  }
  postMessage(data: unknown) {
    const copy = structuredClone(data);
    for (const page of pages)
      for (const channel of page.channels)
        if (channel !== this)
          deliver(page, () => page.channels.has(channel) && channel.onmessage?.({ data: copy } as MessageEvent), true);
  }
  close() {
    this.page.channels.delete(this);
  }
}

/** One lock, with its queue. */
function createLocks() {
  interface Ask {
    readonly page: Page;
    readonly hold: () => Promise<void> | undefined;
    readonly resolve: (value: unknown) => void;
    readonly reject: (error: Error) => void;
  }
  let holder: Ask | null = null;
  const queue: Ask[] = [];
  function grant(ask: Ask) {
    holder = ask;
    deliver(ask.page, () => {
      if (holder !== ask) return;
      void Promise.resolve(ask.hold()).then((value) => {
        if (holder !== ask) return;
        ask.resolve(value);
        free(ask);
      });
    });
  }
  function free(ask: Ask) {
    if (holder !== ask) return;
    holder = null;
    const next = queue.shift();
    if (next) grant(next);
  }
  return {
    request: (_name: string, { steal = false, signal }: LockOptions, hold: () => Promise<void> | undefined) =>
      new Promise((resolve, reject) => {
        const ask: Ask = { page: running.getStore() as Page, hold, resolve, reject };
        if (steal && holder !== null) {
          const robbed = holder;
          deliver(robbed.page, () => robbed.reject(new DOMException('stolen', 'AbortError')));
        }
        if (steal || holder === null) return grant(ask);
        queue.push(ask);
        signal?.addEventListener('abort', () => {
          const at = queue.indexOf(ask);
          if (at >= 0) queue.splice(at, 1);
          ask.reject(new DOMException('aborted', 'AbortError'));
        });
      }),
    /** A page that goes gives back what it has. */
    leave(page: Page) {
      for (let at = queue.length - 1; at >= 0; at--) if (queue[at]?.page === page) queue.splice(at, 1);
      if (holder?.page === page) free(holder);
    },
  };
}
let locks: ReturnType<typeof createLocks>;

function open(): Page {
  const page = {
    name: `p${pages.length}-${Math.random()}`,
    frozen: false,
    inbox: [],
    streams: new Set<FakeSource>(),
    channels: new Set<FakeChannel>(),
    mode: 'connecting' as LiveMode,
    known: new Set<number>(),
  } as unknown as Page;
  const readAll = () => {
    for (let id = 1; id <= last(); id++) page.known.add(id);
  };
  page.shared = createSharedStream({
    url: '/stream',
    id: page.name,
    between: { locks: locks as unknown as LockManager, channel: () => new FakeChannel() },
    now: () => Date.now(),
    probe: async () => answers,
    soon: (run) => deliver(page, run),
    onMode(mode) {
      page.mode = mode;
    },
    onChange(event: StreamEvent, first: boolean) {
      const id = Number((event.data as { id: string }).id);
      // What one page alone shows, as notes of the system are.
      if (first) notes.push(`${id}`);
      page.known.add(id);
    },
    onAgain: readAll,
  });
  pages.push(page);
  // It reads what it shows as it begins, before there is a stream: it owes all that comes later.
  readAll();
  running.run(page, page.shared.start);
  return page;
}
/** `orderly`: it is told, as one that a person closes; one that crashes, or that the browser discards, is not. */
function close(page: Page, orderly: boolean) {
  if (orderly && !page.frozen) running.run(page, page.shared.stop);
  pages = pages.filter((other) => other !== page);
  for (const stream of [...page.streams]) stream.close();
  page.channels.clear();
  locks.leave(page);
}
function emit() {
  log.push(last() + 1);
  for (const page of pages) for (const stream of page.streams) stream.pump();
}
const thaw = (page: Page) => {
  page.frozen = false;
  for (const { task } of page.inbox.splice(0)) task();
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  const set = setInterval;
  // Intervals belong to the page that made them.
  vi.stubGlobal('setInterval', (run: () => void, ms: number) => {
    const page = running.getStore() as Page;
    return set(() => !page.frozen && pages.includes(page) && running.run(page, run), ms);
  });
  begin();
});
afterEach(() => {
  for (const page of [...pages]) close(page, true);
  // First what stands in front of the clock's own: else its stand-in is what all later tests have.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
function begin() {
  pages = [];
  log = [];
  notes = [];
  answers = true;
  locks = createLocks();
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const open1 = () => pages.flatMap(({ streams }) => [...streams]).filter(({ readyState }) => readyState !== 2).length;
const owed = () =>
  pages.flatMap(({ name, known, mode }) =>
    mode !== 'live' ? [`${name} is not live`] : log.filter((id) => !known.has(id)).map((id) => `${name} ${id}`),
  );

test('where the first page goes as soon as its stream is open, the next one misses nothing that was older than it', async () => {
  const [first] = [open(), open()];
  emit();
  await pass(100);
  emit();
  await pass(50);
  close(first, false);
  await pass(10_000);
  expect([open1(), owed()]).toEqual([1, []]);
});

test('all pages of a browser live by one stream; the next one takes it over from where it was', async () => {
  const eight = Array.from({ length: 8 }, open);
  await pass(100);
  expect([open1(), eight.map(({ mode }) => mode)]).toEqual([1, eight.map(() => 'live')]);
  // Once they have read what was older than the stream, they know where they are in it.
  await pass(2000);
  emit();
  await pass(50);
  expect(owed()).toEqual([]);
  const [leader] = eight.filter(({ streams }) => streams.size > 0);
  emit();
  close(leader as Page, false);
  emit();
  await pass(100);
  expect([open1(), owed()]).toEqual([1, []]);
  // Each was told to a person once.
  expect(notes).toEqual(['1', '2', '3']);
});

test('a page that is frozen while it leads loses that within a bound, and comes back as one of the others', async () => {
  const [leader] = Array.from({ length: 3 }, open);
  await pass(100);
  (leader as Page).frozen = true;
  emit();
  await pass(12_000);
  expect(pages.filter(({ frozen, streams }) => !frozen && streams.size === 1)).toHaveLength(1);
  thaw(leader as Page);
  emit();
  await pass(3000);
  expect([open1(), owed()]).toEqual([1, []]);
});

test('a page that was told nothing while it was frozen reads everything once', async () => {
  const [, follower] = Array.from({ length: 2 }, open) as [Page, Page];
  await pass(100);
  follower.frozen = true;
  emit();
  await pass(100);
  follower.inbox = [];
  thaw(follower);
  emit();
  await pass(100);
  expect(owed()).toEqual([]);
});

test('whatever pages do, those that run become live by one stream, and none has missed anything', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ do: 'emit' as const, at: 0 }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'open' as const,
          'close' as const,
          'crash' as const,
          'freeze' as const,
          'thaw' as const,
          'forget' as const,
          'break' as const,
        ),
        at: fc.nat(7),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('down' as const, 'up' as const), at: fc.nat(7) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('pass' as const), at: fc.constantFrom(0, 1, 2, 5, 300, 4000, 13_000) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      begin();
      for (const { do: what, at } of [{ do: 'open' as const, at: 0 }, ...steps]) {
        const page = pages[at % Math.max(1, pages.length)];
        if (what === 'emit') emit();
        else if (what === 'open') pages.length < 8 && open();
        else if (what === 'pass') await pass(at);
        else if (what === 'down' || what === 'up') answers = what === 'up';
        else if (page === undefined) continue;
        else if (what === 'close' || what === 'crash') close(page, what === 'close');
        else if (what === 'freeze') page.frozen = true;
        else if (what === 'thaw') thaw(page);
        // What others said while it was frozen need not have been kept for it.
        else if (what === 'forget') page.inbox = page.inbox.filter(({ isMessage }) => !isMessage);
        else for (const stream of page.streams) deliver(page, () => stream.readyState === 1 && stream.fail());
      }
      answers = true;
      for (const page of pages) thaw(page);
      await pass(60_000);
      emit();
      await pass(1000);
      expect(owed()).toEqual([]);
      expect(open1()).toBe(pages.length === 0 ? 0 : 1);
      for (const page of [...pages]) close(page, true);
    }),
    { numRuns: 150 },
  );
});
