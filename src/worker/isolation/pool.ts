import { TaskError, timeoutError } from '../task-error.ts';
import type { BoxAnswer, BoxJob, CodeLine } from './protocol.ts';

/** Runs what could hold the event loop or break its process, each job alone in a box: a thread or a process. */
export interface Pool {
  /** JSON text of the result. Rejects with a `TaskError`, or with the signal's reason when it aborts. */
  run(job: BoxJob, signal: AbortSignal, onLine?: (line: CodeLine) => void): Promise<string>;
  /** Starts one box ahead of its first use. */
  warm(): void;
  close(): Promise<void>;
}

/** A thread or a process that takes one job at a time. */
export interface Box {
  post(job: BoxJob): void;
  /** Ends it at once, whatever it does. */
  end(): Promise<void>;
  /** Whether it keeps this process alive. */
  hold(on: boolean): void;
}

export interface BoxEvents {
  answer(answer: BoxAnswer): void;
  /** It ended by itself. A final end would come again with the same job. */
  ended(why: string, final: boolean): void;
}

export interface PoolOptions {
  /** Boxes at most. */
  most: number;
  /** Boxes that stay when all are idle. */
  keep: number;
  open(events: BoxEvents): Box;
}

/** A box that does not answer by itself this long after its time limit is ended from outside. */
const GRACE_MS = 500;
const IDLE_MS = 60_000;

interface Place {
  box: Box;
  run: Running | null;
  idleSince: number;
  /** Resolves once it takes jobs: the time limit of its first one begins then. */
  ready: PromiseWithResolvers<void>;
}
interface Running {
  job: BoxJob;
  onLine: ((line: CodeLine) => void) | undefined;
  settle(result: { text: string } | { error: unknown }): void;
}

/** At most `most` boxes, each made when it is needed and ended when it was idle for a minute. */
export function createPool({ most, keep, open }: PoolOptions): Pool {
  const places = new Set<Place>();
  const waiting: Running[] = [];
  let closed = false;
  const reaper = setInterval(() => {
    for (const place of places)
      if (places.size > keep && place.run === null && Date.now() - place.idleSince > IDLE_MS) drop(place);
  }, IDLE_MS).unref();

  function start(): Place {
    const ready = Promise.withResolvers<void>();
    const box = open({
      answer(answer) {
        if (answer.t === 'ready') return ready.resolve();
        if (answer.t === 'log') return place.run?.onLine?.(answer.line);
        const run = place.run;
        place.run = null;
        place.idleSince = Date.now();
        run?.settle(answer.t === 'done' ? { text: answer.text } : { error: errorOf(answer) });
        next();
      },
      ended(why, final) {
        const run = place.run;
        place.run = null;
        places.delete(place);
        run?.settle({
          error: new TaskError('TASK_ERROR', `the ${run.job.kind} ${why}`, final ? { retryable: false } : {}),
        });
        next();
      },
    });
    const place: Place = { box, run: null, idleSince: Date.now(), ready };
    places.add(place);
    box.hold(false);
    return place;
  }

  function drop(place: Place): void {
    place.run = null;
    places.delete(place);
    void place.box.end();
  }

  function next(): void {
    while (waiting.length > 0 && !closed) {
      const place = idle() ?? (places.size < most ? start() : null);
      if (place === null) return;
      give(place, waiting.shift() as Running);
    }
  }

  function give(place: Place, run: Running): void {
    place.run = run;
    place.box.hold(true);
    const { settle } = run;
    let guard: NodeJS.Timeout | undefined;
    let settled = false;
    void place.ready.promise.then(() => {
      if (settled) return;
      guard = setTimeout(
        () => {
          drop(place);
          run.settle({ error: timeoutError(run.job.kind, run.job.timeoutMs) });
          next();
        },
        Math.min(run.job.timeoutMs + GRACE_MS, 2 ** 31 - 1),
      );
    });
    run.settle = (result) => {
      settled = true;
      clearTimeout(guard);
      place.box.hold(false);
      settle(result);
    };
    place.box.post(run.job);
  }

  function idle(): Place | null {
    for (const place of places) if (place.run === null) return place;
    return null;
  }

  return {
    run(job, signal, onLine) {
      return new Promise<string>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const abort = () => {
          const at = waiting.indexOf(run);
          if (at >= 0) waiting.splice(at, 1);
          for (const place of places) if (place.run === run) drop(place);
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
      if (places.size === 0 && !closed) start();
    },
    async close() {
      closed = true;
      clearInterval(reaper);
      await Promise.all([...places].map(({ box }) => box.end()));
    },
  };
}

function errorOf({ error }: Extract<BoxAnswer, { t: 'fail' }>): TaskError {
  return new TaskError(error.code, error.message, { retryable: error.retryable });
}
