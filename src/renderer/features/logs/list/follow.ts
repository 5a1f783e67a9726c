import type { LogRecord } from '../../../../contract/logs.ts';
import { parseJson } from '../../../../lib/json.ts';
import { type LogFilters, logTailUrl, searchLogs } from '../../../api/logs.ts';
import type { LogBuffer } from './buffer.ts';
import { removeKnownRecords } from './remove-known-records.ts';
import type { TakeSlot } from './tail-slots.ts';

/** `broken`: the stream is down; it is tried again by itself. `slow`: other pages have all streams that there may be; the store is read again now and then. */
export type TailState = 'off' | 'connecting' | 'live' | 'broken' | 'slow';

/** What the stream left out is looked for after this long. */
const REPAIR_MS = 5000;
/** Lines may be late: this far before the newest one that is known, the store is read again; less right after a search. */
const OVERLAP_MS = { after: 300, again: 12_000 };
const PAGE = 1000;
/** A gap of more pages is not filled line by line, but told. */
const PAGES = 20;
const RETRY_MS = 3000;
/** Without a stream, the store is read again this often. */
export const SLOW_MS = 5000;
/** Milliseconds of one step of taking lines in, between which the window draws. */
const STEP_MS = 12;
/** Characters that wait to be taken in; what is beyond is counted and left to the store. */
const WAITING = 32 * 1024 * 1024;
/** Lines that the stream left out and that are still looked for one by one. */
const REPAIRED = 5000;

export interface FollowParts {
  readonly filters: LogFilters;
  readonly buffer: LogBuffer;
  readonly signal: AbortSignal;
  /** Null: a stream needs no place. */
  readonly takeSlot: TakeSlot | null;
  /** The page: while it is hidden, it holds no stream. */
  readonly page: Pick<Document, 'hidden' | 'addEventListener'>;
  onState(state: TailState): void;
  /** Milliseconds between the time of a line and its arrival here, of the newest one. */
  onLag(ms: number): void;
  /** Too much came between the search, or the end of the last stream, and this one: some of it is not in the buffer. */
  onGap(): void;
}

/**
 * Puts arriving lines into the buffer until the signal aborts. What came between the search and the stream, or while
 * the stream was down, is searched for and put before what streams in meanwhile; nothing is shown twice.
 */
export function follow({ filters, buffer, signal, takeSlot, page, onState, onLag, onGap }: FollowParts): void {
  // A tail has no end, and its beginning is now.
  const { from: _from, to: _to, ...what } = filters;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let source: EventSource | null = null;
  /** Events as they came, not parsed yet. */
  let waiting: string[] = [];
  let characters = 0;
  let taking = false;
  let held = 0;
  let left = 0;
  let opened = 0;
  /** Gives the place of the stream back; present while one is held. */
  let release: (() => void) | null = null;
  let asking = false;
  let slow: ReturnType<typeof setTimeout> | undefined;

  const later = (run: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return timer;
  };
  const recordsOf = (data: string): LogRecord[] => {
    const value = parseJson<LogRecord | LogRecord[]>(data);
    return Array.isArray(value) ? value : [value];
  };
  function take() {
    taking = false;
    if (held > 0 || signal.aborted) return;
    const started = performance.now();
    while (waiting.length > 0 && performance.now() - started < STEP_MS) {
      const data = waiting.shift() ?? '';
      characters -= data.length;
      const records = recordsOf(data);
      buffer.push(records);
      const newest = records.at(-1);
      if (newest) onLag(Date.now() - Date.parse(newest._time));
    }
    if (waiting.length > 0) takeSoon();
  }
  function takeSoon() {
    if (taking) return;
    taking = true;
    later(take, 0);
  }

  /** Reads the store again from about the newest line that is known. What streams in waits until then. */
  async function catchUp(mayGap: boolean) {
    held++;
    try {
      const { end, first } = buffer.bounds();
      const since =
        end > first
          ? new Date(buffer.ms(end - 1) - (opened === 1 ? OVERLAP_MS.after : OVERLAP_MS.again)).toISOString()
          : filters.from;
      const found: LogRecord[] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || cursor !== null; page++) {
        if (page === PAGES) return mayGap ? onGap() : undefined;
        const answer = await searchLogs({ ...what, from: since, limit: PAGE, order: 'asc' }, cursor, signal);
        found.push(...answer.records);
        cursor = answer.nextCursor;
      }
      if (signal.aborted) return;
      const fresh = removeKnownRecords(found, knownSince(buffer, since));
      buffer.push(fresh);
      if (left > 0) buffer.miss(-left);
      left = 0;
      if (held === 1 && fresh.length > 0 && waiting.length > 0) {
        const streamed = waiting.flatMap(recordsOf);
        waiting = [];
        characters = 0;
        buffer.push(removeKnownRecords(streamed, fresh));
      }
    } catch {
      // The stream goes on; what was missed is found by the next search.
    } finally {
      held--;
      if (waiting.length > 0) takeSoon();
    }
  }

  /** Opens the stream as soon as the page is seen and there is a place for it. */
  async function open() {
    if (page.hidden || signal.aborted || release !== null || asking) return;
    clearTimeout(slow);
    asking = true;
    const given = takeSlot === null ? () => undefined : await takeSlot();
    asking = false;
    if (page.hidden || signal.aborted) return given?.();
    release = given;
    if (given !== null) return connect();
    onState('slow');
    opened++;
    void catchUp(true);
    slow = later(() => void open(), SLOW_MS);
  }
  function close() {
    source?.close();
    source = null;
    release?.();
    release = null;
  }
  function connect() {
    const stream = new EventSource(logTailUrl(what));
    source = stream;
    stream.onopen = () => {
      opened++;
      onState('live');
      void catchUp(true);
    };
    stream.onerror = () => {
      if (source !== stream) return;
      onState('broken');
      // An answer that is no stream ends the browser's own trying.
      if (stream.readyState === EventSource.CLOSED) later(() => source === stream && connect(), RETRY_MS);
    };
    stream.onmessage = (message: MessageEvent<string>) => {
      if (characters + message.data.length > WAITING) return buffer.miss(message.data.split('"_time":').length - 1);
      waiting.push(message.data);
      characters += message.data.length;
      takeSoon();
    };
    stream.addEventListener('dropped', (message: MessageEvent<string>) => {
      const { count }: { count: number } = JSON.parse(message.data);
      buffer.miss(count);
      left += count;
      if (left <= REPAIRED) later(() => void (left > 0 && left <= REPAIRED && catchUp(false)), REPAIR_MS);
    });
  }
  void open();
  page.addEventListener('visibilitychange', () => (page.hidden ? close() : void open()), { signal });
  signal.addEventListener('abort', () => {
    for (const timer of timers) clearTimeout(timer);
    close();
  });
}

/** The newest records that are not older than `since`, and some before them. */
function knownSince(buffer: LogBuffer, since: string | undefined): LogRecord[] {
  const { first, end } = buffer.bounds();
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  let at = end;
  // Lines are in order of arrival, so a few late ones may stand between.
  for (let late = 0; at > first && late < 2000; at--) late = buffer.ms(at - 1) < from ? late + 1 : 0;
  return Array.from({ length: end - at }, (_, i) => buffer.record(at + i));
}
