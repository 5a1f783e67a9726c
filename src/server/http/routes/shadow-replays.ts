import { route, textRoute, type App } from '../core/route.ts';

/** Backtests (docs/publishing.md). */
export function shadowReplayRoutes(app: App): void {
  const { shadow } = app.services;
  route(app, 'shadowReplays.start', async ({ params, body, actor, reply }) => {
    const replay = await shadow.start(params.id, body, actor);
    reply.header('location', `/api/v1/shadow-replays/${replay.id}`);
    return replay;
  });
  route(app, 'shadowReplays.list', ({ params, query }) => shadow.list(params.id, query));
  route(app, 'shadowReplays.get', ({ params }) => shadow.get(params.id));
  route(app, 'shadowReplays.results', ({ params, query }) => shadow.results(params.id, query));
  textRoute(app, 'shadowReplays.result', ({ params }) => shadow.resultText(params.id, params.number));
  route(app, 'shadowReplays.abort', ({ params, actor }) => shadow.abort(params.id, actor));
}
