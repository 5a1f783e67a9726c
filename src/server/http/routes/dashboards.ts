import { DEFAULT_PROJECT } from '../../../contract/actions.ts';
import { route, type App } from '../core/route.ts';

/** Dashboards: those built in, those that operators make, and all of them for Grafana (docs/dashboards.md). */
export function dashboardRoutes(app: App): void {
  const { dashboards } = app.services;
  const { scope } = app;
  route(app, 'dashboards.list', ({ identity }) => {
    const sees = scope.holdings(identity, 'metrics.read');
    return { items: dashboards.list(sees && ((project) => sees({ project, environments: null }))) };
  });
  route(app, 'dashboards.create', ({ body, actor, identity, reply }) => {
    scope.project(identity, 'dashboards.write', body.project ?? DEFAULT_PROJECT);
    reply.header('location', `/api/v1/dashboards/${body.id}`);
    return dashboards.create(body.id, body.definition, actor, body.project);
  });
  route(app, 'dashboards.get', ({ params }) => dashboards.get(params.id));
  route(app, 'dashboards.update', ({ params, body, actor, identity }) => {
    if (body.project !== undefined) scope.project(identity, 'dashboards.write', body.project);
    return dashboards.update(params.id, body.definition, body.version, actor, body.project);
  });
  route(app, 'dashboards.delete', ({ params, actor }) => dashboards.remove(params.id, actor));
  route(app, 'dashboards.exportGrafana', ({ query }) => dashboards.grafana(query));
}
