import { Fault } from '../../../lib/fault.ts';
import { tokensOf } from '../../../lib/logsql/tokens.ts';
import type { Identity } from '../../access/port.ts';
import type { LogFilter } from '../../logs/port.ts';
import type { App } from '../core/route.ts';

/**
 * Logs of projects: who may read those of some projects alone names a job or a task of one, which the store adds to the query
 * from outside. Pipes (`union`, `join`) and subqueries, which all need a `|`, would read past it, so there are none.
 * Throws FORBIDDEN, JOB_NOT_FOUND, TASK_NOT_FOUND. What it gives says whether that still holds: a workflow may be moved
 * to another project while somebody follows its log.
 */
export async function mayReadLogs(
  { scope, services: { jobs } }: Pick<App, 'scope' | 'services'>,
  identity: Identity,
  { query, job_id: job, task_id: task }: LogFilter,
): Promise<() => boolean> {
  if (scope.within(identity, 'logs.read') === null) return () => true;
  if (!job && !task)
    throw new Fault(
      'FORBIDDEN',
      'your roles are limited to projects, and a log line names its job, not its project: add job_id or task_id of a job that you may read, such as job_id=019a… (command line: --job)',
    );
  if (query !== undefined && hasPipe(query))
    throw new Fault('FORBIDDEN', 'your roles are limited to projects: use filters only, without `|`');
  if (job) await scope.job(identity, 'logs.read', job);
  if (task) await scope.task(identity, 'logs.read', task);
  const ids = [...(job ? [job] : []), ...(task ? [(await jobs.task(task)).jobId] : [])];
  const workflows = await Promise.all(ids.map(async (id) => (await jobs.get(id)).workflowId));
  return () => workflows.every((id) => scope.sees(identity, 'logs.read', id));
}

function hasPipe(query: string): boolean {
  if (!query.includes('|')) return false;
  try {
    return tokensOf(query).some(({ kind, text }) => kind === 'sign' && text.startsWith('|'));
  } catch {
    return true;
  }
}
