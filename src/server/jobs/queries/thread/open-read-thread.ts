import { Fault } from '../../../../lib/fault.ts';
import type { Thread } from '../../../offload/thread.ts';

/** What the thread answers: JSON text, or bytes. */
export type ReadMethods = Record<string, (...args: readonly unknown[]) => string | Uint8Array>;

export interface ReadThreadOptions {
  readonly thread: Thread<ReadMethods>;
  /** Reads that may wait. */
  most(): number;
  /** A read that nobody waits for any more may still run for so long before the thread is ended. */
  graceMs: number;
}

/** Reads that take their turns on one thread, which is there while it is needed. */
export interface ReadThread {
  /** Does it in its turn. OVERLOADED where too many wait. Whoever aborts gives it up, also while it runs: then the thread goes with it. */
  run<T>(ask: (thread: Thread<ReadMethods>) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** That which runs counts as well. */
  readonly waiting: number;
  close(): Promise<void>;
}

interface Waiting {
  run(): Promise<void>;
  reject(error: Error): void;
}

export function openReadThread({ thread, most, graceMs }: ReadThreadOptions): ReadThread {
  const queue: Waiting[] = [];
  let busy = false;
  let closed = false;

  async function next(): Promise<void> {
    if (busy) return;
    const waiting = queue.shift();
    if (!waiting) return;
    busy = true;
    await waiting.run();
    busy = false;
    void next();
  }

  /** Where the caller goes, the thread is ended unless the read is nearly done. */
  async function onThread<T>(
    ask: (thread: Thread<ReadMethods>) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (signal?.aborted) throw givenUp();
    let grace: NodeJS.Timeout | undefined;
    const gone = () => (grace = setTimeout(() => void thread.stop(), graceMs));
    signal?.addEventListener('abort', gone, { once: true });
    try {
      return await ask(thread);
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
            new Fault('OVERLOADED', `${queue.length} lists and searches are already waiting; try again in a moment`, {
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
              reject(error);
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
      for (const { reject } of queue.splice(0)) reject(new Fault('SHUTTING_DOWN', 'the master is shutting down'));
      await thread.close();
    },
  };
}

const givenUp = (): Fault => new Fault('REQUEST_TIMEOUT', 'the client disconnected');
