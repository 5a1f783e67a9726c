import type { Limits } from '../../../contract/limits.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { IndexThreadData } from '../search/index-thread.ts';
import type { SearchStats } from './port.ts';

export interface IndexOptions {
  file: string;
  searchFile: string;
  limits: Readonly<Limits>;
  say(line: string): void;
}

/** The thread that keeps the index of the search, as the reads see it. */
export interface IndexWatch {
  /** Resolves once the index knows what was written by now, or has tried for a moment. */
  catchUp(): Promise<void>;
  stats(): SearchStats | null;
  close(): Promise<void>;
}

const START_MS = 3000;
const RESTART_MS = 5000;

/** Starts the thread, and again should it end by itself. */
export function watchIndex({ file, searchFile, limits, say }: IndexOptions): IndexWatch {
  let stats: SearchStats | null = null;
  let closed = false;
  let thread: ThreadCalls | null = null;
  // Not at once: a master that starts has better things to do.
  const first = setTimeout(() => (thread ??= start()), START_MS).unref();

  function start(): ThreadCalls {
    const data: IndexThreadData = { file, searchFile, limits: { ...limits } };
    return startThread(threadFile(import.meta.url, '../search/index-thread.ts', 'search-thread.js'), data, (event) => (stats = event as SearchStats), (why) => {
      thread = null;
      if (closed) return;
      say(`the thread that indexes jobs for the search ended (${why}); a new one starts`);
      setTimeout(() => {
        if (!closed) thread = start();
      }, RESTART_MS).unref();
    });
  }

  return {
    // Where it cannot, the search says up to when it is complete.
    async catchUp() {
      if (!closed) await (thread ??= start()).call('catchUp').catch(() => {});
    },
    stats: () => stats,
    async close() {
      closed = true;
      clearTimeout(first);
      await thread?.call('close').catch(() => {});
      await thread?.end();
    },
  };
}
