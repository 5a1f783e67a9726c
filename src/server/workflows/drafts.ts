import { draftIdForWorkflow } from '../../contract/drafts.ts';
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

export function createDrafts({ runnables }: Pick<WorkflowDeps, 'runnables'>): Pick<Workflows, 'draft'> {
  return {
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
