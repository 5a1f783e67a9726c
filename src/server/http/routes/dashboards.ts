import { route, type App } from '../core/route.ts';

/** Dashboards: those built in, those that operators make, and all of them for Grafana (docs/dashboards.md). */
export function dashboardRoutes(app: App): void {
  const { dashboards } = app.services;
  route(app, 'dashboards.list', () => ({ items: dashboards.list() }));
  route(app, 'dashboards.create', ({ body, actor, reply }) => {
    reply.header('location', `/api/v1/dashboards/${body.id}`);
    return dashboards.create(body.id, body.definition, actor);
  });
  route(app, 'dashboards.get', ({ params }) => dashboards.get(params.id));
  route(app, 'dashboards.update', ({ params, body, actor }) =>
    dashboards.update(params.id, body.definition, body.version, actor),
  );
  route(app, 'dashboards.delete', ({ params, actor }) => dashboards.remove(params.id, actor));
  route(app, 'dashboards.exportGrafana', ({ query }) => dashboards.grafana(query));
}
