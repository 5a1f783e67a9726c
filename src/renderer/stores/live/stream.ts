import { BACKOFF, createBackoff } from '../../../lib/backoff.ts';
import type { StreamEvent } from '../../../contract/stream.ts';

/** `live`: the stream brings changes. `polling`: it is down, all is read again every 5 s. `offline`: nothing answers. */
export type LiveMode = 'connecting' | 'live' | 'polling' | 'offline';

/** While the stream is down, everything live is read again this often, and the master is asked whether it answers. */
const POLL_MS = 5000;
/** A stream that is still, or does not open, for so long may be that of a master that hangs: it is asked. */
const STILL_MS = 10_000;
/** Longest wait for its answer. */
const PROBE_MS = 8000;
/** How long after its first stream opened a page reads once more. */
const REREAD_MS = 1000;
/** The clock of all of these. Hidden pages are given less of it, so that whoever needs this one may call `tick` too. */
const TICK_MS = 1000;
/** No clock stands still for so long but that of a machine that slept: what was open then may be open on this side alone. */
const SLEPT_MS = 150_000;
const NAMES = ['job', 'task', 'worker', 'publication', 'operation', 'alert', 'approval'] as const;

export interface StreamParts {
  readonly url: string;
  /** Id of the last change that was taken in before; null: none, changes count from now on. */
  readonly after: string | null;
  /** What is known of the mode from before. */
  readonly mode: LiveMode;
  /** True where the master answers at all; decides between polling and offline. Gives up when the signal does. */
  probe(signal: AbortSignal): Promise<boolean>;
  /** Milliseconds. */
  now(): number;
  onMode(mode: LiveMode): void;
  /** A change, or (without one) a place in the stream; `cursor` is where to go on after it. */
  onChange(event: StreamEvent | null, cursor: string): void;
  /** Changes may be missing: what is live is to be read again; `all`: nothing answered for a while, so all of it is. */
  onAgain(all: boolean): void;
}

/**
 * Holds the one stream of changes open, and knows how it stands. It resumes after the last change, whatever ended it. All that it
 * does later it does in `tick`, by the clock: timers alone would sleep in a hidden page.
 */
