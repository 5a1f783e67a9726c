import type { DataWarning } from '../../../contract/data-health.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault, invalidAt } from '../../../lib/fault.ts';
import { jsonTextOf, packTexts } from '../../../lib/packed-inputs.ts';
import type { Runnable } from '../../workflows/port.ts';
import { withQuery } from '../../../lib/job-query/with-query.ts';
import { checkBatch } from '../events/event-admission.ts';
import { assertStoreWritable } from '../events/events.ts';
import { checkPacked } from '../core/large-body.ts';
import { createRelations } from '../core/relations.ts';
import { filterWithin } from '../core/scope.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, textRoute, type App } from '../core/route.ts';

/** The JSON text of a list with what it may lack. */
function withWarnings(list: string | Uint8Array, warnings: readonly DataWarning[]): string {
  const text = typeof list === 'string' ? list : Buffer.from(list).toString();
  return `${text.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
}

/** Jobs. */
export function jobRoutes(app: App): void {
  const { access, clock, damage, jobs, workflows, limits } = app.services;
  const { scope } = app;
  const relations = createRelations(app.services, scope);

  /** What a batch job runs: the commit named, or what the environment points to. */
  function runnableFor({
    workflowId,
    environment,
    commit,
  }: {
    workflowId: string;
    environment?: Environment;
    commit?: string;
  }): Runnable {
    if ((environment === undefined) === (commit === undefined))
      throw invalidAt(
        environment === undefined ? '/environment' : '/commit',
        'expected exactly one of environment and commit',
      );
    if (commit !== undefined) return workflows.runnable(workflowId, commit);
    const endpoint = workflows.endpoint(workflowId, environment as Environment);
    if (endpoint.found === 'workflow-unknown')
      throw new Fault('WORKFLOW_NOT_FOUND', `workflow ${JSON.stringify(workflowId.slice(0, 100))} not found`);
    if (endpoint.found === 'not-published')
      throw new Fault(
        'NOT_PUBLISHED',
        `workflow ${workflowId} is not published to ${environment}; publish a version, or give a commit`,
      );
    return endpoint.runnable;
  }

  const NEWEST = 'createdAt,desc';
  const warningsOf = () => damage.warnings(['database'], null, null);
  textRoute(
    app,
    'jobs.list',
    async ({ query, identity, reply }) => {
      const asked = filterWithin(scope, identity, withQuery(query, clock.now()));
      const text = await jobs.listText({ ...asked, sort: query.sort ?? NEWEST }, disconnectSignal(reply));
      const warnings = warningsOf();
      return warnings.length === 0 ? text : withWarnings(text, warnings);
    },
    async ({ query, identity }) =>
      warningsOf().length === 0
        ? jobs.forCopy.list({
            ...filterWithin(scope, identity, withQuery(query, clock.now())),
            sort: query.sort ?? NEWEST,
          })
        : null,
  );
  route(app, 'jobs.create', async ({ body, lossless, fromThread, actor, identity, reply }) => {
    scope.workflow(identity, 'jobs.operate', body.workflowId, body.environment ?? null);
    assertStoreWritable(app.services);
    const runnable = runnableFor(body);
    const packed =
      fromThread?.kind === 'batch'
        ? fromThread.inputs
        : runnable.largeSchema
          ? packTexts(lossless.inputs.map(jsonTextOf))
          : null;
    if (packed) await checkPacked(app.services.offload, packed, runnable);
    else checkBatch(body.inputs, runnable, limits);
    const inputs = packed ?? lossless.inputs;
    const submitted = await jobs.submit({
      runnable,
      environment: body.environment ?? null,
      kind: 'batch',
      inputs,
      externalId: body.externalId ?? null,
      labels: body.labels ?? null,
      priority: body.priority ?? 0,
      replicaRunTimeoutSeconds: body.replicaRunTimeoutSeconds ?? null,
      idempotency: null,
      audit: access.audit.entry(actor),
    });
    const { jobId } = submitted;
    reply.header('location', `/api/v1/jobs/${jobId}`);
    return { jobId, status: submitted.kind === 'created' ? submitted.status : 'RUNNING' };
  });
  route(app, 'jobs.get', async ({ params, identity }) => relations.job(identity, await jobs.get(params.jobId)));
  textRoute(
    app,
    'jobs.input',
    ({ params, query: { node = null, replica = null }, reply }) =>
      jobs.payload({ job: params.jobId, of: 'input', node, replica }, disconnectSignal(reply)),
    ({ params, query: { node = null, replica = null } }) =>
      jobs.forCopy.payload({ job: params.jobId, of: 'input', node, replica }),
  );
  textRoute(
    app,
    'jobs.output',
    ({ params, reply }) => jobs.payload({ job: params.jobId, of: 'output' }, disconnectSignal(reply)),
    ({ params }) => jobs.forCopy.payload({ job: params.jobId, of: 'output' }),
  );
  route(app, 'jobs.graph', ({ params }) => jobs.graph(params.jobId));
  route(app, 'jobs.kill', ({ params, actor }) => jobs.kill(params.jobId, actor.name, access.audit.entry(actor)));
  route(app, 'jobs.retry', ({ params, actor }) => jobs.retry(params.jobId, access.audit.entry(actor)));
}
