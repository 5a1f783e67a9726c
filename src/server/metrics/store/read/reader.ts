import { errorCode } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import { createThread } from '../../../offload/thread.ts';
import type { MetDamage, MetricDamage, QueryJob } from '../port.ts';
import type { QueryMethods } from './serve.ts';
import type { MetricThreadData } from '../store-thread.ts';

export interface ReaderOptions {
  /** The file of the thread. */
  readonly file: URL;
  readonly folder: string;
  limits(): ReaderLimits;
  log(line: string): void;
  /** Hears of points that cannot be read, possibly more than once of the same. */
  report(damage: MetricDamage): void;
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
  run(job: QueryJob, signal: AbortSignal, met?: MetDamage): AsyncIterable<Uint8Array>;
  readonly waiting: number;
  end(): Promise<void>;
}

/** Megabytes of a thread's objects above which it is ended, and its queries with it: what is beyond the memory that queries may take. */
const SPARE_MB = 512;
const YOUNG_MB = 12;
const IDLE_MS = 30_000;
/** A query that ends so has filled its thread's memory: the thread goes, once the queries beside it have ended. */
const SPENT: ReadonlySet<string> = new Set(['METRICS_TOO_BROAD', 'METRICS_TIMEOUT', 'FLUX_LIMIT']);

export function createReader(options: ReaderOptions): Reader {
  const { limits, idleMs = IDLE_MS } = options;
  const thread = createThread<QueryMethods, { damage: MetricDamage }>({
    get file() {
      return options.file;
    },
    name: 'the metric query thread',
    data: () => ({ role: 'read', folder: options.folder }) satisfies MetricThreadData,
    memory: () => ({ youngMb: YOUNG_MB, oldMb: Math.ceil(limits().bytes / 2 ** 20) + SPARE_MB }),
    idleMs,
    onEvent: ({ damage }) => options.report(damage),
    lost: (why, code) =>
      code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new Fault(
            'METRICS_TOO_BROAD',
            'the metric query thread ended (the query needs too much memory: narrow the time range)',
          )
        : new Fault('STORE_UNAVAILABLE', `the metric query thread ended (${why})`),
  });
  let last = 0;
  let waiting = 0;

  async function* run(job: QueryJob, signal: AbortSignal, met?: MetDamage): AsyncGenerator<Uint8Array> {
    const { seconds, values, bytes, queries, quick } = limits();
    if (waiting >= queries)
      throw new Fault(
        'OVERLOADED',
        `the maximum of ${waiting} concurrent metric queries is reached (limit metricsQueries); try again in a moment`,
      );
    if (signal.aborted) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
    const session = thread.session();
    const id = ++last;
    const flag = new Int32Array(new SharedArrayBuffer(8));
    const cancelled = Promise.withResolvers<never>();
    // Of a query that nobody waits for any more it is no unhandled fault.
    cancelled.promise.catch(() => {});
    const cancel = () => {
      Atomics.store(flag, 0, 1);
      cancelled.reject(new Fault('QUERY_CANCELLED', 'the query was cancelled'));
    };
    signal.addEventListener('abort', cancel, { once: true });
    waiting++;
    try {
      const request = { job, flag, timeoutMs: seconds * 1000, mostValues: values, mostBytes: bytes, quick };
      for (let next = session.call('open', id, request); ; next = session.call('next', id)) {
        next.catch(() => {});
        const page = await Promise.race([next, cancelled.promise]);
        if (met) met.count = Atomics.load(flag, 1);
        if (page instanceof Uint8Array) yield page;
        else {
          // Its memory is full of what the query left: what comes now begins in a new thread.
          if (page.over && !quick) session.retire();
          return;
        }
      }
    } catch (error) {
      if (!quick && SPENT.has(errorCode(error) ?? '')) session.retire();
      throw error;
    } finally {
      waiting--;
      Atomics.store(flag, 0, 1);
      signal.removeEventListener('abort', cancel);
      session.call('close', id).catch(() => {});
      session.release();
    }
  }

  return {
    run,
    end: () => thread.stop(),
    get waiting() {
      return waiting;
    },
  };
}
