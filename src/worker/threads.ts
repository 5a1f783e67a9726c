import { Worker } from 'node:worker_threads';
import { threadFile } from '../lib/thread-file.ts';
import { TaskError, timeoutError } from './failure.ts';
import type { CodeLine, ThreadAnswer, ThreadJob } from './thread-protocol.ts';

/** Runs what could hold the event loop: code nodes and expressions that are not light. */
export interface Threads {
  /** JSON text of the result. Rejects with a `TaskError`, or with the signal's reason when it aborts. */
  run(job: ThreadJob, signal: AbortSignal, onLine?: (line: CodeLine) => void): Promise<string>;
  /** Starts one thread ahead of its first use. */
  warm(): void;
  close(): Promise<void>;
}

/** A thread that does not answer by itself this long after its time limit is ended from outside. */
const GRACE_MS = 500;
/** Memory of a thread outside of the sandbox (expressions, texts). */
const HEAP_MB = 256;
const IDLE_MS = 60_000;

interface Thread {
  worker: Worker;
  run: Running | null;
  idleSince: number;
  /** Resolves once it takes jobs: the time limit of its first one begins then. */
  ready: Promise<void>;
}
interface Running {
  job: ThreadJob;
  onLine: ((line: CodeLine) => void) | undefined;
  settle(result: { text: string } | { error: unknown }): void;
}

/** At most `most` threads, each made when it is needed and ended when it was idle for a minute; one job each at a time. */
export function createThreads(most: number): Threads {
  const threads = new Set<Thread>();
  const waiting: Running[] = [];
  let closed = false;
  const reaper = setInterval(() => {
    for (const thread of threads) if (threads.size > 1 && thread.run === null && Date.now() - thread.idleSince > IDLE_MS) drop(thread);
  }, IDLE_MS).unref();

  function start(): Thread {
    const worker = new Worker(threadFile(import.meta.url, './thread.ts', 'worker-thread.js'), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB }, stdout: false });
    const ready = Promise.withResolvers<void>();
    const thread: Thread = { worker, run: null, idleSince: Date.now(), ready: ready.promise };
    threads.add(thread);
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.t === 'ready') return ready.resolve();
      if (answer.t === 'log') return thread.run?.onLine?.(answer.line);
      const run = thread.run;
      thread.run = null;
      thread.idleSince = Date.now();
      run?.settle(answer.t === 'done' ? { text: answer.text } : { error: errorOf(answer) });
      next();
    });
    worker.on('error', (error: NodeJS.ErrnoException) => fail(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needed more than ${HEAP_MB} MiB of memory` : error.message));
    worker.on('exit', () => fail(thread, 'its thread ended'));
    worker.unref();
    return thread;
  }

  function drop(thread: Thread): void {
    threads.delete(thread);
    void thread.worker.terminate();
  }

  function fail(thread: Thread, why: string): void {
    const run = thread.run;
    thread.run = null;
    threads.delete(thread);
    run?.settle({ error: new TaskError('TASK_ERROR', `the ${run.job.kind} ended with an error: ${why}`) });
    next();
  }

  function next(): void {
    while (waiting.length > 0 && !closed) {
      const thread = idle() ?? (threads.size < most ? start() : null);
      if (thread === null) return;
      const run = waiting.shift() as Running;
      thread.run = run;
      thread.worker.ref();
      const { settle } = run;
      let guard: NodeJS.Timeout | undefined;
      let settled = false;
      void thread.ready.then(() => {
        if (settled) return;
        guard = setTimeout(() => {
          drop(thread);
          thread.run = null;
          run.settle({ error: timeoutError(run.job.kind, run.job.timeoutMs) });
          next();
        }, Math.min(run.job.timeoutMs + GRACE_MS, 2 ** 31 - 1));
      });
      run.settle = (result) => {
        settled = true;
        clearTimeout(guard);
        thread.worker.unref();
        settle(result);
      };
      thread.worker.postMessage(run.job);
    }
  }

  function idle(): Thread | null {
    for (const thread of threads) if (thread.run === null) return thread;
    return null;
  }

  return {
    run(job, signal, onLine) {
      return new Promise<string>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => {
          const at = waiting.indexOf(run);
          if (at >= 0) waiting.splice(at, 1);
          for (const thread of threads) {
            if (thread.run !== run) continue;
            thread.run = null;
            drop(thread);
          }
          run.settle({ error: signal.reason });
          next();
        };
        const run: Running = {
          job,
          onLine,
          settle(result) {
            signal.removeEventListener('abort', abort);
            if ('text' in result) resolve(result.text);
            else reject(result.error);
          },
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.push(run);
        next();
      });
    },
    warm() {
      if (threads.size === 0 && !closed) start();
    },
    async close() {
      closed = true;
      clearInterval(reaper);
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function errorOf({ error }: Extract<ThreadAnswer, { t: 'fail' }>): TaskError {
  return new TaskError(error.code, error.message, { retryable: error.retryable });
}
