import { route, type App } from '../core/route.ts';

/** API keys, with which programs call workflows. */
export function keyRoutes(app: App): void {
  const { access } = app.services;
  route(app, 'keys.list', ({ query }) => access.keys.list(query));
  route(app, 'keys.create', ({ body, actor }) => access.keys.create(body, actor));
  route(app, 'keys.update', ({ params, body, actor }) => access.keys.update(params.id, body, actor));
  route(app, 'keys.revoke', ({ params, actor }) => access.keys.revoke(params.id, actor));
  route(app, 'keys.rotate', ({ params, body, actor }) =>
    access.keys.rotate(params.id, body.overlapSeconds ?? 0, actor),
  );
}
