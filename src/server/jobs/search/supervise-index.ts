import type { Limits } from '../../../contract/limits.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread, type Thread } from '../../offload/thread.ts';
import type { IndexMethods, IndexThreadData } from './index-thread.ts';
import type { SearchStats } from './port.ts';

export interface IndexOptions {
  file: string;
  searchFile: string;
  limits: Readonly<Limits>;
  /** Whether there is any job. */
  anyJob(): boolean;
  log(line: string): void;
  /** How long after the start, and how often then, it is looked whether there is work. */
  startMs?: number;
}

/** The thread that keeps the index of the search, as the reads see it. */
export interface IndexWatch {
  /** Resolves once the index knows what was written by now, or has tried for a moment. */
  catchUp(): Promise<void>;
  stats(): SearchStats | null;
  close(): Promise<void>;
}

/** A master that starts has better things to do. */
const START_MS = 10_000;
const RESTART_MS = 5000;

/** Starts the thread once there are jobs, and again should it end by itself. */
export function watchIndex({ file, searchFile, limits, anyJob, log, startMs = START_MS }: IndexOptions): IndexWatch {
  let stats: SearchStats | null = null;
  let closed = false;
  let thread: Thread<IndexMethods> | null = null;
  let first = setTimeout(startWithJobs, startMs).unref();

  function startWithJobs(): void {
    if (anyJob()) thread ??= start();
    else first = setTimeout(startWithJobs, startMs).unref();
  }

  function start(): Thread<IndexMethods> {
    return createThread<IndexMethods, SearchStats>({
      file: threadFile(import.meta.url, './index-thread.ts', 'search-thread.js'),
      name: 'the search index thread',
      data: () => ({ file, searchFile, limits: { ...limits } }) satisfies IndexThreadData,
      restartMs: RESTART_MS,
      onEvent: (event) => (stats = event),
      onExit: (why) => why !== null && log(`the search index thread ended (${why}); restarting it`),
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
      await thread?.close();
    },
  };
}
