import { withProgress } from './progress.ts';
import { JsonText, route, type App } from './route.ts';

/** Tasks (contract §5, §6). */
export function taskRoutes(app: App): void {
  const { jobs, workers } = app.services;
  route(app, 'getTask', async ({ params }) => withProgress(await jobs.task(params.taskId), workers));
  route(app, 'whyTask', ({ params }) => jobs.why(params.taskId));
  route(app, 'getTaskInput', async ({ params }) => new JsonText(await jobs.payloadText(params.taskId, 'input')));
  route(app, 'getTaskOutput', async ({ params }) => new JsonText(await jobs.payloadText(params.taskId, 'output')));
}
