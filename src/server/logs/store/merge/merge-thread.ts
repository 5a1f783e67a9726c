import { join } from 'node:path';
import { serialize } from 'node:v8';
import { lowerThreadPriority } from '../../../../lib/lower-thread-priority.ts';
import { serveThread, threadData } from '../../../offload/serve-thread.ts';
import { openForReading } from '../files/schema.ts';
import { mergeBlocks } from './merge.ts';

/** Merges blocks, so that no batch waits while that is done. It only reads; the thread that writes puts what it made in place. */
export interface MergeData {
  folder: string;
}

const { folder } = threadData<MergeData>();

// Lines come in, and are looked for, meanwhile.
lowerThreadPriority();

const methods = {
  // Opened anew each time: no file is held that the writer may want to remove.
  merge: (file: string, ids: readonly number[], rows: number) => {
    const db = openForReading(join(folder, file));
    try {
      return new Uint8Array(serialize(mergeBlocks(db, ids, rows)));
    } finally {
      db.close();
    }
  },
};
export type MergeMethods = typeof methods;
serveThread(methods);
