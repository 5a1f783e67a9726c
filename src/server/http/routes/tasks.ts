import type { Task } from '../../../contract/tasks.ts';
import { hidePayloads } from '../core/hide-payloads.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { withProgress } from './progress.ts';
import type { Json } from '../core/response-redaction.ts';
import { createRelations } from '../core/relations.ts';
import { route, textRoute, type App } from '../core/route.ts';

/** Tasks. */
export function taskRoutes(app: App): void {
  const { access, jobs, workers } = app.services;
  const { scope } = app;
  const relations = createRelations(app.services, scope);
  textRoute(
    app,
    'tasks.list',
    async ({ params, query, identity, reply }) => {
      const gone = disconnectSignal(reply);
      const within = scope.within(identity, 'jobs.read');
      const asked = within === null ? query : { ...query, within };
      if (await scope.readsPayloads(identity, params.jobId))
        return jobs.tasksText(params.jobId, asked, workers.progress, gone);
      const page = await jobs.tasks(params.jobId, { ...asked, payloadBytes: 0 }, gone);
      return JSON.stringify({ ...page, items: page.items.map((task) => hidePayloads(withProgress(task, workers))) });
    },
    ({ params, query }) => jobs.forCopy.tasks(params.jobId, query),
  );
  textRoute(app, 'tasks.get', async ({ params: { taskId }, identity, reply }) => {
    const task = await relations.task(identity, withProgress(await jobs.task(taskId), workers));
    if (!(await scope.readsPayloads(identity, task.jobId))) return JSON.stringify(hidePayloads(task));
    const gone = disconnectSignal(reply);
    const [input, output] = await Promise.all([
      jobs.payload({ task: taskId, of: 'input' }, gone),
      jobs.payload({ task: taskId, of: 'output' }, gone),
    ]);
    return withPayloads(task, input, output);
  });
  route(app, 'tasks.retry', async ({ params, actor, identity }) => {
    const retried = await jobs.retryTask(params.taskId, access.audit.entry(actor));
    const task = await relations.task(identity, withProgress(retried, workers));
    return (await scope.readsPayloads(identity, task.jobId)) ? task : hidePayloads(task);
  });
  route(app, 'tasks.why', async ({ params, identity }) => {
    const why = await jobs.why(params.taskId);
    const shown = await relations.task(identity, why);
    // The sentence names it, too.
    return shown === why
      ? why
      : { ...shown, message: why.message.replace(`child job ${why.childJobId}`, 'its child job') };
  });
  route(app, 'tasks.failure', ({ params, reply }) => jobs.failures.ofTask(params.taskId, disconnectSignal(reply)));
  for (const side of ['input', 'output'] as const)
    textRoute(
      app,
      `tasks.${side}`,
      ({ params, reply }) => jobs.payload({ task: params.taskId, of: side }, disconnectSignal(reply)),
      ({ params }) => jobs.forCopy.payload({ task: params.taskId, of: side }),
    );
}

/** A task with its whole payloads, which are not parsed for it. */
function withPayloads({ input: _input, output: _output, ...task }: Task, input: Json, output: Json): Json {
  const head = `${JSON.stringify(task).slice(0, -1)},"input":`;
  const middle = ',"output":';
  if (typeof input === 'string' && typeof output === 'string') return `${head}${input}${middle}${output}}`;
  return Buffer.concat(
    [head, input, middle, output, '}'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
}
