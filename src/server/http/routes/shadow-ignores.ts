import { route, type App } from '../core/route.ts';

/** Places that backtests do not compare (docs/publishing.md). */
export function shadowIgnoreRoutes(app: App): void {
  const { shadow } = app.services;
  route(app, 'shadowIgnores.get', ({ params }) => shadow.ignores(params.id));
  route(app, 'shadowIgnores.replace', ({ params, body, actor }) => shadow.ignore(params.id, body, actor));
}
