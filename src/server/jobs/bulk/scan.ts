import type { Worker } from 'node:worker_threads';
import type { JobFilter } from '../../../contract/jobs.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { BulkDryRun } from '../../../contract/operations.ts';
import { Fault } from '../../../lib/fault.ts';
import type { NamedSecret } from '../../../lib/redact.ts';
import { startWorker } from '../../../lib/start-worker.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { limitsOfSearch } from '../search/search.ts';
import type { Rule } from './eligible.ts';
import type { RerunCount } from './rerun-queries.ts';
import type { Frozen } from './scan-queries.ts';
import type { ScanCall, ScanReply, ScanRequest, ScanThreadData } from './scan-thread.ts';
import type { ExportFormat, RerunChoice, Target } from './port.ts';

/** An idle thread is ended after this long: it costs memory, and few exports are made. */
const IDLE_MS = 30_000;

export interface Scan {
  survey(target: Target, rule: Rule): Promise<BulkDryRun>;
  countReruns(target: Target, choice: RerunChoice): Promise<RerunCount[]>;
  rerunCandidates(target: Target, choice: RerunChoice, most: number): Promise<number[]>;
  freeze(filter: JobFilter, most: number): Promise<Frozen>;
  /** Pieces of the text; the next is read while one is taken. Ending the loop early ends the work. */
  export(filter: JobFilter, format: ExportFormat): AsyncGenerator<Uint8Array>;
  /** How many run. */
  readonly exports: number;
  close(): Promise<void>;
}

export interface ScanDeps {
  /** The master's database, and the index of its search. */
  readonly file: string;
  readonly searchFile: string;
  readonly limits: Readonly<Limits>;
  /** What no export shows. */
  secrets(): readonly NamedSecret[];
  /** Called before a filter is read. */
  prepare(filter: JobFilter): Promise<void>;
}

/** Reads whole sets of jobs in a thread, which is started when it is needed. */
export function openScan({ file, searchFile, limits, secrets, prepare }: ScanDeps, idleMs: number = IDLE_MS): Scan {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  let closed = false;
  const waiting = new Map<
    number,
    { resolve(reply: { value: unknown; done: boolean }): void; reject(error: unknown): void }
  >();

  function start(): Worker {
    const worker = startWorker(threadFile(import.meta.url, './scan-thread.ts', 'scan-thread.js'), {
      data: { file, searchFile, limits: limitsOfSearch(limits) } satisfies ScanThreadData,
    });
    const over = (why: string) => {
      if (thread === worker) thread = null;
      for (const { reject } of waiting.values())
        reject(new Fault('STORE_UNAVAILABLE', `the thread that reads jobs ended (${why}); try again`));
      waiting.clear();
    };
    worker.on('message', (reply: ScanReply) => {
      const call = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('fault' in reply)
        call?.reject(
          new Fault(reply.fault.code, reply.fault.detail, reply.fault.errors ? { errors: reply.fault.errors } : {}),
        );
      else call?.resolve(reply);
    });
    worker.on('error', (error) => over(error.message));
    worker.on('exit', (code) => over(`exit ${code}`));
    return worker;
  }

  function post(call: ScanCall): void {
    if (closed) throw new Fault('SHUTTING_DOWN', 'the master is shutting down');
    thread ??= start();
    thread.postMessage(call);
    clearTimeout(idle);
    idle = setTimeout(rest, idleMs).unref();
  }
  /** An export may pause for as long as its reader does. */
  function rest(): void {
    if (running > 0) idle = setTimeout(rest, idleMs).unref();
    else void end();
  }
  async function end(): Promise<void> {
    const worker = thread;
    thread = null;
    await worker?.terminate();
  }

  let running = 0;
  let exports = 0;
  const ask = (id: number, request: ScanRequest | null) =>
    new Promise<{ value: unknown; done: boolean }>((resolve, reject) => {
      post({ id, request, drop: false });
      waiting.set(id, { resolve, reject });
    });
  async function once<T>(request: ScanRequest): Promise<T> {
    running++;
    try {
      return (await ask(++last, request)).value as T;
    } finally {
      running--;
    }
  }

  return {
    async survey(target, rule) {
      if ('filter' in target) await prepare(target.filter);
      return once({ what: 'survey', target, rule });
    },
    async countReruns(target, choice) {
      if ('filter' in target) await prepare(target.filter);
      return once({ what: 'countReruns', target, choice });
    },
    async rerunCandidates(target, choice, most) {
      if ('filter' in target) await prepare(target.filter);
      return once({ what: 'rerunCandidates', target, choice, most });
    },
    async freeze(filter, most) {
      await prepare(filter);
      return once({ what: 'freeze', filter, most });
    },
    async *export(filter, format) {
      const id = ++last;
      running++;
      exports++;
      let done = false;
      try {
        await prepare(filter);
        let ahead = ask(id, { what: 'export', filter, format, secrets: secrets() });
        for (;;) {
          const reply = await ahead;
          done = reply.done;
          if (done) return;
          ahead = ask(id, null);
          // Where nobody waits for it any more, its failure is nobody's.
          ahead.catch(() => undefined);
          yield reply.value as Uint8Array;
        }
      } finally {
        running--;
        exports--;
        if (!done && !closed && thread !== null) post({ id, request: null, drop: true });
      }
    },
    get exports() {
      return exports;
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
