import { draftIdForWorkflow, workflowIdForDraft } from '../../contract/draft-ids.ts';
import { DRAFT_PREFIX, draftHash } from '../../lib/draft-hash.ts';
import { Fault } from '../../lib/fault.ts';
import type { ReadHandle } from '../store/port.ts';
import { dataDamaged } from '../store/whole.ts';
import type { WorkflowDeps } from './deps.ts';
import type { Workflows } from './port.ts';

/** What is run without being saved lies beside the saved definitions, under a key that no blob has; the engine removes it with its last job. */
export const draftKey = (hash: string): string => DRAFT_PREFIX + hash;

/** The text of a draft. Throws COMMIT_NOT_FOUND once its jobs were removed, and DATA_DAMAGED. */
export function draftText(read: ReadHandle, workflowId: string, hash: string): string {
  const row = read.query<{ text: string }>('SELECT text FROM definition WHERE blob = ?').get(draftKey(hash));
  if (!row)
    throw new Fault(
      'COMMIT_NOT_FOUND',
      `draft ${hash} of workflow ${workflowId} not found: draft runs are deleted some time after they finish`,
    );
  if (draftHash(draftIdForWorkflow(workflowId), row.text) !== hash) throw dataDamaged(`the draft ${hash}`);
  return row.text;
}

/** When the first job of a draft that is there was made; null: this is no draft of the workflow. */
export function draftMadeAt(read: ReadHandle, workflowId: string, hash: string): number | null {
  const row = read
    .query<{ created_at: number }>(
      'SELECT created_at FROM job INDEXED BY job_by_workflow WHERE workflow_id = ? AND commit_hash = ? ORDER BY seq LIMIT 1',
    )
    .get(draftIdForWorkflow(workflowId), hash);
  return row?.created_at ?? null;
}

export function createDrafts({
  runnables,
  store: { read },
}: Pick<WorkflowDeps, 'runnables' | 'store'>): Pick<Workflows, 'draft' | 'savedAt'> {
  return {
    savedAt(jobId) {
      const job = read
        .query<{ workflow_id: string; commit_hash: string; created_at: number; saved_at: number | null }>(
          `SELECT job.workflow_id, job.commit_hash, job.created_at, version.created_at AS saved_at
            FROM job LEFT JOIN version ON version.hash = job.commit_hash WHERE job.id = ?`,
        )
        .get(jobId);
      if (!job) return null;
      const draftedAt = () => draftMadeAt(read, workflowIdForDraft(job.workflow_id), job.commit_hash);
      return job.saved_at ?? draftedAt() ?? job.created_at;
    },

    draft(workflowId, text) {
      const shadow = draftIdForWorkflow(workflowId);
      const hash = draftHash(shadow, text);
      return {
        runnable: runnables.draft(shadow, hash, () => text),
        keep: (db) =>
          void db
            .statement('INSERT INTO definition (blob, text) VALUES (?, ?) ON CONFLICT (blob) DO NOTHING')
            .run(draftKey(hash), text),
      };
    },
  };
}
