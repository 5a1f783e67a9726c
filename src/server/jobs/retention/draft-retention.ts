import { isDraftId } from '../../../contract/draft-ids.ts';
import type { Limits } from '../../../contract/limits.ts';
import type { ReadHandle } from '../../store/port.ts';
import { removeJobs, type ExpiredJob } from './remove-jobs.ts';
import * as sql from './sql.ts';
import type { Memory, Engine } from '../engine/port.ts';

/** A turn takes so many away. */
const AT_ONCE = 8;
const REST_MS = 30_000;

export interface DraftRetentionDeps {
  readonly engine: Engine;
  readonly read: ReadHandle;
  readonly memory: Memory;
  readonly limits: Readonly<Pick<Limits, 'draftRunKeepSeconds'>>;
}

/**
 * Removes draft runs a while after their end, whatever the retention of jobs says, and with the last job of a definition
 * that definition. Where there are no drafts it looks at nothing but memory.
 */
export function createDraftRetention({
  engine,
  read,
  memory,
  limits,
}: DraftRetentionDeps): (now: number) => Promise<void> {
  let next = 0;
  return async (now) => {
    if (now < next) return;
    next = now + Math.min(REST_MS, limits.draftRunKeepSeconds * 1000);
    const until = now - limits.draftRunKeepSeconds * 1000;
    const shadows = new Set(
      [...memory.counts.values()].flatMap(({ workflowId, jobs }) =>
        jobs > 0 && isDraftId(workflowId) ? [workflowId] : [],
      ),
    );
    for (const workflowId of shadows) {
      for (let removed = AT_ONCE; removed === AT_ONCE;) {
        // Numbers of jobs are given by the highest one there is.
        const newest = read.query<{ seq: number | null }>(sql.NEWEST_JOB).get()?.seq;
        const jobs = read
          .query<ExpiredJob & { commit_hash: string }>(sql.OLD_DRAFTS)
          .all(workflowId, until, AT_ONCE)
          .filter(({ seq }) => seq !== newest);
        if (jobs.length === 0) break;
        removed = await engine.enqueue(AT_ONCE, (tx) => {
          const gone = removeJobs(tx, jobs, null);
          for (const hash of new Set(jobs.map((job) => job.commit_hash)))
            tx.db.statement(sql.DELETE_DRAFT).run(`draft:${hash}`, workflowId, hash);
          return gone;
        });
      }
    }
  };
}
