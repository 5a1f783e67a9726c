import { Fault } from '../../../../lib/fault.ts';
import type { ThreadCalls } from '../../../../lib/thread-calls.ts';

export interface ReadThreadOptions {
  /** Starts its thread, which `ended` hears of should it end by itself. */
  start(ended: () => void): ThreadCalls;
  /** Reads that may wait. */
  most(): number;
  /** A read that nobody waits for any more may still run for so long before the thread is ended. */
  graceMs: number;
}

/** Reads that take their turns on one thread, which is there while it is needed. */
export interface ReadThread {
  /** Does it in its turn. OVERLOADED where too many wait. Whoever aborts gives it up, also while it runs: then the thread goes with it. */
  run<T>(ask: (thread: () => ThreadCalls) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** That which runs counts as well. */
  readonly waiting: number;
  close(): Promise<void>;
}

/** A thread that nobody asks is ended after this, to give its memory back. */
const IDLE_MS = 60_000;

interface Waiting {
  run(): Promise<void>;
  reject(error: Error): void;
}

export function openReadThread({ start, most, graceMs }: ReadThreadOptions): ReadThread {
  const queue: Waiting[] = [];
  let thread: ThreadCalls | null = null;
  let busy = false;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const running = (): ThreadCalls => (thread ??= start(() => (thread = null)));
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

  /** Where the caller goes, the thread is ended unless the read is nearly done. */
  async function onThread<T>(
    ask: (thread: () => ThreadCalls) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (signal?.aborted) throw givenUp();
    let grace: NodeJS.Timeout | undefined;
    const gone = () => (grace = setTimeout(stop, graceMs));
    signal?.addEventListener('abort', gone, { once: true });
    try {
      return await ask(running);
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener('abort', gone);
    }
  }

  return {
    run(ask, signal) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
        if (signal?.aborted) return reject(givenUp());
        if (queue.length >= most())
          return reject(
            new Fault('OVERLOADED', `${queue.length} lists and searches wait already; try again in a moment`, {
              extra: { retryAfterSeconds: 2 },
            }),
          );
        const waiting: Waiting = {
          reject,
          async run() {
            signal?.removeEventListener('abort', leave);
            try {
              resolve(await onThread(ask, signal));
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
    },
    get waiting() {
      return queue.length + Number(busy);
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { reject } of queue.splice(0)) reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      await thread?.end();
      thread = null;
    },
  };
}

const givenUp = (): Fault => new Fault('REQUEST_TIMEOUT', 'the caller has gone');
