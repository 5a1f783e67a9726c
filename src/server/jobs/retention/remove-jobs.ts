import type { JobStatus } from '../../../contract/vocabulary.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import * as sql from './sql.ts';
import type { Transaction } from '../engine/port.ts';
import { countKey } from '../engine/write-rows.ts';

/** A finished job whose time is over. */
export interface ExpiredJob {
  readonly seq: number;
  readonly id: string;
  readonly finished_at: number;
  readonly created_at: number;
  readonly parent_job_id: string | null;
  readonly tasks: number;
}

interface Row {
  seq: number;
  id: string;
  finished_at: number;
  created_at: number;
  workflow_id: string;
  environment: string | null;
  status: JobStatus;
}

/** A job with more tasks is taken away by its own row first; the rest follows in steps. */
export const TASKS_DELETED_AT_ONCE = 200;

/** What an archive file holds once these jobs are removed. */
export interface Archived {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Removes jobs that are as they were when they were chosen: one that was retried meanwhile stays, and with it those that
 * were archived together with it. Says how many went.
 * Their counts are part of the turn, so totals are never wrong.
 */
export function removeJobs(tx: Transaction, jobs: readonly ExpiredJob[], archived: Archived | null): number {
  const { db, memory } = tx;
  const needed = sourcesOfReruns(tx);
  const chosen = new Map(jobs.map((job) => [job.seq, job]));
  const rows = db
    .query<Row>(sql.STILL_FINISHED)
    .all(JSON.stringify([...chosen.keys()]))
    .filter(
      (row) => row.finished_at === chosen.get(row.seq)?.finished_at && !memory.jobs.has(row.seq) && !needed.has(row.id),
    );
  // The file holds all of them: with one that stays it would hold that one twice. The next round writes over it.
  if (archived && rows.length < jobs.length) return 0;
  if (archived) db.statement(sql.PUT_ARCHIVE_FILE).run(archived.name, archived.bytes, rows.length);
  if (rows.length === 0) return 0;
  db.statement(sql.DELETE_JOBS).run(JSON.stringify(rows.map(({ seq }) => seq)));
  const small: number[] = [];
  for (const row of rows) {
    uncount(tx, row);
    db.statement(sql.DELETE_IDEMPOTENCY).run(row.created_at, row.id);
    if ((chosen.get(row.seq)?.tasks ?? 0) <= TASKS_DELETED_AT_ONCE) small.push(row.seq);
    else db.statement(sql.INSERT_REMOVED_JOB).run(row.seq);
  }
  const list = JSON.stringify(small);
  if (small.length > 0) for (const table of sql.JOB_TABLES) db.statement(sql.deleteRows(table)).run(list);
  return rows.length;
}

/** Jobs from which reruns still take over what had finished: not all replicas of these are begun. */
function sourcesOfReruns({ db, memory: { pendingInputs } }: Transaction): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const seq of pendingInputs.keys()) {
    const source = db.query<{ id: string | null }>(sql.SOURCE_OF_RERUN).get(seq)?.id;
    if (source) ids.add(source);
  }
  return ids;
}

/** Takes up to about so many rows of a removed large job away; false where there is no such job any more. */
export function deleteRemovedRows({ db }: Pick<Transaction, 'db'>, rows: number): boolean {
  const next = db.query<{ seq: number }>(sql.NEXT_REMOVED_JOB).get();
  if (!next) return false;
  for (const table of sql.JOB_TABLES)
    if (db.statement(sql.deleteSomeRows(table)).run(next.seq, rows) >= rows) return true;
  db.statement(sql.DELETE_REMOVED_JOB).run(next.seq);
  return true;
}

function uncount({ counts }: Transaction, { seq, workflow_id, environment, status }: Row): void {
  const block = Math.floor(seq / BLOCK_JOBS);
  const key = `${block} ${countKey(workflow_id, environment, status)}`;
  const known = counts.get(key);
  if (known) known.jobs--;
  else counts.set(key, { block, workflowId: workflow_id, environment: environment ?? '', status, jobs: -1 });
}
