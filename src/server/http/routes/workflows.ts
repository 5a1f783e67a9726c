import { mustPassTests } from './must-pass-tests.ts';
import { workflowCalls, selfCalls } from '../../workflows/check-calls.ts';
import { graphWarnings } from '../../workflows/graph-warnings.ts';
import { DEFAULT_PROJECT, publishAction } from '../../../contract/actions.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { Identity } from '../../access/port.ts';
import { authorize } from '../core/auth.ts';
import { mayMove } from './may-move.ts';
import { JsonText, route, type App, type Call } from '../core/route.ts';

/** Workflows: their checks and what is published. */
export function workflowRoutes(app: App): void {
  const { access, approvals, workflows } = app.services;
  const { scope } = app;

  route(app, 'workflows.list', ({ query: { project, ...query }, identity }) => {
    const seen = access.policy.projects(identity, 'workflows.read');
    const projects = project === undefined ? seen && [...seen] : seen?.has(project) === false ? [] : [project];
    return workflows.list({ ...query, sort: query.sort ?? 'createdAt,desc', within: projects });
  });
  route(app, 'workflows.create', ({ body, actor, identity, reply }) => {
    scope.project(identity, 'workflows.write', body.project ?? DEFAULT_PROJECT);
    reply.header('location', `/api/v1/workflows/${body.id}`);
    return workflows.create(body, actor);
  });
  route(app, 'workflows.get', ({ params }) => workflows.get(params.id));
  route(app, 'workflows.update', ({ params, body, actor, identity }) => {
    if (body.project !== undefined) mayMove(app, identity, params.id, body.project);
    return workflows.update(params.id, body, actor);
  });
  route(app, 'workflows.archive', ({ params, actor }) => workflows.archive(params.id, actor));

  route(app, 'workflows.environments', async ({ params }) => ({ items: await workflows.environments(params.id) }));
  /** Answers with the request for approval in the place of what was asked for. */
  const requested = async (
    wanted: Parameters<typeof approvals.requestPublish>[0],
    { identity, actor, reply }: Pick<Call, 'identity' | 'actor' | 'reply'>,
  ) => {
    const approval = await approvals.requestPublish(wanted, { principal: access.principal(identity), actor });
    reply.code(202).header('location', `/api/v1/approvals/${approval.id}`);
    return new JsonText(JSON.stringify({ ...approval, mine: true }));
  };
  route(app, 'workflows.publish', async (call) => {
    const { params, actor } = call;
    const { override = false, ...body } = call.body;
    mayPublish(app, call.identity, params);
    await mustPassTests(app, { ...params, hash: body.hash, override }, call);
    if (approvals.isProtected(params.environment)) {
      const { description = null, ...rest } = body;
      return requested({ workflowId: params.id, environment: params.environment, description, ...rest }, call);
    }
    return workflows.publish(params.id, params.environment, body, actor);
  });
  route(app, 'workflows.unpublish', (call) => {
    const { params, query, actor } = call;
    mayPublish(app, call.identity, params);
    if (approvals.isProtected(params.environment)) {
      const { id: workflowId, environment } = params;
      return requested({ workflowId, environment, hash: null, description: null, ...query }, call);
    }
    return workflows.unpublish(params.id, params.environment, query, actor);
  });

  route(app, 'workflows.check', async ({ params, lossless, fromThread }) => {
    await workflows.get(params.id);
    const prepared = fromThread?.kind === 'definition' ? fromThread.prepared : null;
    const faults = prepared
      ? [...prepared.faults, ...selfCalls(prepared.calls, params.id)]
      : await workflows.check(lossless.definition, params.id);
    // What calls itself is a fault already.
    const calls = (prepared?.calls ?? workflowCalls(lossless.definition)).filter(
      ({ workflowId }) => workflowId !== params.id,
    );
    const ofGraph = prepared?.graphWarnings ?? graphWarnings(lossless.definition);
    return { faults, warnings: [...workflows.callWarnings(calls), ...ofGraph] };
  });
}

/** Throws FORBIDDEN, or WORKFLOW_NOT_FOUND where it must not be seen. */
export function mayPublish(
  { scope }: Pick<App, 'scope'>,
  identity: Identity,
  { id, environment }: { id: string; environment: Environment },
): void {
  if (environment === 'prod') authorize(identity, 'admin');
  scope.workflow(identity, publishAction(environment), id, environment);
}
