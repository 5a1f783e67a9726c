import type { Command } from 'commander';
import type { Task } from '../../../contract/tasks.ts';
import { TASK_STATES, type TaskState } from '../../../contract/vocabulary.ts';
import { apiCommand, paging, type PageFlags } from '../../api-command.ts';
import { integer, list, option } from '../../options.ts';
import type { ProcessIo } from '../../process-io.ts';
import { pageLine, table } from '../../text-table.ts';

interface TaskFlags extends PageFlags {
  state?: TaskState[];
  node?: string;
  replica?: number;
  worker?: string;
  code?: string;
  q?: string;
  sort?: string;
}

/** `yardmaster jobs tasks`: the tasks of a job by pages, as the console lists them. */
export function tasksCommand(group: Command, io: ProcessIo): void {
  const find = apiCommand(
    group,
    io,
    'tasks <job>',
    'list the tasks of a job',
    async (session, { page, size, sort, state, node, replica, worker, code, q }: TaskFlags, jobId) => {
      const found = await session.api.call('tasks.list', {
        params: { jobId },
        query: { page, size, sort, state, node, replica, worker, code, q },
      });
      session.show(found, () => [...taskLines(found.items), ...pageLine(found)]);
    },
  );
  paging(find, io);
  option(find, io, '--state <state>', `only these (${TASK_STATES.join(', ')})`, { parse: list });
  option(find, io, '--node <id>', 'only tasks of this node');
  option(find, io, '--replica <n>', 'only tasks of this replica, starting at 0', {
    parse: integer(0, Number.MAX_SAFE_INTEGER),
  });
  option(find, io, '--worker <id>', 'only if the latest attempt was on this worker (its ID or a part of it)');
  option(find, io, '--code <code>', 'only with this error code, such as TASK_ERROR');
  option(find, io, '--q <text>', 'only with this text in the error message');
  option(find, io, '--sort <field,order>', 'sort by readyAt, node, state or replica, then ,asc or ,desc');
}

/** A table of tasks, and below it what went wrong in those that failed. */
export function taskLines(tasks: readonly Task[]): string[] {
  const rows = tasks.map((task) => [
    task.node,
    task.replica,
    stateText(task),
    task.attempt,
    task.workerId,
    task.error?.code,
    task.id,
  ]);
  const failures = tasks.flatMap(({ node, replica, error }) =>
    error === null ? [] : ['', `${node} failed on input ${replica} with ${error.code}:`, `  ${error.message}`],
  );
  return [...table(['node', 'input', 'state', 'attempt', 'worker', 'error', 'task'], rows, 'no tasks'), ...failures];
}

/** The state, and how far a handler said that it is. */
const stateText = ({ state, progress }: Task): string =>
  progress
    ? `${state} ${Math.round(progress.fraction * 100)}%${progress.message === null ? '' : ` (${progress.message})`}`
    : state;
