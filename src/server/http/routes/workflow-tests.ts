import { invalidAt } from '../../../lib/fault.ts';
import { route, type App } from '../core/route.ts';

/** Test cases of workflows (docs/workflow-tests.md). */
export function workflowTestRoutes(app: App): void {
  const { workflowTests } = app.services;
  const { scope } = app;
  route(app, 'workflowTests.get', ({ params }) => workflowTests.get(params.id));
  route(app, 'workflowTests.replace', ({ params, body, actor }) => workflowTests.replace(params.id, body.cases, actor));
  route(app, 'workflowTests.run', ({ params, body: { commit, definition, cases }, identity }) => {
    // It answers with what was expected and what came out instead.
    scope.workflow(identity, 'payload.read', params.id, null);
    if ((commit === undefined) === (definition === undefined))
      throw invalidAt(
        commit === undefined ? '/commit' : '/definition',
        'expected exactly one of commit and definition',
      );
    const version = definition === undefined ? { commit: commit ?? '' } : { definition };
    return workflowTests.run(params.id, version, cases);
  });
  route(
    app,
    'workflowTests.record',
    async ({ params, body: { jobId, replica = 0, name = `Job ${jobId}` }, identity }) => {
      await scope.job(identity, 'payload.read', jobId);
      return workflowTests.fromJob(params.id, { jobId, replica, name });
    },
  );
}
