import { route, type App } from '../core/route.ts';

/** Rules behind alerts (docs/alerts.md). */
export function alertRuleRoutes(app: App): void {
  const { rules } = app.services.alerts;
  route(app, 'alertRules.list', ({ query }) => rules.list(query));
  route(app, 'alertRules.create', ({ body, actor }) => rules.create(body, actor));
  route(app, 'alertRules.preview', ({ body }) => rules.preview(body));
  route(app, 'alertRules.get', ({ params }) => rules.get(params.id));
  route(app, 'alertRules.update', ({ params, body, actor }) => rules.update(params.id, body, actor));
  route(app, 'alertRules.delete', ({ params, actor }) => rules.remove(params.id, actor));
}
