import type { Environment } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import type { WorkflowDeps } from './deps.ts';

/** Part of the transaction: it may have become protected since the change began. */
export const refuseAlone = (
  { isProtected }: Pick<WorkflowDeps, 'isProtected'>,
  workflowId: string,
  environment: Environment,
): Fault | null =>
  isProtected(environment)
    ? new Fault(
        'SECOND_PERSON_NEEDED',
        `${environment} is protected: what is published there of ${workflowId} changes only with approval. Ask for it again`,
      )
    : null;

/** Why a version may not run in an environment; null: it may. In a protected one only what was published there ever runs. */
export const neverApproved =
  ({ store, isProtected }: Pick<WorkflowDeps, 'store' | 'isProtected'>) =>
  (workflowId: string, environment: Environment, hash: string): Fault | null =>
    !isProtected(environment) ||
    store.read
      .query('SELECT 1 FROM publication WHERE hash = ? AND workflow_id = ? AND environment = ? LIMIT 1')
      .get(hash, workflowId, environment) !== undefined
      ? null
      : new Fault(
          'SECOND_PERSON_NEEDED',
          `version ${hash.slice(0, 10)} was never published to ${environment}, which is protected: publish it there first, with approval`,
        );
