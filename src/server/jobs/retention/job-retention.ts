import { itemAt } from '../../../lib/item-at.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { OtherSettings } from '../../../contract/settings.ts';
import type { Store } from '../../store/port.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import { archiveName } from './archive-file.ts';
import { createArchive } from './archive.ts';
import { TASKS_DELETED_AT_ONCE, removeJobs, deleteRemovedRows, type ExpiredJob } from './remove-jobs.ts';
import * as sql from './sql.ts';
import type { Memory, Engine } from '../engine/port.ts';
import type { Retention } from './port.ts';

export interface JobRetentionDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly memory: Memory;
  readonly limits: Readonly<Pick<Limits, 'jobRetentionDays' | 'jobRetentionCount' | 'retentionStepMs'>>;
  readonly other: Readonly<Pick<OtherSettings, 'jobRetentionMode'>>;
  /** Where archive files are kept. */
  readonly folder: string;
  now(): number;
}

const DAY_MS = 86_400_000;
const MAX_JOBS = 64;
/** Rows of a large job that one turn takes away, at first. */
const ROWS = 200;
/** While tasks wait or run, a turn of retention is followed by this many times as long for them. */
const BUSY_SHARE = 6;

/**
 * Removes finished jobs by age and by count, those that finished first first, with all that belongs to them. Each turn
 * takes about `retentionStepMs`; how many jobs that are is learned on the way. What is archived is on the disk before it
 * is removed, and the length that counts is kept in the transaction that removes: a crash neither loses nor doubles a job.
 */
export function createJobRetention({ engine, store, memory, limits, other, folder, now }: JobRetentionDeps): Retention {
  const { read } = store;
  const archive = createArchive(store, folder);
  /** Files may hold jobs that were not removed: since a master was killed, the store refused, or jobs stayed. */
  let loose = true;
  const closing = new AbortController();
  let stop = closing.signal;
  let atOnce = 8;
  let rowsAtOnce = ROWS;

  /** One turn; learns how much fits into the next. */
  async function turn<T>(run: Parameters<typeof engine.enqueue<T>>[1]): Promise<{ result: T; share: number }> {
    let began = 0;
    const result = await engine.enqueue(TASKS_DELETED_AT_ONCE, (tx) => {
      began = performance.now();
      return run(tx);
    });
    // With the commit, which writes a page or more for each row.
    const ms = performance.now() - began;
    const { ready, scheduled, running } = memory.totals;
    const busy = ready + scheduled + running > 0;
    await new Promise((resolve) => setTimeout(resolve, busy ? Math.ceil(ms * BUSY_SHARE) : 1));
    return { result, share: ms / limits.retentionStepMs };
  }
  /** Grows slowly and shrinks fast: one long turn is worse than many short ones. */
  const learned = (size: number, share: number, most: number) =>
    Math.max(
      1,
      Math.min(
        most,
        Math.round(size * Math.min(1.25, Math.max(0.25, 1 / Math.max(share, 0.01))) + (share < 1 ? 0.5 : 0)),
      ),
    );

  function candidates(
    until: number,
    after: { at: number; seq: number },
    most: number,
  ): { jobs: ExpiredJob[]; next: { at: number; seq: number } | null } {
    const found = read.query<ExpiredJob>(sql.OLDEST_FINISHED).all(until, after.at, after.seq, most);
    const newest = read.query<{ seq: number | null }>(sql.NEWEST_JOB).get()?.seq;
    const last = found.at(-1);
    const isSource = (id: string) =>
      memory.pendingInputs.size > 0 && read.query(sql.PENDING_RERUN_OF_JOB).get(id) !== undefined;
    const free = found.filter(
      ({ seq, id, parent_job_id: parent }) =>
        seq !== newest && (parent === null || !read.query(sql.OPEN_PARENT).get(parent)) && !isSource(id),
    );
    // As many small jobs as fit, or one large one, and for the archive those of one day.
    let tasks = 0;
    const jobs: ExpiredJob[] = [];
    for (const job of free) {
      if (
        jobs.length > 0 &&
        (tasks + job.tasks > TASKS_DELETED_AT_ONCE ||
          archiveName(job.finished_at) !== archiveName(jobs[0]?.finished_at ?? 0))
      )
        break;
      jobs.push(job);
      tasks += job.tasks;
    }
    return { jobs, next: jobs.length > 0 || !last ? null : { at: last.finished_at, seq: last.seq } };
  }

  /** Removes jobs that finished until then, at most so many. */
  async function removeUntil(until: number, most: number): Promise<number> {
    let removed = 0;
    let after: { at: number; seq: number } | null = { at: -1, seq: -1 };
    while (after && !stop.aborted && removed < most) {
      const { jobs, next } = candidates(until, after, Math.min(atOnce, most - removed));
      if (jobs.length === 0) after = next;
      else {
        const archived =
          other.jobRetentionMode === 'archive'
            ? await archive.append(
                jobs[0]?.finished_at ?? 0,
                jobs.map(({ seq }) => seq),
              )
            : null;
        const { result, share } = await turn((tx) => removeJobs(tx, jobs, archived));
        removed += result;
        atOnce = learned(atOnce, share, MAX_JOBS);
        const last = itemAt(jobs, jobs.length - 1);
        // What did not go is passed over until the next pass.
        if (result < jobs.length) {
          loose = true;
          after = { at: last.finished_at, seq: last.seq };
        }
        await sweep();
      }
    }
    return removed;
  }

  /** What large jobs left behind, also those of a master that was killed. */
  async function sweep(): Promise<void> {
    while (!stop.aborted && read.query(sql.NEXT_REMOVED_JOB).get()) {
      const { result, share } = await turn((tx) => deleteRemovedRows(tx, rowsAtOnce));
      if (!result) return;
      rowsAtOnce = learned(rowsAtOnce, share, 5000);
    }
  }

  async function pass(): Promise<number> {
    if (loose) await archive.cutTails();
    loose = false;
    await sweep();
    let removed = 0;
    if (limits.jobRetentionDays > 0)
      removed += await removeUntil(now() - limits.jobRetentionDays * DAY_MS, Number.MAX_SAFE_INTEGER);
    if (limits.jobRetentionCount > 0) {
      let finished = -memory.totals.open;
      for (const { jobs } of memory.counts.values()) finished += jobs;
      const surplus = finished - limits.jobRetentionCount;
      if (surplus > 0) removed += await removeUntil(Number.MAX_SAFE_INTEGER, surplus);
    }
    if (removed > 0)
      await store.write((db) =>
        db.statement(sql.DELETE_EMPTY_BLOCKS).run(Math.floor(memory.totals.nextJob / BLOCK_JOBS)),
      );
    return removed;
  }

  let passing: Promise<number> | null = null;
  return {
    pass(signal) {
      if (!passing) {
        stop = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
        passing = pass()
          .catch((error: unknown) => {
            loose = true;
            throw error;
          })
          .finally(() => (passing = null));
      }
      return passing;
    },
    async close() {
      closing.abort();
      await passing?.catch(() => {});
      await archive.close();
    },
  };
}
