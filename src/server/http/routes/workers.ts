import type { Worker } from '../../../contract/workers.ts';
import type { Identity } from '../../access/port.ts';
import { hidePayloads } from '../core/hide-payloads.ts';
import { withProgress } from './progress.ts';
import { route, type App } from '../core/route.ts';

/** Workers. */
export function workerRoutes(app: App): void {
  const { access, jobs, workers } = app.services;
  /** The last lines of one that crashed are log lines, of whatever it ran. */
  const shown = (worker: Worker, identity: Identity): Worker =>
    !worker.ended?.message || access.policy.may(identity, 'logs.read', null)
      ? worker
      : { ...worker, ended: { ...worker.ended, message: null } };
  route(app, 'workers.list', async ({ query, identity }) => {
    const page = await workers.list({ ...query, sort: query.sort ?? 'createdAt,desc' });
    return { ...page, items: page.items.map((worker) => shown(worker, identity)) };
  });
  route(app, 'workers.get', async ({ params, identity }) => shown(await workers.get(params.id), identity));
  route(app, 'workers.tasks', async ({ params, query, identity }) => {
    await workers.get(params.id);
    const page = await jobs.workerTasks(params.id, query);
    const reads = access.policy.may(identity, 'payload.read', null);
    const tasks = page.items.map((task) => withProgress(task, workers));
    return { ...page, items: reads ? tasks : tasks.map(hidePayloads) };
  });
  route(app, 'workers.forget', ({ params, actor }) => workers.forget(params.id, access.audit.entry(actor)));
  for (const verb of ['drain', 'resume'] as const)
    route(app, `workers.${verb}`, ({ params, actor }) => workers[verb](params.id, access.audit.entry(actor)));
}
