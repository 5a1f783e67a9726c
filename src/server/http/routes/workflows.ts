import { workflowCalls, selfCalls } from '../../workflows/check-calls.ts';
import { authorize } from '../core/auth.ts';
import { route, type App } from '../core/route.ts';

/** Workflows: their checks and what is published. */
export function workflowRoutes(app: App): void {
  const { workflows } = app.services;
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

  route(app, 'workflows.check', async ({ params, lossless, fromThread }) => {
    await workflows.get(params.id);
    const prepared = fromThread?.kind === 'definition' ? fromThread.prepared : null;
    const faults = prepared
      ? [...prepared.faults, ...selfCalls(prepared.calls, params.id)]
      : await workflows.check(lossless.definition, params.id);
    // What calls itself is a fault already.
    const calls = (prepared?.calls ?? workflowCalls(lossless.definition)).filter(
      ({ workflowId }) => workflowId !== params.id,
    );
    return { faults, warnings: workflows.callWarnings(calls) };
  });
}
