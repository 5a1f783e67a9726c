import { JsonText, route, type App } from './route.ts';

/** Tasks (contract §5, §6). */
export function taskRoutes(app: App): void {
  const { jobs } = app.services;
  route(app, 'getTask', ({ params }) => jobs.task(params.taskId));
  route(app, 'getTaskInput', async ({ params }) => new JsonText(await jobs.payloadText(params.taskId, 'input')));
  route(app, 'getTaskOutput', async ({ params }) => new JsonText(await jobs.payloadText(params.taskId, 'output')));
}
