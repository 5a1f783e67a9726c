import { getHeapStatistics } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
import { Fault } from '../../../../lib/fault.ts';
import { runJob } from './queries.ts';
import type { QueryEnv, QueryJob } from '../port.ts';
import { createSource } from './source.ts';
import { openView } from './view.ts';

/** From the master to a reader's thread: begin a query, give its next page, end it. */
export type Asked =
  | {
      readonly open: number;
      readonly job: QueryJob;
      readonly flag: SharedArrayBuffer;
      readonly timeoutMs: number;
      readonly mostValues: number;
      readonly mostBytes: number;
      readonly quick: boolean;
    }
  | { readonly next: number }
  | { readonly close: number };
/** What comes back for a query: a page, its end, or its fault; or news of the store. */
export type Told =
  | { readonly id: number; readonly page: Uint8Array }
  /** `over`: it went over its limits, as it said at the end of its pages. */
  | { readonly id: number; readonly done: true; readonly over: boolean }
  | {
      readonly id: number;
      readonly fault: {
        readonly code: string;
        readonly detail: string;
        readonly extra: Record<string, unknown>;
        readonly errors: { pointer: string; message: string }[] | undefined;
      };
    }
  | { readonly damaged: string };

/** Calls of `check` between two looks at the clock and the memory, and values between two looks at the memory. */
const LOOK = 64;
const LOOK_VALUES = 250_000;
/** Kinds of damage that are told; more would only repeat them. */
const TOLD = 100;

interface Limits {
  readonly timeoutMs: number;
  readonly mostValues: number;
  readonly mostBytes: number;
  readonly quick: boolean;
  /** Which of them the query went over; it may have told so itself, at the end of its pages. */
  over: Fault | null;
}

/** The reader's thread: queries over what is committed, a page at a time, so that several go on side by side. */
export function serveQueries(port: MessagePort, folder: string): void {
  const told = new Set<string>();
  const view = openView(folder, (what) => {
    if (told.has(what) || told.size >= TOLD) return;
    told.add(what);
    port.postMessage({ damaged: what } satisfies Told);
  });
  /** What the thread held when no query was under way: names of series and rows that are not sealed. */
  let resting = 0;
  const open = new Map<number, { pages: Iterator<Uint8Array>; limits: Limits }>();

  function envOf(limits: Limits, flag: SharedArrayBuffer): QueryEnv {
    const { timeoutMs, mostValues, mostBytes } = limits;
    const cancelled = new Int32Array(flag);
    const deadline = performance.now() + timeoutMs;
    let calls = 0;
    let values = 0;
    let looked = 0;
    const over = (code: string, detail: string): Fault => (limits.over = new Fault(code, detail));
    function look(): void {
      if (performance.now() > deadline)
        throw over(
          'METRICS_TIMEOUT',
          `the query took longer than ${timeoutMs / 1000} s: narrow its time range, or name a job or a measurement`,
        );
      if (heldBytes() - resting > mostBytes)
        throw over(
          'METRICS_TOO_BROAD',
          `the query needs more than ${Math.round(mostBytes / 2 ** 20)} MiB of memory (metricsQueryBytes): narrow its time range, or aggregate it before it is sorted, joined, grouped or pivoted`,
        );
    }
    const guard = {
      check() {
        if (Atomics.load(cancelled, 0) !== 0) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
        if (calls++ % LOOK === 0) look();
      },
      charge(more: number) {
        values += more;
        if (values > mostValues)
          throw over(
            'METRICS_TOO_BROAD',
            `the query reads more than ${mostValues} values (metricsQueryValues): narrow its time range, or name a measurement and a field`,
          );
        if (values - looked < LOOK_VALUES) return;
        looked = values;
        look();
      },
    };
    return { ...guard, source: createSource(view, guard), buckets: [...view.catalog.buckets.values()] };
  }

  function step(id: number): void {
    const query = open.get(id);
    if (!query) return;
    try {
      const { value, done } = query.pages.next();
      if (query.limits.quick && query.limits.over) throw query.limits.over;
      if (done) {
        open.delete(id);
        port.postMessage({ id, done: true, over: query.limits.over !== null } satisfies Told);
      } else {
        // Small buffers share one, which cannot be handed over.
        const page = new Uint8Array(value);
        port.postMessage({ id, page } satisfies Told, [page.buffer as ArrayBuffer]);
      }
    } catch (error) {
      open.delete(id);
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies Told);
    }
  }

  port.on('message', (asked: Asked) => {
    if ('next' in asked) return step(asked.next);
    if ('close' in asked) {
      const query = open.get(asked.close);
      open.delete(asked.close);
      try {
        query?.pages.return?.();
      } catch {
        // It ends anyway.
      }
      return;
    }
    const { open: id, job, flag, ...given } = asked;
    const limits: Limits = { ...given, over: null };
    try {
      // Queries under way keep what they have; what they read next may be newer.
      view.refresh();
      if (open.size === 0) resting = heldBytes();
      open.set(id, { limits, pages: runJob(job, envOf(limits, flag), view)[Symbol.iterator]() });
      step(id);
    } catch (error) {
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies Told);
    }
  });
}

/** Objects and buffers of this thread, with those that are garbage already. */
function heldBytes(): number {
  const { used_heap_size: objects, external_memory: buffers } = getHeapStatistics();
  return objects + buffers;
}
