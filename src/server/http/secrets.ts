import { paged, route, type App } from './route.ts';

/** Secrets: set and deleted by admins, their names listed, their values never read (docs/secrets.md). */
export function secretRoutes(app: App): void {
  const { secrets } = app.services;
  route(app, 'listSecrets', ({ query }) => secrets.list(paged(query)));
  route(app, 'putSecret', ({ params, body, actor }) => secrets.put(params.name, body, actor));
  route(app, 'deleteSecret', ({ params, actor }) => secrets.remove(params.name, actor));
}
