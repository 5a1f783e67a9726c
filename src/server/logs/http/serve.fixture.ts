import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS, type Limits } from '../../../contract/limits.ts';
import { Fault } from '../../../lib/fault.ts';
import type { LogBatch, LogRun } from '../store/port.ts';
import { createLogHttp } from './serve.ts';

/** For tests: the surface over a store that notes what it is told and answers as a test says. */

export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** `opened` takes what closes it. */
export async function openLogHttp(opened: (() => Promise<void>)[], limits: Partial<Limits> = {}) {
  const batches: (Omit<LogBatch, 'ndjson'> & { text: string })[] = [];
  const runs: LogRun[] = [];
  const errors: unknown[] = [];
  const state = {
    outcome: { stored: 1, skipped: 0, duplicate: false } as
      | { stored: number; skipped: number; duplicate: boolean }
      | Error,
    /** The number of the newest line; null: the store numbers none. */
    arrived: null as number | null,
    tailsEnded: 0,
    pages: (() => failing([])) as (run: LogRun, signal: AbortSignal) => AsyncIterable<Uint8Array>,
  };
  const http = createLogHttp({
    limits: { ...LIMITS, ...limits },
    clock: { now: () => NOW },
    onTailEnded: () => state.tailsEnded++,
    onError: (error) => errors.push(error),
    store: {
      async insert({ ndjson, ...batch }) {
        batches.push({ ...batch, text: Buffer.from(ndjson).toString() });
        if (state.outcome instanceof Error) throw state.outcome;
        return state.outcome;
      },
      arrived: () => state.arrived,
      run(run, signal) {
        runs.push(run);
        return state.pages(run, signal);
      },
    },
  });
  const server = createServer({ maxHeaderSize: 65_536 }, http.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rows = (...given: unknown[]) =>
    (state.pages = async function* () {
      yield Buffer.from(given.map((row) => `${JSON.stringify(row)}\n`).join(''));
    });
  return {
    url,
    batches,
    runs,
    errors,
    state,
    rows,
    post: (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers }),
    get: (path: string) => fetch(`${url}${path}`),
  };
}

/** Pages, and then a failure. */
export async function* failing(pages: string[]): AsyncGenerator<Uint8Array> {
  for (const page of pages) yield Buffer.from(page);
  throw new Fault('STORE_UNAVAILABLE', 'took too long');
}
