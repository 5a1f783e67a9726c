import { Fault } from '../../../../lib/fault.ts';
import { startThread, type ThreadCalls } from '../../../../lib/thread-calls.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import type { ReaderData, ReaderEvent } from './reader-thread.ts';

/** A thread that reads: it starts when it is needed, again where it ended, and ends when nobody asked it for a while. */
export interface Lane {
  /** The thread, which stays at least until `release`. Throws SHUTTING_DOWN behind `close`. */
  use(): { readonly thread: ThreadCalls; release(): void };
  /** The same, where it runs at this moment. */
  running(): ThreadCalls | null;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly data: ReaderData;
  heard(event: ReaderEvent): void;
  /** Called with each new thread. */
  started(thread: ThreadCalls): void;
  /** It ended by itself. */
  ended(why: string): void;
  readonly idleMs?: number;
}

/** A thread that nobody asks is ended after this, to give its memory back: what it keeps of columns above all. */
const IDLE_MS = 60_000;

export function createLane({ data, heard, started, ended, idleMs = IDLE_MS }: LaneOptions): Lane {
  let reader: ThreadCalls | null = null;
  let closed = false;
  let uses = 0;
  let idle: NodeJS.Timeout | undefined;
  let resting: Promise<void> = Promise.resolve();
  /** Its queries are over. */
  const noQuery = () => Atomics.store(new BigInt64Array(data.oldest), data.lane, 0n);

  function running(): ThreadCalls {
    if (reader) return reader;
    const fresh = startThread(
      threadFile(import.meta.url, './reader-thread.ts', 'log-reader.js'),
      data,
      (event) => heard(event as ReaderEvent),
      (why) => {
        if (reader === fresh) reader = null;
        noQuery();
        if (!closed) ended(why);
      },
    );
    reader = fresh;
    started(fresh);
    return fresh;
  }
  /** A query that was given up may still be under way, and is written down; a successor has written down its own by then. */
  function rest(): void {
    const idling = reader;
    reader = null;
    resting = (async () => {
      await idling?.end();
      if (reader === null) noQuery();
    })();
  }

  return {
    use() {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
      clearTimeout(idle);
      const thread = running();
      uses++;
      let released = false;
      return {
        thread,
        release() {
          if (released) return;
          released = true;
          if (--uses === 0 && !closed) idle = setTimeout(rest, idleMs).unref();
        },
      };
    },
    running: () => reader,
    async close() {
      closed = true;
      clearTimeout(idle);
      await Promise.all([resting, reader?.end()]);
    },
  };
}

/** Queries of each reader's thread are written down in a place of its own. */
export const LANES = 2;
/** When the oldest query under way in any of them began, unix ms; Infinity: there is none. */
export function oldestOf(shared: SharedArrayBuffer): number {
  return Array.from(
    new BigInt64Array(shared),
    (_, lane) => Number(Atomics.load(new BigInt64Array(shared), lane)) || Infinity,
  ).reduce((a, b) => Math.min(a, b));
}
