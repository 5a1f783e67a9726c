import { authorize } from './auth.ts';
import { paged, route, type App } from './route.ts';

/** Workflows and what is published (contract §4). */
export function workflowRoutes(app: App): void {
  const { workflows } = app.services;
  route(app, 'listWorkflows', ({ query }) => workflows.list({ ...paged(query), sort: query.sort ?? 'createdAt,desc' }));
  route(app, 'createWorkflow', ({ body, actor, reply }) => {
    reply.header('location', `/api/v1/workflows/${body.id}`);
    return workflows.create(body, actor);
  });
  route(app, 'getWorkflow', ({ params }) => workflows.get(params.id));
  route(app, 'updateWorkflow', ({ params, body, actor }) => workflows.update(params.id, body, actor));
  route(app, 'archiveWorkflow', ({ params, actor }) => workflows.archive(params.id, actor));

  route(app, 'listEnvironments', async ({ params }) => ({ items: await workflows.environments(params.id) }));
  route(app, 'publish', ({ params, body, actor, identity }) => {
    if (params.environment === 'prod') authorize(identity, 'admin');
    return workflows.publish(params.id, params.environment, body, actor);
  });
  route(app, 'unpublish', ({ params, actor, identity }) => {
    if (params.environment === 'prod') authorize(identity, 'admin');
    return workflows.unpublish(params.id, params.environment, actor);
  });
  route(app, 'listPublications', ({ params, query }) => workflows.publications(params.id, paged(query)));
}
