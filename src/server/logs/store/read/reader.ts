import { threadFile } from '../../../../lib/thread-file.ts';
import { createThread, type CallThread, type Thread } from '../../../offload/thread.ts';
import type { ReaderData, ReaderEvent, ReaderMethods } from './reader-thread.ts';

export interface ReaderOptions {
  readonly data: ReaderData;
  onEvent(event: ReaderEvent): void;
  /** Called with each new thread. */
  onStart(call: CallThread<ReaderMethods>): void;
  /** It ended by itself. */
  onCrash(why: string): void;
  readonly idleMs?: number | undefined;
}

/** A thread that nobody asks is ended after this, to give its memory back: what it keeps of columns above all. */
const IDLE_MS = 60_000;

/** A thread that reads, started when it is needed. */
export const createReader = ({
  data,
  onEvent,
  onStart,
  onCrash,
  idleMs = IDLE_MS,
}: ReaderOptions): Thread<ReaderMethods> =>
  createThread<ReaderMethods, ReaderEvent>({
    file: threadFile(import.meta.url, './reader-thread.ts', 'log-reader.js'),
    name: 'a log query thread',
    data: () => data,
    idleMs,
    onStart,
    onEvent,
    onExit(why, { replaced }) {
      // Its queries are over. A query that was given up may have been under way to the end; a successor has noted its own by then.
      if (!replaced) Atomics.store(new BigInt64Array(data.oldest), data.reader, 0n);
      if (why !== null) onCrash(why);
    },
  });

/** The oldest query of each reader is noted in a place of its own. */
export const READERS = 2;
/** When the oldest query under way in any of them began, unix ms; Infinity: there is none. */
export const oldestQuery = (noted: SharedArrayBuffer): number =>
  Math.min(...Array.from({ length: READERS }, (_, i) => Number(Atomics.load(new BigInt64Array(noted), i)) || Infinity));
