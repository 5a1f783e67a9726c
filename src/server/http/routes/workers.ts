import { hidePayloads } from '../core/hide-payloads.ts';
import { withProgress } from './progress.ts';
import { route, type App } from '../core/route.ts';

/** Workers. */
export function workerRoutes(app: App): void {
  const { access, jobs, workers } = app.services;
  route(app, 'workers.list', ({ query }) => workers.list({ ...query, sort: query.sort ?? 'createdAt,desc' }));
  route(app, 'workers.get', ({ params }) => workers.get(params.id));
  route(app, 'workers.tasks', async ({ params, query, identity }) => {
    await workers.get(params.id);
    const page = await jobs.workerTasks(params.id, query);
    const reads = access.policy.may(identity, 'payload.read', null);
    const shown = page.items.map((task) => withProgress(task, workers));
    return { ...page, items: reads ? shown : shown.map(hidePayloads) };
  });
  for (const verb of ['drain', 'resume'] as const)
    route(app, `workers.${verb}`, ({ params, actor }) => workers[verb](params.id, access.audit.entry(actor)));
}
