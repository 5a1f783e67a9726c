import type { Task } from '../../../../contract/tasks.ts';

/** Which replica a task is of, and which item of a list: `3` or `3.14`. */
export const taskPosition = ({ replica, item }: Pick<Task, 'replica' | 'item'>): string =>
  item === null ? String(replica) : `${replica}.${item}`;
