import { route, type App } from '../core/route.ts';

/** Secrets: set and deleted by admins, their names listed, their values never read (docs/secrets.md). */
export function secretRoutes(app: App): void {
  const { secrets } = app.services;
  route(app, 'secrets.list', ({ query }) => secrets.list(query));
  route(app, 'secrets.set', ({ params, body, actor }) => secrets.put(params.name, body, actor));
  route(app, 'secrets.delete', ({ params, actor }) => secrets.remove(params.name, actor));
}
