import type { LogRecord } from '../../../contract/api.ts';
import { type LogFilters, logTailUrl, searchLogs } from '../../api/logs.ts';
import { type LogBuffer, unseen } from './buffer.ts';

/** `broken`: the stream is down; the browser tries again by itself. */
export type TailState = 'off' | 'connecting' | 'live' | 'broken';

/** The store finds a line at the latest this long after the tail has shown it. */
const FLUSH_MS = 6000;
/** Lines that are looked at again for what the stream missed. */
const AGAIN = 1000;
const RETRY_MS = 3000;

export interface FollowParts {
  readonly filters: LogFilters;
  readonly buffer: LogBuffer;
  readonly signal: AbortSignal;
  onState(state: TailState): void;
}

/**
 * Puts arriving lines into the buffer until the signal aborts. What came between the search and the stream, or while
 * the stream was down, is searched for once the store has it.
 */
export function follow({ filters, buffer, signal, onState }: FollowParts): void {
  // A tail has no end, and its beginning is now.
  const { from: _from, to: _to, ...what } = filters;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let source: EventSource;

  // Time of the newest line before the gap that is to be filled.
  let gap: string | null | undefined = buffer.newest(1)[0]?._time ?? null;

  async function catchUp() {
    if (gap === undefined) return;
    const since = gap === null ? filters.from : new Date(Date.parse(gap) - 2 * FLUSH_MS).toISOString();
    gap = undefined;
    try {
      const page = await searchLogs({ ...what, from: since, limit: AGAIN, order: 'desc' }, null, signal);
      if (signal.aborted) return;
      const known = buffer.newest(AGAIN * 3);
      const oldest = known[0]?._time;
      // What is older than all that is shown comes with its page, at the other end.
      buffer.push(
        unseen(page.records, known)
          .filter((record) => oldest === undefined || record._time > oldest)
          .reverse(),
      );
    } catch {
      // The stream goes on; what was missed is found by the next search.
    }
  }
  const lose = () => {
    gap ??= buffer.newest(1)[0]?._time ?? null;
  };
  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  function open() {
    source = new EventSource(logTailUrl(what));
    const opened = source;
    opened.onopen = () => {
      onState('live');
      later(() => void catchUp(), FLUSH_MS);
    };
    opened.onerror = () => {
      onState('broken');
      lose();
      // An answer that is no stream ends the browser's own trying.
      if (opened.readyState === EventSource.CLOSED && !signal.aborted) later(open, RETRY_MS);
    };
    opened.onmessage = (message: MessageEvent<string>) => {
      const value = JSON.parse(message.data) as LogRecord | LogRecord[];
      buffer.push(Array.isArray(value) ? value : [value]);
    };
    opened.addEventListener('dropped', (message) => {
      const { count } = JSON.parse((message as MessageEvent<string>).data) as { count: number };
      buffer.skip(count);
      lose();
      later(() => void catchUp(), FLUSH_MS);
    });
  }
  open();
  signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
    source.close();
  });
}
