import { TaskExecutionError, timeoutError } from '../task-execution-error.ts';
import type { IsolateMessage, IsolateJob, CodeLogLine } from './protocol.ts';

/** Runs what could hold the event loop or break its process, each job alone in an isolate: a thread or a process. */
export interface IsolatePool {
  /** JSON text of the result. Rejects with a `TaskExecutionError`, or with the signal's reason when it aborts. */
  run(job: IsolateJob, signal: AbortSignal, onLine?: (line: CodeLogLine) => void): Promise<string>;
  /** Starts one isolate ahead of its first use. */
  warm(): void;
  close(): Promise<void>;
}

/** A thread or a process that takes one job at a time. */
export interface Isolate {
  post(job: IsolateJob): void;
  /** Ends it at once, whatever it does. */
  end(): Promise<void>;
  /** Whether it keeps this process alive. */
  hold(on: boolean): void;
}

export interface IsolateEvents {
  message(answer: IsolateMessage): void;
  /** It ended by itself. A final end would come again with the same job. */
  ended(why: string, final: boolean): void;
}

export interface IsolatePoolOptions {
  /** Isolates at most. */
  most: number;
  /** Isolates that stay when all are idle. */
  keep: number;
  open(events: IsolateEvents): Isolate;
}

/** An isolate that does not answer by itself this long after its time limit is ended from outside. */
const GRACE_MS = 500;
const IDLE_MS = 60_000;

interface Slot {
  isolate: Isolate;
  run: Running | null;
  idleSince: number;
  /** Resolves once it takes jobs: the time limit of its first one begins then. */
  ready: PromiseWithResolvers<void>;
}
interface Running {
  job: IsolateJob;
  onLine: ((line: CodeLogLine) => void) | undefined;
  settle(result: { text: string } | { error: unknown }): void;
}

/** At most `most` isolates, each started when it is needed and ended when it was idle for a minute. */
export function createIsolatePool({ most, keep, open }: IsolatePoolOptions): IsolatePool {
  const slots = new Set<Slot>();
  const waiting: Running[] = [];
  let closed = false;
  const idleTimer = setInterval(() => {
    for (const slot of slots)
      if (slots.size > keep && slot.run === null && Date.now() - slot.idleSince > IDLE_MS) drop(slot);
  }, IDLE_MS).unref();

  function start(): Slot {
    const ready = Promise.withResolvers<void>();
    const isolate = open({
      message(answer) {
        if (answer.t === 'ready') return ready.resolve();
        if (answer.t === 'log') return slot.run?.onLine?.(answer.line);
        const run = slot.run;
        slot.run = null;
        slot.idleSince = Date.now();
        run?.settle(answer.t === 'done' ? { text: answer.text } : { error: toTaskError(answer) });
        startWaiting();
      },
      ended(why, final) {
        const run = slot.run;
        slot.run = null;
        slots.delete(slot);
        run?.settle({
          error: new TaskExecutionError('TASK_ERROR', `the ${run.job.kind} ${why}`, final ? { retryable: false } : {}),
        });
        startWaiting();
      },
    });
    const slot: Slot = { isolate, run: null, idleSince: Date.now(), ready };
    slots.add(slot);
    isolate.hold(false);
    return slot;
  }

  function drop(slot: Slot): void {
    slot.run = null;
    slots.delete(slot);
    void slot.isolate.end();
  }

  function startWaiting(): void {
    while (!closed) {
      const [run] = waiting;
      const slot = run && (idleSlot() ?? (slots.size < most ? start() : null));
      if (!run || !slot) return;
      waiting.shift();
      assign(slot, run);
    }
  }

  function assign(slot: Slot, run: Running): void {
    slot.run = run;
    slot.isolate.hold(true);
    const { settle } = run;
    let guard: NodeJS.Timeout | undefined;
    let settled = false;
    void slot.ready.promise.then(() => {
      if (settled) return;
      guard = setTimeout(
        () => {
          drop(slot);
          run.settle({ error: timeoutError(run.job.kind, run.job.timeoutMs) });
          startWaiting();
        },
        Math.min(run.job.timeoutMs + GRACE_MS, 2 ** 31 - 1),
      );
    });
    run.settle = (result) => {
      settled = true;
      clearTimeout(guard);
      slot.isolate.hold(false);
      settle(result);
    };
    slot.isolate.post(run.job);
  }

  function idleSlot(): Slot | null {
    for (const slot of slots) if (slot.run === null) return slot;
    return null;
  }

  return {
    run(job, signal, onLine) {
      return new Promise<string>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => {
          const at = waiting.indexOf(run);
          if (at >= 0) waiting.splice(at, 1);
          for (const slot of slots) if (slot.run === run) drop(slot);
          run.settle({ error: signal.reason });
          startWaiting();
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
        startWaiting();
      });
    },
    warm() {
      if (slots.size === 0 && !closed) start();
    },
    async close() {
      closed = true;
      clearInterval(idleTimer);
      await Promise.all([...slots].map(({ isolate }) => isolate.end()));
    },
  };
}

function toTaskError({ error }: Extract<IsolateMessage, { t: 'fail' }>): TaskExecutionError {
  const { code, message, retryable, stack = [] } = error;
  return new TaskExecutionError(code, message, { retryable, stack: [...stack] });
}
