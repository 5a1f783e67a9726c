import { withDefinition } from '../../workflows/versions.ts';
import { JsonText, route, type App } from '../core/route.ts';

/** Versions of workflows. */
export function commitRoutes(app: App): void {
  const { workflows } = app.services;
  route(app, 'commits.create', async ({ params, body, lossless, fromThread, actor, reply }) => {
    const { message, parent = null } = body;
    const prepared =
      fromThread?.kind === 'definition' ? fromThread.prepared : await workflows.prepare(lossless.definition);
    const commit = await workflows.commitPrepared(params.id, { prepared, message, parent }, actor);
    reply.header('location', `/api/v1/workflows/${params.id}/commits/${commit.hash}`);
    return new JsonText(withDefinition(commit, prepared.text));
  });
  route(app, 'commits.list', ({ params, query }) => workflows.commits(params.id, query));
  route(
    app,
    'commits.get',
    async ({ params }) => new JsonText(await workflows.commitDetailText(params.id, params.hash)),
  );
  route(
    app,
    'commits.diff',
    async ({ params }) => new JsonText(await workflows.diffText(params.id, params.a, params.b)),
  );
}
