import { Fault } from '../../../lib/fault.ts';
import type { ReadHandle } from '../../store/port.ts';
import type { Engine } from '../engine.ts';
import type { OperationRow } from './rows.ts';
import { chunkOf, operationSlice, skipJob, type Chunk } from './slice.ts';
import * as sql from './sql.ts';

export interface RunnerDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  /** True where an operation that has retried `done` jobs should wait, as its tasks would only wait for a worker. */
  isFull(done: number): boolean;
  /** Something of it changed. */
  changed(id: string): void;
  onError(error: unknown): void;
}

/** Weight of a slice: it has a turn of its own. */
const WEIGHT = 200;
/** The loop's rest after a slice is as long as the slice, and at most this. */
const REST_MS = 50;
const REFUSED_MS = 1000;
const FULL_MS = 100;
/** A retry that waits for the queue still takes a slice now and then: the queue may be another's, and long for hours. */
const TRICKLE_MS = 1000;
/** What the store says where it takes no write for now. */
const REFUSALS: ReadonlySet<string> = new Set(['STORE_UNAVAILABLE', 'SHUTTING_DOWN']);

type Known = Pick<OperationRow, 'seq' | 'id' | 'kind'>;

interface Running extends Known {
  chunk: Chunk | null;
  /** Jobs dealt with, and when its last slice began. */
  done: number;
  at: number;
  /** Jobs of a slice; 1 after a slice that failed, to find the job that is the cause. */
  most: number | undefined;
}

/**
 * Works off the running operations, a slice of each in turn, and leaves at least half of the event loop's time to
 * everything else, however many they are.
 */
export function createRunner({ engine, read, isFull, changed, onError }: RunnerDeps) {
  const running = new Map<number, Running>();
  let looping: Promise<void> | null = null;
  let closed = false;
  let wake: (() => void) | null = null;

  async function loop(): Promise<void> {
    while (running.size > 0 && !closed) {
      for (const one of [...running.values()]) {
        if (closed) break;
        const began = performance.now();
        if (one.kind === 'retry' && isFull(one.done) && began - one.at < TRICKLE_MS) {
          await pause(FULL_MS);
          continue;
        }
        one.at = began;
        const refused = await turn(one).then(() => false, (error: unknown) => failed(one, error));
        await pause(refused ? REFUSED_MS : Math.min(REST_MS, performance.now() - began));
      }
    }
    looping = null;
  }

  async function turn(one: Running): Promise<void> {
    const row = await engine.enqueue(WEIGHT, (unit) => {
      const at = unit.db.query<OperationRow>(sql.OPERATION_BY_SEQ).get(one.seq);
      if (!at || at.status !== 'RUNNING') return null;
      if (!one.chunk || at.done < one.chunk.first || at.done >= one.chunk.first + one.chunk.jobs.length) one.chunk = chunkAt(unit.db, one.seq, at.done);
      if (!one.chunk) throw new Error(`operation ${one.id} has no job ${at.done} of ${at.total}`);
      return operationSlice(unit, one.seq, one.chunk, one.most);
    });
    one.most = undefined;
    one.done = row?.done ?? 0;
    if (row?.status !== 'RUNNING') running.delete(one.seq);
    changed(one.id);
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
    return engine.enqueue(1, (unit) => skipJob(unit, one.seq, chunk, error instanceof Error ? error.message : String(error))).then(() => false, () => true);
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
      running.set(seq, { seq, id, kind, chunk: null, done: 0, at: 0, most: undefined });
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
  const row = read.query<{ first: number; jobs: string }>(sql.CHUNK_AT).get(operation, place);
  return row ? chunkOf(row) : null;
}
