import type { LogRecord } from '../../../contract/api.ts';

/** One line of the list. `key` is unique and stays with its record. */
export interface LogEntry {
  readonly key: number;
  readonly record: LogRecord;
}

export interface LogSnapshot {
  /** Lines that are shown, newest first by `at`. */
  readonly length: number;
  at(index: number): LogEntry | undefined;
  /** Lines that came while the list was held. */
  readonly held: number;
  /** Lines that came too fast to be shown. The store has them. */
  readonly skipped: number;
  /** Lines that were let go because the buffer is full. */
  readonly dropped: number;
}

export interface LogBufferParts {
  /** Lines that are kept at most. */
  readonly limit: number;
  /** Live lines taken in for one second at most; the rest is counted. */
  readonly perSecond: number;
  now(): number;
  /** Calls back once before the next drawing; changes in between are one. */
  schedule(run: () => void): void;
}

/**
 * The lines of a log list, in bounds. Live lines come in at the newer end, older ones page by page at the other. While
 * it is held, live lines wait, so that nothing moves under the reader. One change is told a frame, however many lines came.
 */
export function createLogBuffer({ limit, perSecond, now, schedule }: LogBufferParts) {
  let newer: LogEntry[] = [];
  let older: LogEntry[] = [];
  let waiting: LogRecord[] = [];
  // Came since the last drawing. The lists are copied once a frame, not once a line.
  let arrived: LogRecord[] = [];
  let held = false;
  let skipped = 0;
  let dropped = 0;
  let nextNewer = 1;
  let nextOlder = 0;
  let windowStart = 0;
  let taken = 0;
  let told = true;
  const listeners = new Set<() => void>();
  let shot: LogSnapshot = snapshotOf();

  function snapshotOf(): LogSnapshot {
    const up = newer;
    const down = older;
    const fresh = up.length;
    return { length: fresh + down.length, at: (index) => (index < fresh ? up[fresh - 1 - index] : down[index - fresh]), held: waiting.length, skipped, dropped };
  }
  function changed() {
    if (!told) return;
    told = false;
    schedule(() => {
      told = true;
      settle();
      shot = snapshotOf();
      for (const listener of listeners) listener();
    });
  }
  function append(records: readonly LogRecord[]) {
    // A copy: snapshots that were handed out keep what they showed.
    newer = [...newer, ...records.map((record) => ({ key: nextNewer++, record }))];
    const over = newer.length + older.length - limit;
    // Trimmed in strides, so that a full buffer does not copy itself for each line.
    if (over > 0) {
      const go = Math.min(over + Math.floor(limit / 20), newer.length + older.length);
      const fromOlder = Math.min(go, older.length);
      older = older.slice(0, older.length - fromOlder);
      newer = newer.slice(go - fromOlder);
      dropped += go;
    }
  }
  function settle() {
    if (arrived.length === 0) return;
    append(arrived);
    arrived = [];
  }

  return {
    /** Live records, oldest first. */
    push(records: readonly LogRecord[]) {
      const at = now();
      if (at - windowStart >= 1000) {
        windowStart = at;
        taken = 0;
      }
      const room = Math.max(0, perSecond - taken);
      const kept = records.length > room ? records.slice(records.length - room) : records;
      taken += kept.length;
      skipped += records.length - kept.length;
      if (held) {
        waiting.push(...kept);
        if (waiting.length > limit) {
          dropped += waiting.length - limit;
          waiting = waiting.slice(-limit);
        }
      } else for (const record of kept) arrived.push(record);
      changed();
    },
    /** Lines that never reached this window. */
    skip(count: number) {
      skipped += count;
      changed();
    },
    /** A page of older records, newest first. False where there is no room for all of them. */
    addOlder(records: readonly LogRecord[]): boolean {
      settle();
      const room = Math.max(0, limit - newer.length - older.length);
      older = [...older, ...records.slice(0, room).map((record) => ({ key: nextOlder--, record }))];
      changed();
      return records.length <= room;
    },
    /** Held: live lines wait and are counted. Let go: they come in at once. */
    hold(on: boolean) {
      if (held === on) return;
      held = on;
      if (!on) {
        arrived = [...arrived, ...waiting];
        waiting = [];
      }
      changed();
    },
    /** The newest records, also those that wait; for finding what came twice. */
    newest(count: number): LogRecord[] {
      settle();
      const fresh = waiting.slice(-count);
      const rest = newer.slice(-(count - fresh.length || newer.length)).map((entry) => entry.record);
      const more = older.slice(0, Math.max(0, count - fresh.length - rest.length)).map((entry) => entry.record);
      return [...more.reverse(), ...rest, ...fresh].slice(-count);
    },
    snapshot: () => shot,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
export type LogBuffer = ReturnType<typeof createLogBuffer>;

/** Records that are not among `known`: the same time, message and fields are the same record. */
export function unseen(records: readonly LogRecord[], known: readonly LogRecord[]): LogRecord[] {
  const keys = new Set(known.map((record) => identity(record)));
  return records.filter((record) => !keys.has(identity(record)));
}
const identity = (record: LogRecord): string =>
  JSON.stringify(Object.entries(record).filter(([field]) => !field.startsWith('_stream')).sort(([a], [b]) => (a < b ? -1 : 1)));
