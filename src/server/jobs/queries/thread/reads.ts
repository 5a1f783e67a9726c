import type { JobFilter } from '../../../../contract/jobs.ts';
import type { Limits } from '../../../../contract/limits.ts';
import { parseJson } from '../../../../lib/json.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import { createThread } from '../../../offload/thread.ts';
import { usesSearchIndex } from '../../search/search.ts';
import { watchIndex } from '../../search/supervise-index.ts';
import { openReadThread, type ReadMethods, type ReadThread } from './open-read-thread.ts';
import type { ReadThreadData } from './read-thread.ts';
export type { ReadThreadData };
import type { LongReads, Reads } from '../port.ts';

export interface ReadsOptions {
  /** The master's database, and the index of the search beside it. */
  file: string;
  searchFile: string;
  limits: Readonly<Limits>;
  /** Whether there is any job. */
  anyJob(): boolean;
  log(line: string): void;
  /** A read that nobody waits for any more may still run for so long before its thread is ended. */
  graceMs?: number;
}

export const GRACE_MS = 250;
/** A thread that nobody asks is ended after this, to give its memory back. */
export const IDLE_MS = 60_000;
/** Reads that may take seconds, or come by the hundred: in a thread of their own, so that no list waits for them. */
const SLOW: ReadonlySet<keyof LongReads> = new Set<keyof LongReads>([
  'compare',
  'compareValues',
  'compareLogs',
  'taskPiece',
  'failureGroups',
  'failure',
  'impacts',
  'activity',
  'overview',
  'recordedInputs',
  'recording',
]);

/** The reads on two threads, each one read at a time on a thread that is started when it is first needed. */
export function createReads({ file, searchFile, limits, anyJob, log, graceMs = GRACE_MS }: ReadsOptions): Reads {
  const index = watchIndex({ file, searchFile, limits, anyJob, log });
  const open = (givesWay: boolean): ReadThread =>
    openReadThread({
      thread: createThread<ReadMethods>({
        file: threadFile(import.meta.url, './read-thread.ts', 'read-thread.js'),
        name: 'the job query thread',
        data: () => ({ file, searchFile, limits: { ...limits }, givesWay }) satisfies ReadThreadData,
        idleMs: IDLE_MS,
      }),
      most: () => limits.readQueue,
      graceMs,
    });
  const quick = open(false);
  const slow = open(true);
  const laneOf = (method: keyof LongReads): ReadThread => (SLOW.has(method) ? slow : quick);

  const text: Reads['text'] = (method, args, signal) =>
    laneOf(method).run(async (thread) => {
      // `list` takes it first.
      if (method === 'list' && usesSearchIndex(args[0] as JobFilter)) await index.catchUp();
      const found = await thread.call(method, ...args);
      return typeof found === 'string' ? found : Buffer.from(found).toString();
    }, signal);

  return {
    text,
    // Each method writes what its type says.
    call: async (method, args, signal) => parseJson(await text(method, args, signal)) as never,
    bytes: (method, args, signal) =>
      laneOf(method).run(async (thread) => {
        const found = await thread.call(method, ...args);
        return typeof found === 'string' ? new Uint8Array() : found;
      }, signal),
    prepare: async (filter) => {
      if (usesSearchIndex(filter)) await index.catchUp();
    },
    stats: () => ({ waiting: quick.waiting + slow.waiting, search: index.stats() }),
    async close() {
      await Promise.all([index.close(), quick.close(), slow.close()]);
    },
  };
}
