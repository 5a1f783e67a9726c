import { route, type App } from '../core/route.ts';

/** Channels that alerts are sent to (docs/alerts.md). */
export function channelRoutes(app: App): void {
  const { channels } = app.services.alerts;
  route(app, 'channels.list', ({ query }) => channels.list(query));
  route(app, 'channels.create', ({ body, actor }) => channels.create(body, actor));
  route(app, 'channels.previewTemplate', ({ body }) => channels.template(body));
  route(app, 'channels.get', ({ params }) => channels.get(params.id));
  route(app, 'channels.update', ({ params, body, actor }) => channels.update(params.id, body, actor));
  route(app, 'channels.delete', ({ params, actor }) => channels.remove(params.id, actor));
  route(app, 'channels.test', ({ params, actor }) => channels.test(params.id, actor));
}
