import { route, type App } from '../core/route.ts';

/** The log pipeline and its dead letters (docs/log-pipeline.md). */
export function pipelineRoutes(app: App): void {
  const { stats, deadLetters } = app.services.pipelines;
  route(app, 'logs.pipeline', () => stats());
  route(app, 'deadLetters.list', ({ query }) => deadLetters.list(query));
  route(app, 'deadLetters.replay', ({ body }) => deadLetters.replay(body.ids ?? null));
  route(app, 'deadLetters.discard', ({ body }) => deadLetters.discard(body.ids ?? null));
}
