import { invalidAt } from '../../../lib/fault.ts';
import { authorize } from '../core/auth.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';

/** Workflows and what is published. */
export function workflowRoutes(app: App): void {
  const { workflows, jobs } = app.services;
  route(app, 'workflows.list', ({ query }) => workflows.list({ ...query, sort: query.sort ?? 'createdAt,desc' }));
  route(app, 'workflows.create', ({ body, actor, reply }) => {
    reply.header('location', `/api/v1/workflows/${body.id}`);
    return workflows.create(body, actor);
  });
  route(app, 'workflows.get', ({ params }) => workflows.get(params.id));
  route(app, 'workflows.update', ({ params, body, actor }) => workflows.update(params.id, body, actor));
  route(app, 'workflows.archive', ({ params, actor }) => workflows.archive(params.id, actor));

  route(app, 'workflows.environments', async ({ params }) => ({ items: await workflows.environments(params.id) }));
  route(app, 'workflows.publish', ({ params, body, actor, identity }) => {
    if (params.environment === 'prod') authorize(identity, 'admin');
    return workflows.publish(params.id, params.environment, body, actor);
  });
  route(app, 'workflows.unpublish', ({ params, query, actor, identity }) => {
    if (params.environment === 'prod') authorize(identity, 'admin');
    return workflows.unpublish(params.id, params.environment, query, actor);
  });
  route(app, 'publications.list', ({ params, query }) => workflows.publications(params.id, query));
  route(app, 'publications.impact', ({ params, query: { window, ...query }, reply }) =>
    jobs.impacts(params.id, { ...query, windowMs: windowOf(window ?? '1h') }, disconnectSignal(reply)),
  );
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_DAYS = 7;

function windowOf(text: string): number {
  const ms = Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0);
  if (ms <= MAX_DAYS * 86_400_000) return ms;
  const message = `must be at most ${MAX_DAYS}d; got ${text}`;
  throw invalidAt('/window', `window ${message}`, message);
}
