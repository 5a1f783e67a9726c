import { paged, route, type App } from './route.ts';

/** Versions of workflows (contract §4). */
export function versionRoutes(app: App): void {
  const { workflows } = app.services;
  route(app, 'checkDefinition', async ({ params, lossless }) => {
    await workflows.get(params.id);
    return { faults: workflows.check(lossless.definition) };
  });
  route(app, 'createCommit', async ({ params, body, lossless, actor, reply }) => {
    const commit = await workflows.commit(params.id, { definition: lossless.definition, message: body.message, parent: body.parent ?? null }, actor);
    reply.header('location', `/api/v1/workflows/${params.id}/commits/${commit.hash}`);
    return commit;
  });
  route(app, 'listCommits', ({ params, query }) => workflows.commits(params.id, paged(query)));
  route(app, 'getCommit', ({ params }) => workflows.commitDetail(params.id, params.hash));
  route(app, 'diffCommits', ({ params }) => workflows.diff(params.id, params.a, params.b));
}
