import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import { prepareReruns, type PreparedRerun, type RerunDeps } from './rerun-prepare.ts';
import { rerunSlice } from './rerun-slice.ts';
import { parseRerunChoice, type OperationRow } from './operation-rows.ts';
import { parseChunk, type Chunk, type ChunkRow } from './chunk.ts';
import { runOperationSlice, skipJob } from './operation-slice.ts';
import * as sql from './sql.ts';
import type { Engine } from '../engine/port.ts';
import { SLICE_WEIGHT } from '../engine/run-in-slices.ts';

export interface RunnerDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  readonly reruns: RerunDeps;
  /** Goes on with the tasks of large jobs. */
  resumeExpansion(): void;
  /** True where an operation that has queued tasks of `done` jobs should wait, as its tasks would only wait for a worker. */
  isFull(done: number): boolean;
  /** Something of it changed. */
  changed(id: string): void;
  onError(error: unknown): void;
}

/** The loop's rest after a slice is as long as the slice, and at most this. */
const REST_MS = 50;
const REFUSED_MS = 1000;
const FULL_MS = 100;
/** A retry or a rerun that waits for the queue still takes a slice now and then: the queue may be another's, and long for hours. */
const TRICKLE_MS = 1000;
/**
 * Faults that say that no write is accepted for now, that no input can be checked, or that it is not known whether a write was
 * kept: none is the fault of a job. The next slice begins where the row says.
 */
const REFUSALS: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'SHUTTING_DOWN', 'OVERLOADED', 'NO_OWNER']);

type Known = Pick<OperationRow, 'seq' | 'id' | 'kind'>;

interface Running extends Known {
  chunk: Chunk | null;
  /** Jobs dealt with, and when its last slice began. */
  done: number;
  at: number;
  /** Jobs of a slice; 1 after a slice that failed, to find the job that is the cause. */
  most: number | undefined;
  /** Jobs of a rerun that were prepared and not begun yet, from the place `first` on. */
  ready: { readonly first: number; readonly jobs: readonly PreparedRerun[] };
}

/**
 * Works off the running operations, a slice of each in turn, and leaves at least half of the event loop's time to
 * everything else, however many they are.
 */
export function createRunner({ engine, read, reruns, resumeExpansion, isFull, changed, onError }: RunnerDeps) {
  const running = new Map<number, Running>();
  let looping: Promise<void> | null = null;
  let closed = false;
  let wake: (() => void) | null = null;

  async function loop(): Promise<void> {
    while (running.size > 0 && !closed) {
      for (const one of [...running.values()]) {
        if (closed) break;
        const began = performance.now();
        if (one.kind !== 'kill' && isFull(one.done) && began - one.at < TRICKLE_MS) {
          await pause(FULL_MS);
          continue;
        }
        one.at = began;
        const refused = await turn(one).then(
          () => false,
          (error: unknown) => failed(one, error),
        );
        await pause(refused ? REFUSED_MS : Math.min(REST_MS, performance.now() - began));
      }
    }
    looping = null;
  }

  async function turn(one: Running): Promise<void> {
    const row =
      one.kind === 'rerun'
        ? await rerunTurn(one)
        : await engine.enqueue(SLICE_WEIGHT, (tx) =>
            rowAt(tx.db, one) && one.chunk ? runOperationSlice(tx, one.seq, one.chunk, one.most) : null,
          );
    one.most = undefined;
    one.done = row?.done ?? 0;
    if (row?.status !== 'RUNNING') running.delete(one.seq);
    changed(one.id);
  }

  /** The row of an operation that is to go on, once the part of its jobs is at hand that comes next. */
  function rowAt(db: ReadHandle, one: Running): OperationRow | null {
    const row = db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(one.seq);
    if (row?.status !== 'RUNNING') return null;
    if (!one.chunk || row.done < one.chunk.first || row.done >= one.chunk.first + one.chunk.jobs.length)
      one.chunk = chunkAt(db, one.seq, row.done);
    if (!one.chunk) throw new Error(`job ${row.done} of ${row.total} not found in operation ${one.id}`);
    return row;
  }

  async function rerunTurn(one: Running): Promise<OperationRow | null> {
    const row = rowAt(read, one);
    if (!row || !one.chunk) return null;
    const choice = parseRerunChoice(row.rerun ?? '{}');
    let jobs = one.most === undefined ? one.ready.jobs.slice(row.done - one.ready.first) : [];
    if (jobs.length === 0) {
      await engine.written();
      jobs = await prepareReruns(reruns, choice, one.chunk.jobs.slice(row.done - one.chunk.first), one.most);
    }
    const { chunk } = one;
    const after = await engine.enqueue(SLICE_WEIGHT, (tx) => rerunSlice(tx, one.seq, row.done, choice, jobs, chunk));
    // Where none was begun they have to be prepared anew.
    one.ready = { first: row.done, jobs: after?.done === row.done ? [] : jobs };
    resumeExpansion();
    return after;
  }

  /** True where the store refuses writes for now. Else the jobs are tried one by one, and the one that cannot be dealt with is passed over. */
  async function failed(one: Running, error: unknown): Promise<boolean> {
    if (error instanceof Fault && REFUSALS.has(error.code)) return true;
    if (one.most !== 1) {
      one.most = 1;
      return false;
    }
    one.most = undefined;
    const { chunk } = one;
    onError(error);
    if (!chunk) {
      running.delete(one.seq);
      return false;
    }
    return engine
      .enqueue(1, (tx) => skipJob(tx, one.seq, chunk, error instanceof Error ? error.message : String(error)))
      .then(
        () => false,
        () => true,
      );
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (closed) wake();
    });

  const runner = {
    /** Takes an operation on, at the place that its row tells. */
    add({ seq, id, kind }: Known): void {
      if (closed || running.has(seq)) return;
      running.set(seq, { seq, id, kind, chunk: null, done: 0, at: 0, most: undefined, ready: { first: 0, jobs: [] } });
      looping ??= loop();
    },
    get size() {
      return running.size;
    },
    async close(): Promise<void> {
      closed = true;
      wake?.();
      await looping;
    },
  };
  for (const known of read.query<Known>(sql.RUNNING_OPERATIONS).all()) runner.add(known);
  return runner;
}
export type Runner = ReturnType<typeof createRunner>;

/** The part of an operation's jobs that holds this place. */
export function chunkAt(read: ReadHandle, operation: number, place: number): Chunk | null {
  const row = read.query<ChunkRow>(sql.CHUNK_AT).get(operation, place);
  return row ? parseChunk(row) : null;
}
