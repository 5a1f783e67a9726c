import { deserialize } from 'node:v8';
import { threadFile } from '../../../../lib/thread-file.ts';
import { createThread } from '../../../offload/thread.ts';
import type { MergeData, MergeMethods } from './merge-thread.ts';
import type { Merge } from './merge.ts';

/** Ended when it had nothing to merge for so long, to give its memory back. */
const IDLE_MS = 10_000;

/** A thread that merges: it starts when it is needed, and ends when it had nothing to do for a while. */
export interface Merger {
  readonly merge: Merge;
  running(): boolean;
  end(): Promise<void>;
}

/** `merged` is called behind each merge, whatever came of it. */
export function createMerger(folder: string, merged: () => void, idleMs = IDLE_MS): Merger {
  const thread = createThread<MergeMethods>({
    file: threadFile(import.meta.url, './merge-thread.ts', 'log-merger.js'),
    name: 'the log merge thread',
    data: () => ({ folder }) satisfies MergeData,
    idleMs,
  });
  return {
    merge(file, ids, rows, done) {
      thread
        .call('merge', file, ids, rows)
        .then((bytes) => done(deserialize(bytes)), done)
        .finally(merged);
    },
    running: () => thread.running,
    end: () => thread.close(),
  };
}
