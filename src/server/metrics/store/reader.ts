import { Worker } from 'node:worker_threads';
import { Fault } from '../../../lib/fault.ts';
import type { QueryJob } from './port.ts';
import type { Asked, Told } from './serve.ts';
import type { MetricThreadData } from './thread.ts';

export interface ReaderOptions {
  /** The file of the thread. */
  readonly file: URL;
  readonly folder: string;
  limits(): { readonly seconds: number; readonly values: number; readonly queries: number };
  say(line: string): void;
}

/** A reader's thread, started with its first query and again after it ended. */
export interface Reader {
  run(job: QueryJob, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The first page alone, as text. */
  text(job: QueryJob): Promise<string>;
  readonly waiting: number;
  end(): Promise<void>;
}

/** Megabytes of a thread's objects above which it is ended, and its queries with it. */
const HEAP_MB = 1024;
const YOUNG_MB = 24;

type Answer = Exclude<Told, { damaged: string }>;

export function createReader({ file, folder, limits, say }: ReaderOptions): Reader {
  let thread: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, { take(answer: Answer): void; fail(error: Fault): void }>();

  function start(): Worker {
    const made = new Worker(file, { workerData: { role: 'read', folder } satisfies MetricThreadData, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB } });
    made.unref();
    let why = 'it ended';
    made.on('message', (told: Told) => {
      if ('damaged' in told) return say(`metric store: ${told.damaged}`);
      waiting.get(told.id)?.take(told);
    });
    made.on('error', (error: Error & { code?: string }) => {
      why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'the query needs too much memory: narrow its time range' : error.message;
    });
    made.on('exit', () => {
      if (thread === made) thread = null;
      for (const { fail } of waiting.values()) fail(new Fault('METRICS_TOO_BROAD', `the reader of metrics ended (${why})`));
    });
    return made;
  }

  async function* run(job: QueryJob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { seconds, values, queries } = limits();
    if (waiting.size >= queries) throw new Fault('OVERLOADED', `${waiting.size} metric queries are under way (metricsQueries); try again in a moment`);
    if (signal.aborted) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
    const worker = (thread ??= start());
    const id = ++last;
    const flag = new SharedArrayBuffer(4);
    let answer = Promise.withResolvers<Answer>();
    // An answer that nobody waits for any more is no unhandled fault.
    answer.promise.catch(() => {});
    const abort = () => {
      Atomics.store(new Int32Array(flag), 0, 1);
      answer.reject(new Fault('QUERY_CANCELLED', 'the query was cancelled'));
    };
    signal.addEventListener('abort', abort, { once: true });
    waiting.set(id, { take: (told) => answer.resolve(told), fail: (error) => answer.reject(error) });
    worker.ref();
    try {
      worker.postMessage({ open: id, job, flag, timeoutMs: seconds * 1000, mostValues: values } satisfies Asked);
      for (;;) {
        const told = await answer.promise;
        if ('fault' in told) throw new Fault(told.fault.code, told.fault.detail, { extra: told.fault.extra, ...(told.fault.errors ? { errors: told.fault.errors } : {}) });
        if ('done' in told) return;
        answer = Promise.withResolvers<Answer>();
        answer.promise.catch(() => {});
        yield told.page;
        worker.postMessage({ next: id } satisfies Asked);
      }
    } finally {
      Atomics.store(new Int32Array(flag), 0, 1);
      signal.removeEventListener('abort', abort);
      waiting.delete(id);
      worker.postMessage({ close: id } satisfies Asked);
      if (waiting.size === 0) worker.unref();
    }
  }

  return {
    run,
    async text(job) {
      for await (const page of run(job, new AbortController().signal)) return Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString();
      throw new Fault('INTERNAL', 'the query gave nothing');
    },
    get waiting() {
      return waiting.size;
    },
    async end() {
      const ended = thread;
      thread = null;
      await ended?.terminate();
    },
  };
}
