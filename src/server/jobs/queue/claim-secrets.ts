import type { TaskReport } from '../../state-machines/report.ts';
import type { Effects, Transaction } from '../engine/port.ts';
import type { TaskRecord } from '../engine/records.ts';

/**
 * A task whose node names secrets is assigned to a worker: why it may not have them, or null. Decided here and now, by
 * what the master knows of the job, so that every way to a lease (retries, reruns, children, items) meets the same rule.
 */
export function claimSecrets(tx: Transaction, task: TaskRecord): string | null {
  const refusal = tx.secrets?.refusal(tx.db, task.node.secrets, runOf(task)) ?? null;
  if (refusal === null) tx.effects.secretUses.push(task);
  return refusal;
}

/** At the end of the turn, when the entry is there that says who began the job. */
export function recordSecretUses({ db, secrets, effects: { secretUses } }: Transaction): void {
  if (secretUses.length === 0) return;
  secrets?.recordUses(
    db,
    secretUses.map((task) => ({
      ...runOf(task),
      jobId: task.job.id,
      node: task.node.id,
      names: task.node.secrets,
    })),
  );
}

/** What is reported of a task in place of its worker, which is not even told of it. */
export const refusedReport = (
  { task, attempt }: Effects['leases'][number],
  message: string,
  at: number,
): TaskReport => ({
  e: 'fail',
  id: task.id,
  attempt,
  startedAt: null,
  at,
  error: { code: 'SECRET_FORBIDDEN', message, retryable: false },
});

const runOf = ({ job }: TaskRecord) => ({
  workflowId: job.plan.workflowId,
  environment: job.environment,
  commit: job.plan.commit,
  kind: job.kind,
});
