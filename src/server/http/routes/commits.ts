import { withDefinition } from '../../workflows/versions.ts';
import { route, textRoute, type App } from '../core/route.ts';

/** Versions of workflows. */
export function commitRoutes(app: App): void {
  const { workflows } = app.services;
  textRoute(app, 'commits.create', async ({ params, body, lossless, fromThread, actor, reply }) => {
    const { message, parent = null } = body;
    const prepared =
      fromThread?.kind === 'definition' ? fromThread.prepared : await workflows.prepare(lossless.definition);
    const commit = await workflows.commitPrepared(params.id, { prepared, message, parent }, actor);
    reply.header('location', `/api/v1/workflows/${params.id}/commits/${commit.hash}`);
    return withDefinition(commit, prepared.text);
  });
  route(app, 'commits.list', ({ params, query }) => workflows.commits(params.id, query));
  textRoute(app, 'commits.get', ({ params }) => workflows.commitDetailText(params.id, params.hash));
  route(app, 'commits.tag', ({ params, body, actor }) => workflows.setTag(params.id, params.tag, body.hash, actor));
  route(app, 'commits.untag', ({ params, actor }) => workflows.removeTag(params.id, params.tag, actor));
  textRoute(app, 'commits.diff', ({ params }) => workflows.diffText(params.id, params.a, params.b));
}
