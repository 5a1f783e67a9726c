import type Database from 'better-sqlite3';
import { itemAt } from '../../../lib/item-at.ts';
import { parseStored } from '../../../lib/json.ts';
import type { ReadHandle } from '../../store/port.ts';
import { documentOf, type IndexState } from './index-file.ts';
import { inputsOf } from './job-inputs.ts';
import { termsOf, type TermLimits } from './terms.ts';

/** Jobs may be written a moment after others that came later; those so young are left to the next step. */
export const INDEX_DELAY_MS = 1000;
/** Where a number is left out, its job may still come, should the disk have stalled: so long it is waited for. */
export const GAP_TIMEOUT_MS = 30_000;
/** Jobs whose documents one step looks for, to drop those of deleted jobs. */
const SWEPT_PER_STEP = 5000;

export interface IndexerDeps {
  /** The master's database, a handle of the thread's own. */
  readonly read: ReadHandle;
  readonly index: Database.Database;
  readonly limits: TermLimits;
  now(): number;
}

interface NewJob {
  seq: number;
  id: string;
  input_count: number;
  labels: string | null;
  created_at: number;
}

export interface Indexer {
  /** Indexes jobs for about so long, in one transaction. Says how many, and whether more are waiting. */
  step(ms: number): { jobs: number; more: boolean };
  /** Drops documents of jobs that were deleted, a few thousand places on; true once it has come round. */
  sweep(): boolean;
  state(): IndexState;
}

const NEW_JOBS = 'SELECT seq, id, input_count, labels, created_at FROM job WHERE seq > ? ORDER BY seq LIMIT 200';

export function createIndexer({ read, index, limits, now }: IndexerDeps): Indexer {
  const insert = index.prepare('INSERT INTO doc (rowid, terms) VALUES (?, ?)');
  const drop = index.prepare('DELETE FROM doc WHERE rowid = ?');
  const keep = index.prepare('UPDATE indexed SET seq = ?, job_id = ?, created_at = ?');
  const keepSwept = index.prepare('UPDATE indexed SET swept = ?');
  const docs = index
    .prepare<[number, number], number>('SELECT id FROM doc_docsize WHERE id > ? ORDER BY id LIMIT ?')
    .pluck();
  const stateOf = index.prepare<[], IndexState>('SELECT salt, seq, job_id, created_at, swept FROM indexed');
  const state = () => itemAt(stateOf.all(), 0);

  const step = index.transaction((ms: number) => {
    const until = performance.now() + ms;
    const { salt, seq } = state();
    const settled = now() - INDEX_DELAY_MS;
    let last: NewJob | null = null;
    let jobs = 0;
    for (;;) {
      const batch = read.query<NewJob>(NEW_JOBS).all(last?.seq ?? seq);
      for (const job of batch) {
        const isSettled = job.created_at <= (job.seq === (last?.seq ?? seq) + 1 ? settled : settled - GAP_TIMEOUT_MS);
        if (!isSettled || performance.now() > until) {
          keepLast(last);
          return { jobs, more: isSettled };
        }
        insert.run(
          job.seq,
          documentOf(
            salt,
            termsOf(inputsOf(read, job.seq, job.input_count, limits.searchInputs), limits),
            labelsOf(job.labels),
          ),
        );
        last = job;
        jobs++;
      }
      if (batch.length > 0) continue;
      keepLast(last);
      return { jobs, more: false };
    }
  });
  const keepLast = (job: NewJob | null) => void (job && keep.run(job.seq, job.id, job.created_at));

  const sweep = index.transaction(() => {
    const { swept } = state();
    const ids = docs.all(swept, SWEPT_PER_STEP);
    const last = ids.at(-1);
    if (last === undefined) {
      keepSwept.run(0);
      return true;
    }
    const there = new Set(
      read
        .query<{ seq: number }>('SELECT seq FROM job WHERE seq BETWEEN ? AND ?')
        .all(itemAt(ids, 0), last)
        .map(({ seq }) => seq),
    );
    for (const id of ids) if (!there.has(id)) drop.run(id);
    keepSwept.run(last);
    return false;
  });

  return { step, sweep, state };
}

/** The labels of a job's row. */
export const labelsOf = (text: string | null): Record<string, string> =>
  text === null ? {} : parseStored<Record<string, string>>(text);
