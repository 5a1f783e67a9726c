import type { Limits } from '../../../contract/limits.ts';
import type { JobFilter } from '../../../contract/routes.ts';
import { Fault } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { startThread, type ThreadCalls } from '../../../lib/thread-calls.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import type { LongReads, Reads } from './port.ts';
import { searches } from '../search/search.ts';
import { watchIndex } from './index-watch.ts';
import type { ReadThreadData } from './thread.ts';

export interface ReadsOptions {
  /** The master's database, and the index of the search beside it. */
  file: string;
  searchFile: string;
  limits: Readonly<Limits>;
  say(line: string): void;
  /** A read that nobody waits for any more may still run for so long before its thread is ended. */
  graceMs?: number;
}

const GRACE_MS = 250;
/** A thread that nobody asks is ended after this, to give its memory back. */
const IDLE_MS = 60_000;

interface Waiting {
  run(): Promise<void>;
  reject(error: Error): void;
}

/** One read at a time on a thread that is started when it is first needed; the others wait in a bounded queue. */
export function createReads({ file, searchFile, limits, say, graceMs = GRACE_MS }: ReadsOptions): Reads {
  const index = watchIndex({ file, searchFile, limits, say });
  const queue: Waiting[] = [];
  let thread: ThreadCalls | null = null;
  let busy = false;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const start = (): ThreadCalls => {
    const data: ReadThreadData = { file, searchFile, limits: { ...limits } };
    return (thread ??= startThread(threadFile(import.meta.url, './thread.ts', 'read-thread.js'), data, () => {}, () => (thread = null)));
  };
  const stop = () => {
    void thread?.end();
    thread = null;
  };

  async function next(): Promise<void> {
    if (busy) return;
    clearTimeout(idle);
    const waiting = queue.shift();
    if (!waiting) {
      idle = setTimeout(stop, IDLE_MS).unref();
      return;
    }
    busy = true;
    await waiting.run();
    busy = false;
    void next();
  }

  /** Runs on the thread; where the caller goes, the thread is ended unless the read is nearly done. */
  async function onThread(method: string, args: readonly unknown[], signal: AbortSignal | undefined): Promise<string> {
    if (signal?.aborted) throw givenUp();
    let grace: NodeJS.Timeout | undefined;
    const gone = () => (grace = setTimeout(stop, graceMs));
    signal?.addEventListener('abort', gone, { once: true });
    try {
      return await start().text(method, ...args);
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener('abort', gone);
    }
  }

  function text(method: keyof LongReads, args: readonly unknown[], signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      if (signal?.aborted) return reject(givenUp());
      if (queue.length >= limits.readQueue) return reject(new Fault('OVERLOADED', `${queue.length} lists and searches wait already; try again in a moment`, { extra: { retryAfterSeconds: 2 } }));
      const waiting: Waiting = {
        reject,
        async run() {
          signal?.removeEventListener('abort', leave);
          try {
            if (method === 'list' && searches(args[0] as JobFilter)) await index.catchUp();
            resolve(await onThread(method, args, signal));
          } catch (error) {
            reject(error as Error);
          }
        },
      };
      const leave = () => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        reject(givenUp());
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
      void next();
    });
  }

  return {
    text,
    call: async (method, args, signal) => parseJson(await text(method, args, signal)) as never,
    prepare: async (filter) => {
      if (searches(filter)) await index.catchUp();
    },
    stats: () => ({ waiting: queue.length + Number(busy), search: index.stats() }),
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(idle);
      for (const { reject } of queue.splice(0)) reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      await index.close();
      await thread?.end();
      thread = null;
    },
  };
}

const givenUp = (): Fault => new Fault('REQUEST_TIMEOUT', 'the caller has gone');
