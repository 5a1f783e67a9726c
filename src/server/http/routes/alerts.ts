import { route, type App } from '../core/route.ts';

/** Alerts: what fires, the rules behind it, who is told (docs/alerts.md). */
export function alertRoutes(app: App): void {
  const { alerts } = app.services;
  const { rules, silences, channels, policy } = alerts;

  route(app, 'alerts.list', ({ query }) => alerts.list(query));
  route(app, 'alerts.history', ({ query }) => alerts.history(query));

  route(app, 'alerts.acknowledge', ({ params, body, actor }) =>
    alerts.acknowledge(params.id, body.note?.trim() ?? '', actor),
  );
  route(app, 'alerts.unacknowledge', ({ params, actor }) => alerts.withdraw(params.id, actor));

  route(app, 'alertRules.list', ({ query }) => rules.list(query));
  route(app, 'alertRules.create', ({ body, actor }) => rules.create(body, actor));
  route(app, 'alertRules.preview', ({ body }) => rules.preview(body));
  route(app, 'alertRules.get', ({ params }) => rules.get(params.id));
  route(app, 'alertRules.update', ({ params, body, actor }) => rules.update(params.id, body, actor));
  route(app, 'alertRules.delete', ({ params, actor }) => rules.remove(params.id, actor));

  route(app, 'silences.list', ({ query }) => silences.list(query));
  route(app, 'silences.create', ({ body, actor }) => silences.create(body, actor));
  route(app, 'silences.expire', ({ params, actor }) => silences.expire(params.id, actor));

  route(app, 'channels.list', ({ query }) => channels.list(query));
  route(app, 'channels.create', ({ body, actor }) => channels.create(body, actor));
  route(app, 'channels.previewTemplate', ({ body }) => channels.template(body));
  route(app, 'channels.get', ({ params }) => channels.get(params.id));
  route(app, 'channels.update', ({ params, body, actor }) => channels.update(params.id, body, actor));
  route(app, 'channels.delete', ({ params, actor }) => channels.remove(params.id, actor));
  route(app, 'channels.test', ({ params, actor }) => channels.test(params.id, actor));

  route(app, 'alertPolicy.get', () => policy.get());
  route(app, 'alertPolicy.replace', ({ body, actor }) => policy.put(body, actor));
}
