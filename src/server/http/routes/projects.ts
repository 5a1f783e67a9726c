import { paginate } from '../../../lib/page.ts';
import { adminAlone } from './admin-alone.ts';
import { route, type App } from '../core/route.ts';

/** What workflows belong to. */
export function projectRoutes(app: App): void {
  const { policy, projects } = app.services.access;
  route(app, 'projects.list', ({ query, identity }) => {
    const seen = policy.projects(identity, 'workflows.read');
    return paginate(
      projects.list().filter(({ id }) => seen === null || seen.has(id)),
      query,
      (project) => project,
    );
  });
  route(app, 'projects.create', ({ body, actor, reply }) => {
    reply.header('location', `/api/v1/projects/${body.id}`);
    return projects.create(body, actor);
  });
  route(app, 'projects.update', ({ params, body, actor, identity }) => {
    if (body.masks !== undefined) adminAlone(identity, 'says which fields are masked');
    return projects.update(params.id, body, actor);
  });
  route(app, 'projects.delete', ({ params, actor }) => projects.remove(params.id, actor));
}
