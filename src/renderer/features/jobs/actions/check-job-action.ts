import { failedTasks, JOB_ACTIONS } from '../../../../contract/job-actions.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';

/** What can be done to a job, and why not. The master decides in any case; this spares a click that leads nowhere. */
export type JobAction = 'kill' | 'retry';
export type Permission = { readonly ok: true } | { readonly ok: false; readonly reason: string };

type Facts = Pick<Job, 'finishedAt' | 'killedAt' | 'taskCounters'>;
const YES: Permission = { ok: true };
const no = (reason: string): Permission => ({ ok: false, reason });

/** Tasks that a retry would put back in the queue. */
export const retryableTasks = ({ taskCounters }: Pick<Job, 'taskCounters'>): number => failedTasks(taskCounters);

/** `why`: words for why one may not, whatever the job is. */
export function checkJobAction(action: JobAction, job: Facts, why: string | undefined): Permission {
  if (why !== undefined) return no(why);
  if (JOB_ACTIONS[action](job) === null) return YES;
  if (action === 'kill')
    return no(
      job.killedAt === null
        ? t('The job has finished: there are no tasks left to kill.')
        : t('The job was already killed.'),
    );
  return no(t('None of its tasks failed or timed out.'));
}

/** Why none of these jobs can be killed or retried, in the words for the first; null: one can be, as any can be rerun. */
export function whyNoJob(action: JobAction | 'rerun', jobs: readonly Facts[]): string | null {
  if (action === 'rerun') return null;
  const checked = jobs.map((job) => checkJobAction(action, job, undefined));
  const [first] = checked;
  return first === undefined || first.ok || checked.some(({ ok }) => ok) ? null : first.reason;
}
