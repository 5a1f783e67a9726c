import type { Task } from '../../../contract/tasks.ts';
import type { Workers } from '../../workers/port.ts';

/** A task with what its worker told of its progress. */
export const withProgress = (task: Task, workers: Pick<Workers, 'progress'>): Task => ({
  ...task,
  progress: workers.progress(task),
});
