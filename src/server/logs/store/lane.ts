import { Fault } from '../../../lib/fault.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { ReaderData, ReaderEvent } from './reader-thread.ts';

/** A thread that reads, which starts when it is needed and again where it ended. */
export interface Lane {
  /** Throws SHUTTING_DOWN behind `close`. */
  thread(): ThreadCalls;
  /** The same, where it runs at this moment. */
  running(): ThreadCalls | null;
  close(): Promise<void>;
}

/** `started` is called with each new thread, `ended` where it ended by itself. */
export function createLane(data: ReaderData, heard: (event: ReaderEvent) => void, started: (thread: ThreadCalls) => void, ended: (why: string) => void): Lane {
  let reader: ThreadCalls | null = null;
  let closed = false;
  return {
    thread() {
      if (closed) throw new Fault('SHUTTING_DOWN', 'the log store is closed');
      if (reader) return reader;
      const fresh = startThread(threadFile(import.meta.url, './reader-thread.ts', 'log-reader.js'), data, (event) => heard(event as ReaderEvent), (why) => {
        if (reader === fresh) reader = null;
        // Its queries are over.
        Atomics.store(new BigInt64Array(data.oldest), data.lane, 0n);
        if (!closed) ended(why);
      });
      reader = fresh;
      started(fresh);
      return fresh;
    },
    running: () => reader,
    async close() {
      closed = true;
      await reader?.end();
    },
  };
}

/** Queries of each reader's thread are written down in a place of its own. */
export const LANES = 2;
/** When the oldest query under way in any of them began, unix ms; Infinity: there is none. */
export function oldestOf(shared: SharedArrayBuffer): number {
  return Array.from(new BigInt64Array(shared), (_, lane) => Number(Atomics.load(new BigInt64Array(shared), lane)) || Infinity).reduce((a, b) => Math.min(a, b));
}