export function createStream({ url, after, mode: first, probe, now, onMode, onChange, onAgain }: StreamParts) {
  let mode = first;
  let cursor = after;
  let source: EventSource | null = null;
  /** Until it has opened, what was opened. */
  let unopened: EventSource | null = null;
  /** Masters of before know no `after`: where a try with it is refused, the next is made without. */
  let resumes = true;
  let wasOffline = first === 'offline';
  let changes = 0;
  const backoff = createBackoff(BACKOFF.liveStream);
  let retryAt = Number.POSITIVE_INFINITY;
  let lookAt = Number.POSITIVE_INFINITY;
  let pollAt = Number.POSITIVE_INFINITY;
  let rereadAt = Number.POSITIVE_INFINITY;
  let asked: { readonly end: AbortController; readonly until: number } | null = null;
  let ticked = now();

  function become(next: LiveMode) {
    if (next === 'offline') wasOffline = true;
    // Who comes back from these reads in any case, and more where nothing answered.
    if (next !== 'live') rereadAt = Number.POSITIVE_INFINITY;
    if (next === mode) return;
    mode = next;
    onMode(next);
  }
  function again() {
    rereadAt = Number.POSITIVE_INFINITY;
    const all = wasOffline;
    wasOffline = false;
    onAgain(all);
  }

  /** The master answers in time. Null: it is being asked already. */
  async function ask(): Promise<boolean | null> {
    if (asked !== null) return null;
    const end = new AbortController();
    asked = { end, until: now() + PROBE_MS };
    const answers = await probe(end.signal).catch(() => false);
    asked = null;
    return answers;
  }

  /** A master that hangs keeps its connections open: the stream alone would look alive, or about to be, for ever. */
  async function look() {
    lookAt = Number.POSITIVE_INFINITY;
    const watched = source;
    const known = changes;
    const answers = await ask();
    if (watched === null || source !== watched || watched.readyState === EventSource.CLOSED) return;
    lookAt = now() + STILL_MS;
    if (answers === null || changes !== known) return;
    if (answers) {
      // What stands between lets requests through and streams not.
      if (watched.readyState === EventSource.CONNECTING) fall('polling');
      return;
    }
    watched.close();
    fall('offline');
  }
  function fall(to: LiveMode) {
    become(to);
    if (pollAt === Number.POSITIVE_INFINITY) pollAt = now() + POLL_MS;
  }

  async function check() {
    const answers = await ask();
    if (answers === null || source === null || source.readyState === EventSource.OPEN) return;
    // It answers again: the stream is tried at once, not at the end of a pause that grew while nothing did.
    const back = answers && mode === 'offline' && source.readyState === EventSource.CLOSED;
    fall(answers ? 'polling' : 'offline');
    if (back) open();
  }
  function poll() {
    pollAt = now() + POLL_MS;
    if (mode === 'polling') again();
    void check();
  }

  function open() {
    retryAt = Number.POSITIVE_INFINITY;
    lookAt = now() + STILL_MS;
    source?.close();
    const resumed = resumes ? cursor : null;
    const opened = new EventSource(resumes ? `${url}?after=${resumed ?? 'now'}` : url);
    source = opened;
    unopened = opened;
    opened.addEventListener('open', () => {
      if (source !== opened) return;
      backoff.reset();
      pollAt = Number.POSITIVE_INFINITY;
      lookAt = now() + STILL_MS;
      // The stream goes on where it ended; what nothing was said of meanwhile, or where no end is known, is read once.
      if (mode === 'polling' || mode === 'offline') again();
      // So it is at first, too: what the page read before may be older than the place from which on it is told of changes. It does
      // not wait for that to show what it has.
      else if (unopened === opened && resumed === null) rereadAt = now() + REREAD_MS;
      unopened = null;
      become('live');
    });
    opened.addEventListener('error', () => {
      if (source !== opened) return;
      fall(mode);
      void check();
      // The browser reconnects by itself, but gives up after an answer that is no stream (a 502 of a proxy, a 401).
      if (opened.readyState !== EventSource.CLOSED) return;
      if (unopened === opened) resumes = !resumes;
      lookAt = Number.POSITIVE_INFINITY;
      retryAt = now() + backoff.next();
    });
    const take = (event: StreamEvent | null, { lastEventId }: MessageEvent<string>) => {
      if (source !== opened) return;
      changes++;
      lookAt = now() + STILL_MS;
      if (lastEventId !== '') cursor = lastEventId;
      // Whoever goes on from a place reads nothing again: until what is due was read, no place is told.
      onChange(event, rereadAt < Number.POSITIVE_INFINITY ? '' : lastEventId);
    };
    opened.addEventListener('cursor', (message: MessageEvent<string>) => take(null, message));
    opened.addEventListener('reset', (message: MessageEvent<string>) => {
      take(null, message);
      again();
    });
    for (const name of NAMES) {
      opened.addEventListener(name, (message: MessageEvent<string>) => {
        let event: StreamEvent | null = null;
        try {
          // The master sends what the contract says under each name.
          event = { event: name, data: JSON.parse(message.data) } as StreamEvent;
        } catch {
          again();
        }
        take(event, message);
      });
    }
  }

  /** Does what is due. */
  function tick() {
    const at = now();
    const slept = at - ticked > SLEPT_MS && source?.readyState === EventSource.OPEN;
    ticked = at;
    if (asked !== null && asked.until <= at) asked.end.abort();
    if (slept || retryAt <= at) open();
    if (lookAt <= at) void look();
    if (pollAt <= at) poll();
    if (rereadAt <= at) {
      again();
      if (cursor !== null) onChange(null, cursor);
    }
  }
  const clock = setInterval(tick, TICK_MS);
  open();

  return {
    tick,
    /** Tries the stream at once. */
    retry() {
      backoff.reset();
      open();
    },
    stop() {
      clearInterval(clock);
      source?.close();
      source = null;
      asked?.end.abort();
    },
  };
}
export type Stream = ReturnType<typeof createStream>;
