import type { Schedule } from '../../../contract/schedules.ts';
import { assertStoreWritable } from '../events/events.ts';
import { JsonText, route, type App, type Call } from '../core/route.ts';
import { mayPublish } from './workflows.ts';

/** Schedules: who may publish to an environment decides what starts there by itself (docs/schedules.md). */
export function scheduleRoutes(app: App): void {
  const { schedules } = app.services;
  const { scope } = app;

  /** Inputs are payloads: who may not read those of the workflow is not shown them. */
  const shown = (identity: Call['identity'], schedule: Schedule): Schedule =>
    scope.seesInputsOf(identity, schedule.workflowId) ? schedule : { ...schedule, inputs: null };

  /** Throws FORBIDDEN for who may not change what starts there. */
  async function mayChange(identity: Call['identity'], id: string): Promise<void> {
    const { workflowId, environment } = await schedules.get(id);
    mayPublish(app, identity, { id: workflowId, environment });
  }

  route(app, 'schedules.list', async ({ query: { project, ...query }, identity }) => {
    const seen = scope.within(identity, 'workflows.read');
    const ofProject = project === undefined ? null : scope.workflowsOf(project);
    const within =
      seen === null || ofProject === null ? (seen ?? ofProject) : ofProject.filter((id) => seen.includes(id));
    const page = await schedules.list({ ...query, within });
    return { ...page, items: page.items.map((schedule) => shown(identity, schedule)) };
  });
  route(app, 'schedules.create', async ({ body, lossless, actor, identity, reply }) => {
    mayPublish(app, identity, { id: body.workflowId, environment: body.environment });
    assertStoreWritable(app.services);
    const made = await schedules.create(body, lossless.inputs ?? null, actor);
    reply.header('location', `/api/v1/schedules/${made.id}`);
    return made;
  });
  route(app, 'schedules.preview', async ({ query }) => ({ times: await schedules.preview(query) }));
  route(app, 'schedules.get', async ({ params, identity }) => shown(identity, await schedules.get(params.id)));
  route(app, 'schedules.update', async ({ params, body, lossless, actor, identity }) => {
    await mayChange(identity, params.id);
    return shown(identity, await schedules.update(params.id, body, lossless.inputs, actor));
  });
  route(app, 'schedules.delete', async ({ params, actor, identity }) => {
    await mayChange(identity, params.id);
    await schedules.remove(params.id, actor);
  });
  for (const [name, paused] of [
    ['schedules.pause', true],
    ['schedules.resume', false],
  ] as const)
    route(app, name, async ({ params, actor, identity }) => {
      await mayChange(identity, params.id);
      return shown(identity, await schedules.setPaused(params.id, paused, actor));
    });
  route(app, 'schedules.run', async ({ params, actor, reply }) => {
    assertStoreWritable(app.services);
    const started = await schedules.run(params.id, actor);
    reply.header('location', `/api/v1/jobs/${started.jobId}`);
    return started;
  });
  route(app, 'schedules.runs', ({ params, query }) => schedules.runs(params.id, query));
  route(app, 'schedules.backfill', async ({ params, body: { dryRun = false, ...range }, actor, reply }) => {
    if (dryRun) return { count: await schedules.backfillCount(params.id, range) };
    assertStoreWritable(app.services);
    const started = await schedules.backfill(params.id, range, actor);
    reply.code(202).header('location', `/api/v1/operations/${started.operationId}`);
    return new JsonText(JSON.stringify(started));
  });
}
