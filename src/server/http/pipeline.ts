import { paged, route, type App } from './route.ts';

/** The log pipeline and its dead letters (docs/log-pipeline.md). */
export function pipelineRoutes(app: App): void {
  const { stats, deadLetters } = app.services.pipelines;
  route(app, 'getPipeline', () => stats());
  route(app, 'listDeadLetters', ({ query }) => deadLetters.list(paged(query)));
  route(app, 'replayDeadLetters', ({ body }) => deadLetters.replay(body.ids ?? null));
  route(app, 'discardDeadLetters', ({ body }) => deadLetters.discard(body.ids ?? null));
}
