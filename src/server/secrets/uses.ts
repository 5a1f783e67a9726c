import { workflowIdForDraft } from '../../contract/draft-ids.ts';
import type { Access } from '../access/port.ts';
import type { ReadHandle, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { SecretRun, SecretUse } from './port.ts';

/** Who hands secrets out. */
const MASTER: Actor = { name: 'yardmaster', role: null, address: null };

/** True where the run's version is, or was at any time, published to its environment. What the event endpoint and `workflow` nodes run always is. */
export function wasPublished(db: ReadHandle, run: SecretRun): boolean {
  if (run.kind === 'event' || run.kind === 'child') return true;
  return (
    db
      .query('SELECT 1 FROM publication WHERE hash = ? AND workflow_id = ? AND environment = ? LIMIT 1')
      .get(run.commit, run.workflowId, run.environment) !== undefined
  );
}

/** The project of the workflow that runs; null: it is not known. */
export const projectOf = (db: ReadHandle, { workflowId }: SecretRun): string | null =>
  db.query<{ project: string }>('SELECT project FROM workflow WHERE id = ?').get(workflowIdForDraft(workflowId))
    ?.project ?? null;

/** `has`: whether there is a value, which was handed out. */
export function recordUses(
  db: WriteHandle,
  uses: readonly SecretUse[],
  has: (name: string) => boolean,
  record: Access['audit']['record'],
): void {
  for (const { names, ...use } of uses)
    for (const name of names) {
      const target = `secret:${name}`;
      if (!has(name) || db.query(NOTED).get(use.jobId, target)) continue;
      record(db, MASTER, {
        action: 'secret.use',
        target,
        before: null,
        after: { ...use, ...whose(db, use) },
        frequent: true,
      });
    }
}

const NOTED = `SELECT 1 FROM audit WHERE action = 'secret.use' AND json_extract(after, '$.jobId') = ? AND target = ?`;

/** Whose definition it was, and who had it run where that was a person: what is not saved was written by whoever ran it. */
function whose(db: WriteHandle, { jobId, commit }: SecretUse | Omit<SecretUse, 'names'>) {
  const startedBy =
    db
      .query<{ actor: string }>(
        `SELECT actor FROM audit WHERE target = ? AND action IN ('job.create', 'job.rerun', 'workflow.draftRun') LIMIT 1`,
      )
      .get(`job:${jobId}`)?.actor ?? null;
  const version = db.query<{ author_name: string }>('SELECT author_name FROM version WHERE hash = ?').get(commit);
  return { author: version?.author_name ?? startedBy, startedBy };
}
