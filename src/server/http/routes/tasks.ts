import type { Task } from '../../../contract/tasks.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { withProgress } from './progress.ts';
import type { Json } from '../core/response-redaction.ts';
import { route, textRoute, type App } from '../core/route.ts';

/** Tasks. */
export function taskRoutes(app: App): void {
  const { access, jobs, workers } = app.services;
  textRoute(app, 'tasks.list', ({ params, query, reply }) =>
    jobs.tasksText(params.jobId, query, workers.progress, disconnectSignal(reply)),
  );
  textRoute(app, 'tasks.get', async ({ params: { taskId }, reply }) => {
    const task = withProgress(await jobs.task(taskId), workers);
    const gone = disconnectSignal(reply);
    const [input, output] = await Promise.all([
      jobs.payload({ task: taskId, of: 'input' }, gone),
      jobs.payload({ task: taskId, of: 'output' }, gone),
    ]);
    return withPayloads(task, input, output);
  });
  route(app, 'tasks.retry', async ({ params, actor }) =>
    withProgress(await jobs.retryTask(params.taskId, access.audit.entry(actor)), workers),
  );
  route(app, 'tasks.why', ({ params }) => jobs.why(params.taskId));
  route(app, 'tasks.failure', ({ params, reply }) => jobs.failures.ofTask(params.taskId, disconnectSignal(reply)));
  for (const side of ['input', 'output'] as const)
    textRoute(app, `tasks.${side}`, ({ params, reply }) =>
      jobs.payload({ task: params.taskId, of: side }, disconnectSignal(reply)),
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
