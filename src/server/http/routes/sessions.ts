import { route, type App } from '../core/route.ts';

/** Browsers that are signed in. */
export function sessionListRoutes(app: App): void {
  const { access } = app.services;
  route(app, 'sessions.list', ({ identity, query }) => access.sessions.list(identity, query));
  route(app, 'sessions.end', ({ identity, params, actor }) => access.sessions.end(params.id, identity, actor));
}
