import { route, type App } from '../core/route.ts';

/** Alerts: what fires, and what fired (docs/alerts.md). */
export function alertRoutes(app: App): void {
  const { alerts } = app.services;

  route(app, 'alerts.list', ({ query }) => alerts.list(query));
  route(app, 'alerts.history', ({ query }) => alerts.history(query));

  route(app, 'alerts.acknowledge', ({ params, body, actor }) =>
    alerts.acknowledge(params.id, body.note?.trim() ?? '', actor),
  );
  route(app, 'alerts.unacknowledge', ({ params, actor }) => alerts.withdraw(params.id, actor));
}
