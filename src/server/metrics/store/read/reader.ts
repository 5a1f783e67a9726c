import type { Worker } from 'node:worker_threads';
import { Fault } from '../../../../lib/fault.ts';
import { startWorker } from '../../../../lib/start-worker.ts';
import type { QueryJob } from '../port.ts';
import type { Asked, Told } from './serve.ts';
import type { MetricThreadData } from '../store-thread.ts';

export interface ReaderOptions {
  /** The file of the thread. */
  readonly file: URL;
  readonly folder: string;
  limits(): ReaderLimits;
  say(line: string): void;
  /** A thread that nobody asks is ended after this, to give its memory back. */
  readonly idleMs?: number;
}

export interface ReaderLimits {
  readonly seconds: number;
  readonly values: number;
  /** Memory that the queries of the thread may take. */
  readonly bytes: number;
  readonly queries: number;
  /** A query that is over the limits of this thread is asked of another: it fails also where it has given pages already, which count for nothing. */
  readonly quick: boolean;
}

/** A reader's thread, started with its first query and again after it ended. */
export interface Reader {
  run(job: QueryJob, signal: AbortSignal): AsyncIterable<Uint8Array>;
  readonly waiting: number;
  end(): Promise<void>;
}

/** Megabytes of a thread's objects above which it is ended, and its queries with it: what is beyond the memory that queries may take. */
const SPARE_MB = 512;
const YOUNG_MB = 12;
const IDLE_MS = 30_000;
/** A query that ends so has filled its thread's memory: the thread goes, once the queries beside it have ended. */
const SPENT: ReadonlySet<string> = new Set(['METRICS_TOO_BROAD', 'METRICS_TIMEOUT', 'FLUX_LIMIT']);

type Answer = Exclude<Told, { damaged: string }>;

export function createReader(options: ReaderOptions): Reader {
  const { folder, limits, say, idleMs = IDLE_MS } = options;
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const spent = new Set<Worker>();
  const waiting = new Map<number, { of: Worker; take(answer: Answer): void; fail(error: Fault): void }>();

  function start(): Worker {
    const made = startWorker(options.file, {
      data: { role: 'read', folder } satisfies MetricThreadData,
      youngMb: YOUNG_MB,
      oldMb: Math.ceil(limits().bytes / 2 ** 20) + SPARE_MB,
    });
    made.unref();
    let why = 'it ended';
    let code = 'STORE_UNAVAILABLE';
    made.on('message', (told: Told) => {
      if ('damaged' in told) return say(`metric store: ${told.damaged}`);
      waiting.get(told.id)?.take(told);
    });
    made.on('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (outOfMemory) code = 'METRICS_TOO_BROAD';
      why = outOfMemory ? 'the query needs too much memory: narrow its time range' : error.message;
    });
    made.on('exit', () => {
      if (thread === made) thread = null;
      for (const { of, fail } of waiting.values())
        if (of === made) fail(new Fault(code, `the reader of metrics ended (${why})`));
    });
    return made;
  }

  async function* run(job: QueryJob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { seconds, values, bytes, queries, quick } = limits();
    if (waiting.size >= queries)
      throw new Fault(
        'OVERLOADED',
        `${waiting.size} metric queries are under way (metricsQueries); try again in a moment`,
      );
    if (signal.aborted) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
    clearTimeout(idle);
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
    waiting.set(id, { of: worker, take: (told) => answer.resolve(told), fail: (error) => answer.reject(error) });
    worker.ref();
    try {
      worker.postMessage({
        open: id,
        job,
        flag,
        timeoutMs: seconds * 1000,
        mostValues: values,
        mostBytes: bytes,
        quick,
      } satisfies Asked);
      for (;;) {
        const told = await answer.promise;
        if (!quick && (('fault' in told && SPENT.has(told.fault.code)) || ('done' in told && told.over))) {
          spent.add(worker);
          // What comes now begins in a new one.
          if (thread === worker) thread = null;
        }
        if ('fault' in told)
          throw new Fault(told.fault.code, told.fault.detail, {
            extra: told.fault.extra,
            ...(told.fault.errors ? { errors: told.fault.errors } : {}),
          });
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
      if (![...waiting.values()].some(({ of }) => of === worker)) {
        worker.unref();
        if (spent.delete(worker)) void worker.terminate();
      }
      if (waiting.size === 0) idle = setTimeout(() => void end(), idleMs).unref();
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = [...spent, ...(thread ? [thread] : [])];
    thread = null;
    spent.clear();
    await Promise.all(ended.map((one) => one.terminate()));
  }

  return {
    run,
    end,
    get waiting() {
      return waiting.size;
    },
  };
}
