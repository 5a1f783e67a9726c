import { Fault } from '../../../lib/fault.ts';
import type { Store } from '../../store/port.ts';
import { keepOpen } from '../lifecycle/task-expansion.ts';
import { workOn } from './end-of-turn.ts';
import { dispatch } from '../queue/dispatch.ts';
import { LATE_MS } from './deferred-writes.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { flush, flushTasks, keepUnit, undoUnit } from './flush.ts';
import { beginUnit, type Unit, type UnitDeps } from './transaction.ts';

/**
 * Weight of the operations that share a turn, at most (a heavier single one has a turn of its own): keeps a turn short. A quarter
 * of it takes a third off the loop delay at full load (p99), and writes half as many pages again: 8 to 14 % fewer events.
 */
const TURN_WEIGHT = 128;

/** The weight from which an operation is a slice of long work, whose cost sets the length of the next. */
const LONG = 100;

const nothing = () => {};

/** Processor time of this thread: what other processes take of the machine says nothing of what a step costs. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

interface Op {
  readonly weight: number;
  run(unit: Unit): unknown;
  resolve(value: never): void;
  reject(error: unknown): void;
}

export interface Engine {
  /** Runs `op` in the next turn; the promise settles once that is written (`Store.write`). `weight` is about the number of tasks it touches. */
  enqueue<T>(weight: number, op: (unit: Unit) => T): Promise<T>;
  /** A turn without an operation of its own: hands out what is queued. */
  nudge(): void;
  /** Resolves once the rows say what memory does. */
  written(): Promise<void>;
  /** Waits for the turns under way. */
  idle(): Promise<void>;
}

/**
 * Collects the operations of one turn of the event loop into one unit of work and one transaction, then hands queued
 * tasks to workers that have room, in the same transaction. Where an operation throws, each is run again alone, so that
 * it takes none of the others with it.
 */
export function createEngine(
  store: Store,
  deps: UnitDeps & {
    now(): number;
    /** Tells the workers; gives what tells the callers. */ committed(unit: Unit): () => void;
    onError(error: unknown): void;
  },
): Engine {
  let pending: Op[] = [];
  let nudged = false;
  let looping: Promise<void> | null = null;
  /** Turns that are committed and not yet on the disk. */
  const settling = new Set<Promise<unknown>>();
  let lateTimer: NodeJS.Timeout | null = null;
  let aging = new Set<TaskRecord | JobRecord>();

  function schedule() {
    nudged = true;
    looping ??= loop();
  }

  /** One turn at a time: a turn builds on memory as the one before left it, committed or undone. */
  async function loop() {
    while (nudged || pending.length > 0) await turn(take);
    looping = null;
  }

  function take(): Op[] {
    nudged = false;
    let weight = 0;
    let many = 0;
    while (many < pending.length && (many === 0 || weight + (pending[many]?.weight ?? 0) <= TURN_WEIGHT))
      weight += pending[many++]?.weight ?? 0;
    return pending.splice(0, many);
  }

  /** Resolves once the turn is committed, or undone: the next may begin. Its operations settle, and callers are told, when it is on the disk. */
  function turn(source: () => Op[]): Promise<void> {
    return new Promise((next) => {
      let batch: Op[] | null = null;
      let unit: Unit | null = null;
      let results: unknown[] = [];
      let tell: (() => void) | null = null;
      let began: number | null = null;
      const settled = store
        .write(
          (db) => {
            // Where the store runs this again after a roll-back, memory is first put back.
            if (unit) undoUnit(unit);
            batch ??= source();
            const isLong = deps.memory.fansAtWork.size > 0 || batch.some(({ weight: its }) => its >= LONG);
            began = isLong ? cpuMs() : null;
            const current = beginUnit(db, deps, deps.now());
            unit = current;
            results = batch.map((op) => op.run(current));
            keepOpen(current);
            const more = workOn(current);
            dispatch(current);
            current.goOn ||= more;
            flush(current);
          },
          () => {
            tell = finish(unit);
            if (unit && began !== null) deps.memory.pace.took(cpuMs() - began, unit.tasks.size + unit.jobs.size);
            next();
          },
        )
        .then(
          () => {
            tell?.();
            batch?.forEach((op, i) => op.resolve(results[i] as never));
          },
          async (error: unknown) => {
            // Committed, but not kept by the disk: nothing can be promised, and nothing undone.
            if (tell) return batch?.forEach((op) => op.reject(error));
            if (unit) undoUnit(unit);
            await isolate(batch ?? source(), error);
            next();
          },
        )
        .catch(deps.onError)
        .finally(() => settling.delete(settled));
      settling.add(settled);
    });
  }

  /** Nothing that goes wrong from here on may undo what is committed. */
  function finish(unit: Unit | null): () => void {
    try {
      if (!unit) return nothing;
      keepUnit(unit);
      const tell = deps.committed(unit);
      if (unit.goOn) schedule();
      if (isLate()) lateTimer ??= setTimeout(age, LATE_MS);
      return tell;
    } catch (error) {
      deps.onError(error);
      return nothing;
    }
  }

  const { late, lateJobs } = deps.memory;
  const isLate = () => late.size + lateJobs.size > 0;
  const writeLate = (unit: Unit) => flushTasks(unit);

  /** Writes what was late already at the last look, so that what ends within its first moments is written once. */
  function age() {
    lateTimer = null;
    const old = [...aging].filter((one) => late.has(one as TaskRecord) || lateJobs.has(one as JobRecord));
    aging = new Set<TaskRecord | JobRecord>([...late, ...lateJobs]);
    if (isLate()) lateTimer = setTimeout(age, LATE_MS);
    if (old.length === 0) return;
    const jobs = new Set(old.map((one) => ('job' in one ? one.job : one)));
    void enqueue(1, (unit) => jobs.forEach((job) => flushTasks(unit, job))).catch(() => {});
  }

  async function isolate(batch: Op[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length > 1) {
      for (const op of batch) await turn(() => [op]);
      return;
    }
    if (!(error instanceof Fault)) deps.onError(error);
    only?.reject(error);
  }

  function enqueue<T>(weight: number, run: (unit: Unit) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      pending.push({ weight, run, resolve: resolve as (value: never) => void, reject });
      schedule();
    });
  }

  return {
    enqueue,
    nudge: schedule,
    written: async () => {
      if (isLate()) await enqueue(1, writeLate);
    },
    async idle() {
      if (lateTimer) {
        clearTimeout(lateTimer);
        lateTimer = null;
        void enqueue(1, writeLate).catch(() => {});
      }
      while (looping || settling.size > 0) await (looping ?? Promise.all(settling));
    },
  };
}
