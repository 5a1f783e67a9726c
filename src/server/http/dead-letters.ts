import { paged, route, type App } from './route.ts';

/** Dead letters of the log pipeline (docs/log-pipeline.md). */
export function deadLetterRoutes(app: App): void {
  const { deadLetters } = app.services;
  route(app, 'listDeadLetters', ({ query }) => deadLetters.list(paged(query)));
  route(app, 'replayDeadLetters', ({ body }) => deadLetters.replay(body.ids ?? null));
  route(app, 'discardDeadLetters', ({ body }) => deadLetters.discard(body.ids ?? null));
}
