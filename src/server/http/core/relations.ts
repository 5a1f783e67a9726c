import type { Job } from '../../../contract/jobs.ts';
import type { Operation } from '../../../contract/operations.ts';
import { withoutParent } from '../../jobs/queries/views.ts';
import type { Identity } from '../../access/port.ts';
import type { Scope } from './scope.ts';
import type { Services } from './services.ts';

/**
 * A `workflow` node may call a workflow of another project: whoever reads one side alone is not shown the other's ID. What the
 * call came to (its output, or why it failed) belongs to the caller.
 */
export interface Relations {
  job<T extends Pick<Job, 'parentTaskId' | 'trigger'>>(who: Identity, job: T): Promise<T>;
  task<T extends { readonly childJobId: string | null }>(who: Identity, task: T): Promise<T>;
}

export const createRelations = ({ jobs }: Pick<Services, 'jobs'>, { seesJob }: Pick<Scope, 'seesJob'>): Relations => ({
  async job(who, job) {
    if (who.grants === null || job.parentTaskId === null) return job;
    const parent = await jobs.task(job.parentTaskId).catch(() => null);
    return parent && (await seesJob(who, parent.jobId)) ? job : withoutParent(job);
  },
  async task(who, task) {
    return task.childJobId === null || (await seesJob(who, task.childJobId)) ? task : { ...task, childJobId: null };
  },
});

/** An operation without the workflows that whoever started it could reach. */
export function withoutReach<T extends Pick<Operation, 'filter'>>(operation: T): T {
  const { filter } = operation;
  if (filter === null || typeof filter !== 'object' || !('within' in filter)) return operation;
  const { within: _within, ...asked } = filter;
  return { ...operation, filter: asked };
}
