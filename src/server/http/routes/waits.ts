import { route, type App } from '../core/route.ts';

/** Tasks that wait for a time, a signal or an approval. */
export function waitRoutes(app: App): void {
  const { jobs } = app.services;
  const { scope } = app;

  route(app, 'waits.list', ({ query, identity }) => jobs.waits.list(query, scope.within(identity, 'jobs.read')));
}
