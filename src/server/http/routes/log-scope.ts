import type { Identity } from '../../access/port.ts';
import type { LogFilter } from '../../logs/port.ts';
import type { App } from '../core/route.ts';

/** What somebody may read of the logs. */
export interface LogReach {
  /** To be joined to what they ask for; the store adds it to every filter of a query. */
  readonly reach: Pick<LogFilter, 'within'>;
  /** False once a workflow was moved to another project: somebody may follow its log. */
  mayStill(): boolean;
}

/**
 * Logs of projects: who may read those of some projects alone reads lines that name one of their workflows, or those of a
 * job or a task of one. Throws FORBIDDEN, JOB_NOT_FOUND, TASK_NOT_FOUND.
 */
export async function logReach(
  { scope, services: { jobs } }: Pick<App, 'scope' | 'services'>,
  identity: Identity,
  { job_id: job, task_id: task }: Pick<LogFilter, 'job_id' | 'task_id'>,
): Promise<LogReach> {
  const within = scope.within(identity, 'logs.read');
  if (within === null) return { reach: {}, mayStill: () => true };
  const seesAll = (workflows: readonly string[]) => () =>
    workflows.every((id) => scope.sees(identity, 'logs.read', id));
  if (!job && !task) return { reach: { within }, mayStill: seesAll(within) };
  if (job) await scope.job(identity, 'logs.read', job);
  if (task) await scope.task(identity, 'logs.read', task);
  const ids = [...(job ? [job] : []), ...(task ? [(await jobs.task(task)).jobId] : [])];
  const workflows = await Promise.all(ids.map(async (id) => (await jobs.get(id)).workflowId));
  return { reach: {}, mayStill: seesAll(workflows) };
}
