import { scopeOf } from '../../../contract/route-scopes.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { isRecord } from '../../../lib/is-record.ts';
import type { Identity } from '../../access/port.ts';
import type { Actor } from '../../workflows/port.ts';
import type { Scope } from './scope.ts';
import type { Services } from './services.ts';

type Held = Readonly<Record<string, 'job' | 'task' | 'shadow' | 'worker' | 'webhook' | 'workflow'>>;

/** Routes whose answers hold payloads, by what the parameters of their paths, or members of their bodies, name. */
const HOLD: Partial<Record<RouteName, Held>> = {
  'jobs.input': { jobId: 'job' },
  'jobs.output': { jobId: 'job' },
  'jobs.incidentBundle': { jobId: 'job' },
  'jobs.compare': { jobId: 'job', otherId: 'job' },
  'jobs.compareValues': { jobId: 'job', otherId: 'job' },
  'drafts.get': { jobId: 'job' },
  'tasks.list': { jobId: 'job' },
  'tasks.get': { taskId: 'task' },
  'tasks.retry': { taskId: 'task' },
  'tasks.input': { taskId: 'task' },
  'tasks.output': { taskId: 'task' },
  'shadowReplays.results': { id: 'shadow' },
  'shadowReplays.result': { id: 'shadow' },
  'workers.tasks': { id: 'worker' },
  'webhooks.deliveries': { id: 'webhook' },
  'webhooks.delivery': { id: 'webhook' },
  // Test cases are made of jobs.
  'workflowTests.get': { id: 'workflow' },
  'workflowTests.run': { id: 'workflow' },
  'workflowTests.record': { jobId: 'job' },
};
/** What they need is more than what the table of scopes names: whoever is answered may read payloads. */
const CHECKED_BY_HANDLER: ReadonlySet<RouteName> = new Set(['workflowTests.run', 'workflowTests.record']);

interface Read {
  readonly params: unknown;
  readonly body: unknown;
  readonly identity: Identity;
  readonly actor: Actor;
}

/**
 * Notes whose payloads an answer of a route showed: of tasks, those of their job. Beside the answer, which waits for no
 * entry of the audit log. Null: it shows none.
 */
export function payloadReadsOf(
  app: { readonly services: Pick<Services, 'access' | 'jobs'>; readonly scope: Pick<Scope, 'readsPayloads'> },
  name: RouteName,
): ((read: Read) => void) | null {
  const holds = HOLD[name];
  // A job that is gone by now cannot be found any more.
  return holds ? (read) => void note(app, name, holds, read).catch(() => undefined) : null;
}

async function note(
  { services: { access, jobs }, scope }: Parameters<typeof payloadReadsOf>[0],
  name: RouteName,
  holds: Held,
  { params, body, identity, actor }: Read,
): Promise<void> {
  // Checked by the route. What the path names goes before what the body does.
  const named = { ...(isRecord(body) ? body : {}), ...(isRecord(params) ? params : {}) };
  for (const [param, kind] of Object.entries(holds)) {
    const id = String(named[param] ?? '');
    const jobId = kind === 'job' ? id : kind === 'task' ? (await jobs.task(id)).jobId : null;
    const task = kind === 'task' ? { taskId: id } : {};
    const isShown =
      scopeOf(name)?.action === 'payload.read' ||
      CHECKED_BY_HANDLER.has(name) ||
      (jobId === null ? access.policy.may(identity, 'payload.read', null) : await scope.readsPayloads(identity, jobId));
    if (isShown)
      await access.payloadReads.note(identity, actor, jobId === null ? `${kind}:${id}` : `job:${jobId}`, {
        by: name,
        ...task,
      });
  }
}
