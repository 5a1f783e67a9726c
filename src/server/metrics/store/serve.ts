import type { MessagePort } from 'node:worker_threads';
import { Fault } from '../../../lib/fault.ts';
import { runJob } from './jobs.ts';
import type { QueryEnv, QueryJob } from './port.ts';
import { createSource } from './source.ts';
import { openView } from './view.ts';

/** From the master to a reader's thread: begin a query, give its next page, end it. */
export type Asked = { readonly open: number; readonly job: QueryJob; readonly flag: SharedArrayBuffer; readonly timeoutMs: number; readonly mostValues: number } | { readonly next: number } | { readonly close: number };
/** What comes back for a query: a page, its end, or its fault; or news of the store. */
export type Told =
  | { readonly id: number; readonly page: Uint8Array }
  | { readonly id: number; readonly done: true }
  | { readonly id: number; readonly fault: { readonly code: string; readonly detail: string; readonly extra: Record<string, unknown>; readonly errors: { pointer: string; message: string }[] | undefined } }
  | { readonly damaged: string };

/** Calls of `check` between two looks at the clock. */
const LOOK = 64;
/** Kinds of damage that are told; more would only repeat them. */
const TOLD = 100;

/** The reader's thread: queries over what is committed, a page at a time, so that several go on side by side. */
export function serveQueries(port: MessagePort, folder: string): void {
  const told = new Set<string>();
  const view = openView(folder, (what) => {
    if (told.has(what) || told.size >= TOLD) return;
    told.add(what);
    port.postMessage({ damaged: what } satisfies Told);
  });
  const open = new Map<number, Iterator<Uint8Array>>();

  function envOf(flag: SharedArrayBuffer, timeoutMs: number, mostValues: number): QueryEnv {
    const cancelled = new Int32Array(flag);
    const deadline = performance.now() + timeoutMs;
    let calls = 0;
    let values = 0;
    const guard = {
      check() {
        if (Atomics.load(cancelled, 0) !== 0) throw new Fault('QUERY_CANCELLED', 'the query was cancelled');
        if (calls++ % LOOK === 0 && performance.now() > deadline) throw new Fault('METRICS_TIMEOUT', `the query took longer than ${timeoutMs / 1000} s: narrow its time range, or name a job or a measurement`);
      },
      charge(more: number) {
        values += more;
        if (values > mostValues) throw new Fault('METRICS_TOO_BROAD', `the query reads more than ${mostValues} values: narrow its time range, or name a measurement and a field`);
      },
    };
    return { ...guard, source: createSource(view, guard), buckets: [...view.catalog.buckets.values()] };
  }

  function step(id: number): void {
    const pages = open.get(id);
    if (!pages) return;
    try {
      const { value, done } = pages.next();
      if (done) {
        open.delete(id);
        port.postMessage({ id, done: true } satisfies Told);
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
      const pages = open.get(asked.close);
      open.delete(asked.close);
      try {
        pages?.return?.();
      } catch {
        // It ends anyway.
      }
      return;
    }
    const { open: id, job, flag, timeoutMs, mostValues } = asked;
    try {
      // Queries under way keep what they have; what they read next may be newer.
      view.refresh();
      open.set(id, runJob(job, envOf(flag, timeoutMs, mostValues), view)[Symbol.iterator]());
      step(id);
    } catch (error) {
      const { code = 'INTERNAL', message, extra = {}, errors } = error as Fault;
      port.postMessage({ id, fault: { code, detail: message, extra, errors } } satisfies Told);
    }
  });
}
