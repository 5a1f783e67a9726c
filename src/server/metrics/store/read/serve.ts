import type { ErrorCode } from '../../../../contract/errors.ts';
import { getHeapStatistics } from 'node:v8';
import { errorMessage } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import { isDamage } from '../files/head-db.ts';
import type { MetricDamage } from '../port.ts';
import { ownBuffer } from '../../../../lib/own-buffer.ts';
import { notifyParent } from '../../../offload/serve-thread.ts';
import { runJob } from './queries.ts';
import type { QueryEnv, QueryJob } from '../port.ts';
import { createSource } from './source.ts';
import { openView, type View } from './view.ts';

/** What a query may use. */
export interface QueryRequest {
  readonly job: QueryJob;
  /** The first is not 0: it is cancelled. The second: how many damages it came across. */
  readonly flag: Int32Array;
  readonly timeoutMs: number;
  readonly mostValues: number;
  readonly mostBytes: number;
  readonly quick: boolean;
}
/** The end of its pages. `over`: it went over its limits, as it said there. */
export interface QueryEnd {
  readonly over: boolean;
}

/** Calls of `check` between two looks at the clock and the memory, and values between two looks at the memory. */
const LOOK = 64;
const LOOK_VALUES = 250_000;
/** Damages that are reported. */
const MAX_REPORTED = 10_000;

interface Query {
  readonly request: QueryRequest;
  readonly pages: Iterator<Uint8Array>;
  /** Which of its limits it went over; it may have said so itself, at the end of its pages. */
  over: Fault | null;
  readonly met: Set<string>;
}

/** The reader's thread: queries over what is committed, a page at a time, so that several go on side by side. */
export function openQueries(folder: string) {
  const reported = new Set<string>();
  /** Damages that the query which runs now came across. */
  let met = new Set<string>();
  function tell(damage: MetricDamage): void {
    const key = `${damage.file} ${damage.place}`;
    if (damage.lost !== 0) met.add(key);
    if (reported.has(key) || reported.size >= MAX_REPORTED) return;
    reported.add(key);
    notifyParent({ damage });
  }
  let opened: View | null = null;
  /** Without the file that all others need nothing is found: it is told, and no answer is given that would seem to be whole. */
  function telling<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof Fault && error.code === 'STORE_CORRUPT')) throw error;
      const what = `the file cannot be read (${errorMessage(error)})`;
      tell({ file: 'head.db', place: 'file', what, from: null, to: null, lost: null });
      throw new Fault(
        'DATA_DAMAGED',
        `the metric store's file head.db is damaged (${errorMessage(error)}): stop the master and restore the folder of metrics from a copy, or move it away to start with an empty store`,
        { cause: error },
      );
    }
  }
  /** What the thread held when no query was under way: names of series and rows that are not sealed. */
  let resting = 0;
  const queries = new Map<number, Query>();

  function queryEnv(
    view: View,
    { flag, timeoutMs, mostValues, mostBytes }: QueryRequest,
    exceed: (fault: Fault) => Fault,
  ): QueryEnv {
    const deadline = performance.now() + timeoutMs;
    let calls = 0;
    let values = 0;
    let looked = 0;
    const over = (code: ErrorCode, detail: string): Fault => exceed(new Fault(code, detail));
    function look(): void {
      if (performance.now() > deadline)
        throw over(
          'METRICS_TIMEOUT',
          `the query took longer than ${timeoutMs / 1000} s: narrow the time range, or filter by a job or measurement`,
        );
      if (heldBytes() - resting > mostBytes)
        throw over(
          'METRICS_TOO_BROAD',
          `the query needs more than ${Math.round(mostBytes / 2 ** 20)} MiB of memory (limit metricsQueryBytes): narrow the time range, or aggregate before sorting, joining, grouping or pivoting`,
        );
    }
    const guard = {
      check() {
        if (Atomics.load(flag, 0) !== 0) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
        if (calls++ % LOOK === 0) look();
      },
      charge(more: number) {
        values += more;
        if (values > mostValues)
          throw over(
            'METRICS_TOO_BROAD',
            `the query reads more than ${mostValues} values (limit metricsQueryValues): narrow the time range, or filter by measurement and field`,
          );
        if (values - looked < LOOK_VALUES) return;
        looked = values;
        look();
      },
    };
    return { ...guard, source: createSource(view, guard), buckets: [...view.catalog.buckets.values()] };
  }

  /** The next page of a query, or its end. */
  function next(id: number): Uint8Array | QueryEnd {
    const query = queries.get(id);
    if (!query) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
    met = query.met;
    try {
      const { value, done } = telling(() => query.pages.next());
      Atomics.store(query.request.flag, 1, met.size);
      if (query.request.quick && query.over) throw query.over;
      // Small buffers share one, which cannot be handed over: of the others a copy would be garbage that soon has to be collected.
      if (!done) return ownBuffer(value).length > 0 ? value : new Uint8Array(value);
      queries.delete(id);
      return { over: query.over !== null };
    } catch (error) {
      queries.delete(id);
      throw error;
    }
  }

  return {
    open(id: number, request: QueryRequest): Uint8Array | QueryEnd {
      // Queries under way keep what they have; what they read next may be newer.
      met = new Set();
      // Whoever reads all is told of all.
      if (request.job.kind === 'verify') reported.clear();
      const view = telling(() => {
        opened ??= openView(folder, tell);
        opened.refresh();
        return opened;
      });
      if (queries.size === 0) resting = heldBytes();
      const over = (fault: Fault): Fault => (query.over = fault);
      const query: Query = {
        request,
        pages: telling(() => runJob(request.job, queryEnv(view, request, over), view)[Symbol.iterator]()),
        over: null,
        met,
      };
      queries.set(id, query);
      return next(id);
    },
    next,
    close(id: number): void {
      const query = queries.get(id);
      queries.delete(id);
      try {
        query?.pages.return?.();
      } catch {
        // It ends anyway.
      }
    },
  };
}
export type QueryMethods = ReturnType<typeof openQueries>;

/** Objects and buffers of this thread, with those that are garbage already. */
function heldBytes(): number {
  const { used_heap_size: objects, external_memory: buffers } = getHeapStatistics();
  return objects + buffers;
}
