import { route, type App } from '../core/route.ts';

/** Silences of alerts (docs/alerts.md). */
export function silenceRoutes(app: App): void {
  const { silences } = app.services.alerts;
  route(app, 'silences.list', ({ query }) => silences.list(query));
  route(app, 'silences.create', ({ body, actor }) => silences.create(body, actor));
  route(app, 'silences.expire', ({ params, actor }) => silences.expire(params.id, actor));
}
