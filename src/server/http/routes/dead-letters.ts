import { route, type App } from '../core/route.ts';

/** Dead letters of the log pipeline (docs/log-pipeline.md). */
export function deadLetterRoutes(app: App): void {
  const { deadLetters } = app.services.pipelines;
  route(app, 'deadLetters.list', ({ query }) => deadLetters.list(query));
  route(app, 'deadLetters.replay', ({ body }) => deadLetters.replay(body.ids ?? null));
  route(app, 'deadLetters.discard', ({ body }) => deadLetters.discard(body.ids ?? null));
}
