import { route, type App } from '../core/route.ts';

/** Tokens of people and workers. */
export function tokenRoutes(app: App): void {
  const { access } = app.services;
  route(app, 'tokens.list', ({ query }) => access.tokens.list(query));
  route(app, 'tokens.create', ({ body, actor }) => access.tokens.create(body, actor));
  route(app, 'tokens.revoke', ({ params, actor }) => access.tokens.revoke(params.id, actor));
}
