import type { Command } from 'commander';
import type { Why } from '../../../contract/tasks.ts';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { namedValues, pluralize } from '../../text-table.ts';

/** `yardmaster jobs why`: what a task waits for, and what would help. */
export function whyCommand(group: Command, io: ProcessIo): void {
  apiCommand(group, io, 'why <task>', 'show why a task is not running', async (session, _flags, id) => {
    const why = await session.api.call('tasks.why', { params: { taskId: id } });
    session.show(why, () => [why.message, '', ...namedValues(details(why))]);
  });
}

function details({
  taskId,
  state,
  reason,
  queue,
  slots,
  handler,
  limit,
  childJobId,
  retryAt,
  scheduleTimeoutAt,
  runTimeoutAt,
}: Why) {
  return {
    task: taskId,
    state,
    reason,
    ...(queue ? { queue: `${queue.position} of ${queue.total}` } : {}),
    slots: `${slots.used} of ${slots.total} in use, ${slots.accepting} of ${slots.workers} workers accept tasks`,
    ...(handler ? { handler: `${handler.name} (${pluralize(handler.workers.length, 'worker')})` } : {}),
    ...(limit ? { limit: `${limit.scope} ${limit.name}: ${limit.used} of ${limit.most}` } : {}),
    ...(childJobId ? { 'child job': childJobId } : {}),
    ...(retryAt ? { 'next attempt': retryAt } : {}),
    ...(scheduleTimeoutAt ? { 'schedule timeout': scheduleTimeoutAt } : {}),
    ...(runTimeoutAt ? { 'run timeout': runTimeoutAt } : {}),
  };
}
