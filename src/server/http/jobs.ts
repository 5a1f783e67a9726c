import { Fault } from '../../lib/fault.ts';
import type { Runnable } from '../workflows/port.ts';
import { checkBatch } from './event-admit.ts';
import { refuseWork } from './events.ts';
import { JsonText, list, paged, route, type App } from './route.ts';

/** Jobs (contract §5). */
export function jobRoutes(app: App): void {
  const { access, jobs, workflows, limits } = app.services;

  /** What a batch job runs: the commit named, or what the environment points to. */
  function runnableFor({ workflowId, environment, commit }: { workflowId: string; environment?: 'dev' | 'staging' | 'prod'; commit?: string }): Runnable {
    if ((environment === undefined) === (commit === undefined))
      throw new Fault('VALIDATION_FAILED', 'name exactly one of environment and commit', { errors: [{ pointer: environment === undefined ? '/environment' : '/commit', message: 'exactly one of environment and commit is needed' }] });
    if (commit !== undefined) return workflows.runnable(workflowId, commit);
    const endpoint = workflows.endpoint(workflowId, environment as 'dev');
    if (endpoint.found === 'workflow-unknown') throw new Fault('WORKFLOW_NOT_FOUND', `there is no workflow ${JSON.stringify(workflowId.slice(0, 100))}`);
    if (endpoint.found === 'not-published') throw new Fault('NOT_PUBLISHED', `nothing of ${workflowId} is published to ${environment}; publish a version, or name a commit`);
    return endpoint.runnable;
  }

  route(app, 'listJobs', ({ query }) => {
    const { status, ...rest } = query;
    const statuses = list(status);
    return jobs.list({ ...paged(rest), sort: rest.sort ?? 'createdAt,desc', ...(statuses ? { status: statuses } : {}) });
  });
  route(app, 'createJob', async ({ body, lossless, actor, reply }) => {
    refuseWork(app.services);
    const runnable = runnableFor(body);
    const inputs = checkBatch(lossless.inputs, body.inputs, runnable, limits);
    const submitted = await jobs.submit({
      runnable,
      environment: body.environment ?? null,
      kind: 'batch',
      inputs,
      externalId: body.externalId ?? null,
      replicaRunTimeoutSeconds: body.replicaRunTimeoutSeconds ?? null,
      idempotency: null,
    });
    const { jobId } = submitted;
    await access.audit.note(actor, { action: 'job.create', target: `job:${jobId}`, before: null, after: { workflowId: runnable.workflowId, commit: runnable.commit, inputCount: inputs.length } });
    reply.header('location', `/api/v1/jobs/${jobId}`);
    return { jobId, status: submitted.kind === 'created' ? submitted.status : 'RUNNING' };
  });
  route(app, 'getJob', ({ params }) => jobs.get(params.jobId));
  route(app, 'getJobOutput', async ({ params }) => new JsonText(await jobs.outputText(params.jobId)));
  route(app, 'listJobTasks', ({ params, query }) => {
    const { state, ...rest } = query;
    const states = list(state);
    return jobs.tasks(params.jobId, { ...paged(rest), ...(states ? { state: states } : {}) });
  });
  route(app, 'killJob', async ({ params: { jobId }, actor }) => {
    const { status } = await jobs.get(jobId);
    const after = await jobs.kill(jobId, actor.name);
    // A second kill changes nothing.
    if (after.killedTasks > 0) await access.audit.note(actor, { action: 'job.kill', target: `job:${jobId}`, before: { status }, after: { status: after.status, killedTasks: after.killedTasks } });
    return after;
  });
  route(app, 'retryJob', async ({ params: { jobId }, actor }) => {
    const { status } = await jobs.get(jobId);
    const after = await jobs.retry(jobId, actor.name);
    if (after.retriedTasks > 0) await access.audit.note(actor, { action: 'job.retry', target: `job:${jobId}`, before: { status }, after: { status: after.status, retriedTasks: after.retriedTasks } });
    return after;
  });
}
