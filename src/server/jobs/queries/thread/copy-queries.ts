import type { Limits } from '../../../../contract/limits.ts';
import type { CopyRead } from '../../../../lib/copy-read.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import { createThread } from '../../../offload/thread.ts';
import { openReadThread, type ReadMethods } from './open-read-thread.ts';
import { GRACE_MS, IDLE_MS, type ReadThreadData } from './reads.ts';

/** Reads of a copy of the database that somebody else writes to, in a thread. */
export interface CopyQueries {
  /** JSON text, or its bytes. */
  run(read: CopyRead, signal: AbortSignal): Promise<string | Uint8Array>;
  close(): Promise<void>;
}

export function openCopyQueries(file: string, limits: Readonly<Limits>): CopyQueries {
  const lane = openReadThread({
    thread: createThread<ReadMethods>({
      file: threadFile(import.meta.url, './read-thread.ts', 'read-thread.js'),
      name: 'the working copy query thread',
      // There is no index of the search: no search comes here.
      data: () => ({ file, searchFile: '', limits: { ...limits }, givesWay: false }) satisfies ReadThreadData,
      idleMs: IDLE_MS,
    }),
    most: () => limits.readQueue,
    graceMs: GRACE_MS,
  });
  return {
    run: ({ method, args }, signal) => lane.run((thread) => thread.call(method, ...args), signal),
    close: () => lane.close(),
  };
}
