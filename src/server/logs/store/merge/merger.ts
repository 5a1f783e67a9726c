import { deserialize } from 'node:v8';
import { startThread, type ThreadCalls } from '../../../../lib/thread-calls.ts';
import { threadFile } from '../../../../lib/thread-file.ts';
import type { MergeData } from './merge-thread.ts';
import type { Merge, Merged } from './merge.ts';

/** Ended when it had nothing to merge for so long, to give its memory back. */
const IDLE_MS = 30_000;

/** A thread that merges: it starts when it is needed, again where it ended, and ends when it had nothing to do for a while. */
export interface Merger {
  readonly merge: Merge;
  running(): boolean;
  end(): Promise<void>;
}

/** `merged` is called behind each merge, whatever came of it. */
export function createMerger(folder: string, merged: () => void, idleMs = IDLE_MS): Merger {
  let thread: ThreadCalls | null = null;
  let merging = 0;
  let idle: NodeJS.Timeout | undefined;

  function running(): ThreadCalls {
    if (thread) return thread;
    const data: MergeData = { folder };
    const fresh = startThread(
      threadFile(import.meta.url, './merge-thread.ts', 'log-merger.js'),
      data,
      () => {},
      () => {
        if (thread === fresh) thread = null;
      },
    );
    return (thread = fresh);
  }
  async function end(): Promise<void> {
    const ended = thread;
    thread = null;
    await ended?.end();
  }

  return {
    merge(file, ids, rows, done) {
      clearTimeout(idle);
      merging++;
      running()
        .bytes('merge', file, ids, rows)
        .then((bytes) => done(deserialize(bytes as Uint8Array) as Merged), done)
        .finally(() => {
          if (--merging === 0) idle = setTimeout(() => void end(), idleMs).unref();
          merged();
        });
    },
    running: () => thread !== null,
    end,
  };
}
