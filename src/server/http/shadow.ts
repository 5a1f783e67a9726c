import { JsonText, paged, route, type App } from './route.ts';

/** Shadow replays (docs/publishing.md). */
export function shadowRoutes(app: App): void {
  const { shadow } = app.services;
  route(app, 'startShadowReplay', async ({ params, body, actor, reply }) => {
    const replay = await shadow.start(params.id, body, actor);
    reply.header('location', `/api/v1/shadow-replays/${replay.id}`);
    return replay;
  });
  route(app, 'listShadowReplays', ({ params, query }) => shadow.list(params.id, paged(query)));
  route(app, 'getShadowReplay', ({ params }) => shadow.get(params.id));
  route(app, 'listShadowResults', ({ params, query }) => shadow.results(params.id, paged(query)));
  route(app, 'getShadowResult', ({ params }) => new JsonText(shadow.resultText(params.id, params.number)));
  route(app, 'abortShadowReplay', ({ params, actor }) => shadow.abort(params.id, actor));
  route(app, 'getShadowIgnores', ({ params }) => shadow.ignores(params.id));
  route(app, 'putShadowIgnores', ({ params, body, actor }) => shadow.ignore(params.id, body, actor));
}
