import { rulesSeen } from './alert-rules.ts';
import { route, type App } from '../core/route.ts';

/** Alerts: what fires, and what fired (docs/alerts.md). */
export function alertRoutes(app: App): void {
  const { alerts } = app.services;

  route(app, 'alerts.list', ({ query, identity }) => alerts.list({ ...query, sees: rulesSeen(app, identity) }));
  route(app, 'alerts.history', ({ query, identity }) => alerts.history({ ...query, sees: rulesSeen(app, identity) }));

  route(app, 'alerts.acknowledge', ({ params, body, actor }) =>
    alerts.acknowledge(params.id, body.note?.trim() ?? '', actor),
  );
  route(app, 'alerts.unacknowledge', ({ params, actor }) => alerts.withdraw(params.id, actor));
}
