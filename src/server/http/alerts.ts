import { list, paged, route, type App } from './route.ts';

/** Alerts: what fires, the rules behind it, who is told (docs/alerts.md). */
export function alertRoutes(app: App): void {
  const { alerts } = app.services;
  const { rules, silences, channels, policy } = alerts;

  route(app, 'listAlerts', ({ query }) => {
    const { state, ...rest } = query;
    const states = list(state);
    return alerts.list({ ...paged(rest), ...(states ? { state: states } : {}) });
  });
  route(app, 'listAlertHistory', ({ query }) => alerts.history(paged(query)));

  route(app, 'acknowledgeAlert', ({ params, body, actor }) =>
    alerts.acknowledge(params.id, body.note?.trim() ?? '', actor),
  );
  route(app, 'withdrawAlertAcknowledgement', ({ params, actor }) => alerts.withdraw(params.id, actor));

  route(app, 'listAlertRules', ({ query }) => rules.list(paged(query)));
  route(app, 'createAlertRule', ({ body, actor }) => rules.create(body, actor));
  route(app, 'previewAlertRule', ({ body }) => rules.preview(body));
  route(app, 'getAlertRule', ({ params }) => rules.get(params.id));
  route(app, 'updateAlertRule', ({ params, body, actor }) => rules.update(params.id, body, actor));
  route(app, 'deleteAlertRule', ({ params, actor }) => rules.remove(params.id, actor));

  route(app, 'listSilences', ({ query }) => silences.list(paged(query)));
  route(app, 'createSilence', ({ body, actor }) => silences.create(body, actor));
  route(app, 'expireSilence', ({ params, actor }) => silences.expire(params.id, actor));

  route(app, 'listChannels', ({ query }) => channels.list(paged(query)));
  route(app, 'createChannel', ({ body, actor }) => channels.create(body, actor));
  route(app, 'previewTemplate', ({ body }) => channels.template(body));
  route(app, 'getChannel', ({ params }) => channels.get(params.id));
  route(app, 'updateChannel', ({ params, body, actor }) => channels.update(params.id, body, actor));
  route(app, 'deleteChannel', ({ params, actor }) => channels.remove(params.id, actor));
  route(app, 'testChannel', ({ params, actor }) => channels.test(params.id, actor));

  route(app, 'getAlertPolicy', () => policy.get());
  route(app, 'putAlertPolicy', ({ body, actor }) => policy.put(body, actor));
}
