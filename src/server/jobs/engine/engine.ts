import { Fault } from '../../../lib/fault.ts';
import type { Store } from '../../store/port.ts';
import { continuePendingJobs } from '../lifecycle/task-expansion.ts';
import { recordSecretUses } from '../queue/claim-secrets.ts';
import { dispatchQueued } from '../queue/dispatch.ts';
import type { JobRecord, TaskRecord } from './records.ts';
import { DEFER_MS, flush, flushTasks, commitToMemory, undoTransaction, beginTransaction } from './transaction.ts';
import type { Transaction, TransactionDeps, Engine } from './port.ts';
import { startChildren } from '../children/start-child.ts';
import { continueForeachNodes } from '../foreach/run-foreach.ts';

/**
 * Weight of the operations that share a turn, at most (a heavier single one has a turn of its own): keeps a turn short. A quarter
 * of it takes a third off the loop delay at full load (p99), and writes half as many pages again: 8 to 14 % fewer events.
 */
const TURN_WEIGHT = 128;

/** The weight from which an operation is a slice of long work, whose cost sets the length of the next. */
const LONG_WEIGHT = 100;

const nothing = () => {};

/** Processor time of this thread: what other processes take of the machine says nothing of what a step costs. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

interface Operation {
  readonly weight: number;
  run(tx: Transaction): unknown;
  /** Of the type that `run` gives, which no list of many can tell. */
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Collects the operations of one turn of the event loop into one unit of work and one transaction, then hands queued
 * tasks to workers that have room, in the same transaction. Where an operation throws, each is run again alone, so that
 * it takes none of the others with it.
 */
export function createEngine(
  store: Store,
  deps: TransactionDeps & {
    now(): number;
    /** Tells the workers; gives what tells the callers. */ committed(tx: Transaction): () => void;
    onError(error: unknown): void;
  },
): Engine {
  let pending: Operation[] = [];
  let nudged = false;
  let looping: Promise<void> | null = null;
  /** Turns that are committed and not yet on the disk. */
  const settling = new Set<Promise<unknown>>();
  let deferTimer: NodeJS.Timeout | null = null;
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

  function take(): Operation[] {
    nudged = false;
    let weight = 0;
    let many = 0;
    while (many < pending.length && (many === 0 || weight + (pending[many]?.weight ?? 0) <= TURN_WEIGHT))
      weight += pending[many++]?.weight ?? 0;
    return pending.splice(0, many);
  }

  /** Resolves once the turn is committed, or undone: the next may begin. Its operations settle, and callers are told, when it is on the disk. */
  function turn(source: () => Operation[]): Promise<void> {
    return new Promise((next) => {
      let batch: Operation[] | null = null;
      let tx: Transaction | null = null;
      let results: unknown[] = [];
      let tell: (() => void) | null = null;
      let began: number | null = null;
      const settled = store
        .write(
          (db) => {
            // Where the store runs this again after a roll-back, memory is first put back.
            if (tx) undoTransaction(tx);
            batch ??= source();
            const isLong = deps.memory.foreachWork.size > 0 || batch.some(({ weight: its }) => its >= LONG_WEIGHT);
            began = isLong ? cpuMs() : null;
            const current = beginTransaction(db, deps, deps.now());
            tx = current;
            results = batch.map((op) => op.run(current));
            continuePendingJobs(current);
            const more = continueLongWork(current);
            dispatchQueued(current);
            current.needsAnotherTurn ||= more;
            recordSecretUses(current);
            flush(current);
          },
          () => {
            tell = finish(tx);
            if (tx && began !== null) deps.memory.turnBudget.record(cpuMs() - began, tx.tasks.size + tx.jobs.size);
            next();
          },
        )
        .then(
          () => {
            tell?.();
            batch?.forEach((op, i) => op.resolve(results[i]));
          },
          async (error: unknown) => {
            // Committed, but not kept by the disk: nothing can be promised, and nothing undone.
            if (tell) return batch?.forEach((op) => op.reject(error));
            if (tx) undoTransaction(tx);
            await runOneByOne(batch ?? source(), error);
            next();
          },
        )
        .catch(deps.onError)
        .finally(() => settling.delete(settled));
      settling.add(settled);
    });
  }

  /** Nothing that goes wrong from here on may undo what is committed. */
  function finish(tx: Transaction | null): () => void {
    try {
      if (!tx) return nothing;
      commitToMemory(tx);
      const tell = deps.committed(tx);
      if (tx.needsAnotherTurn) schedule();
      if (hasDeferred()) deferTimer ??= setTimeout(writeAged, DEFER_MS);
      return tell;
    } catch (error) {
      deps.onError(error);
      return nothing;
    }
  }

  const { deferredTasks, deferredJobs } = deps.memory;
  const hasDeferred = () => deferredTasks.size + deferredJobs.size > 0;
  const writeDeferred = (tx: Transaction) => flushTasks(tx);

  /** Writes what was late already at the last look, so that what ends within its first moments is written once. */
  function writeAged() {
    deferTimer = null;
    const kinds: readonly ReadonlySet<TaskRecord | JobRecord>[] = [deferredTasks, deferredJobs];
    const old = [...aging].filter((one) => kinds.some((kind) => kind.has(one)));
    aging = new Set<TaskRecord | JobRecord>([...deferredTasks, ...deferredJobs]);
    if (hasDeferred()) deferTimer = setTimeout(writeAged, DEFER_MS);
    if (old.length === 0) return;
    const jobs = new Set(old.map((one) => ('job' in one ? one.job : one)));
    void enqueue(1, (tx) => jobs.forEach((job) => flushTasks(tx, job))).catch(() => {});
  }

  async function runOneByOne(batch: Operation[], error: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length > 1) {
      for (const op of batch) await turn(() => [op]);
      return;
    }
    if (!(error instanceof Fault)) deps.onError(error);
    only?.reject(error);
  }

  function enqueue<T>(weight: number, run: (tx: Transaction) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      pending.push({ weight, run, resolve, reject });
      schedule();
    });
  }

  return {
    enqueue,
    nudge: schedule,
    written: async () => {
      if (hasDeferred()) await enqueue(1, writeDeferred);
    },
    async idle() {
      if (deferTimer) {
        clearTimeout(deferTimer);
        deferTimer = null;
        void enqueue(1, writeDeferred).catch(() => {});
      }
      while (looping || settling.size > 0) await (looping ?? Promise.all(settling));
    },
  };
}

/**
 * What is left to do once the operations of a turn are done: child jobs are started, forEach nodes go on. In slices, so that
 * no turn is long; true where another one has to follow. All of it is in the database too.
 */
export function continueLongWork(tx: Transaction): boolean {
  const { foreachWork, totals } = tx.memory;
  if (tx.childStarts.length === 0 && tx.foreachRecords.size === 0 && foreachWork.size === 0 && totals.childrenDue === 0)
    return false;
  continueForeachNodes(tx);
  startChildren(tx);
  return foreachWork.size > 0 || totals.childrenDue > 0;
}
