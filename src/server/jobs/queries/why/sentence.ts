import { iso } from '../../../../lib/clock.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { unreachable } from '../../../../lib/fault.ts';
import type { Why } from '../../../../contract/tasks.ts';
import type { TaskRow } from '../../engine/rows.ts';

/** One calm sentence: what it waits for, and what would help. */
export function sentence(standing: WaitingState): string {
  const { why, row, now } = standing;
  const { slots, queue, handler } = why;
  switch (why.reason) {
    case 'RUNNING':
      if (row.state === 'SCHEDULED')
        return `The task was assigned to worker ${row.worker_id} at ${iso(row.scheduled_at ?? now)}, and the worker has not started it yet.`;
      return `The task is running on worker ${row.worker_id}${why.runTimeoutAt === null ? '' : `. Its run timeout ends at ${why.runTimeoutAt}`}.`;
    case 'CHILD_RUNNING':
      return `The task is waiting for ${why.childJobId === null ? 'its child job' : `child job ${why.childJobId}`} to finish. It uses no worker slot.`;
    case 'WAITING_TIME':
      return `The task is waiting until ${why.wait?.dueAt ?? 'its time'}. It uses no worker slot.`;
    case 'WAITING_SIGNAL':
      return `The task is waiting for signal ${why.wait?.name ?? ''} until ${why.wait?.dueAt ?? 'its deadline'}. It uses no worker slot. Send the signal with \`yardmaster jobs signal\`.`;
    case 'WAITING_APPROVAL':
      return `The task is waiting for approval ${why.wait?.approvalId ?? ''} until ${why.wait?.dueAt ?? 'its deadline'}. It uses no worker slot. Decide it on the Approvals page or with \`yardmaster approvals\`.`;
    case 'FINISHED':
      return row.state === 'COMPLETED'
        ? `The task completed at ${iso(row.finished_at ?? now)}.`
        : `The task ended as ${row.state}, and no automatic retries are left or allowed. Fix the cause, then retry the task.`;
    case 'BACK_OFF':
      return backOff(standing);
    case 'NO_WORKERS':
      return `No worker is online${deadline(standing)}. Start one with \`yardmaster worker\`, or check why the workers are Down.`;
    case 'ENVIRONMENT_NOT_SERVED':
      return notServed(standing);
    case 'HANDLER_NOT_REGISTERED':
      return `${slots.workers === 1 ? `The only worker${forEnvironment(standing)} has not` : `None of the ${slots.workers} workers${forEnvironment(standing)} has`} registered the handler ${handler?.name}${deadline(standing)}. Start a worker whose handlers file exports it.`;
    case 'ALL_DRAINED':
      return `${able(standing)} draining${deadline(standing)}. Resume one, or start another worker.`;
    case 'ALL_UNHEALTHY':
      return `${able(standing)} not responding, unstable or shutting down${deadline(standing)}. Check the list of workers.`;
    case 'CONCURRENCY_LIMIT':
      return limited(standing);
    case 'NEXT':
      if (why.childJobId !== null || queue === null) return 'The child job of this task is about to start.';
      return standing.free > 0
        ? 'The task is next in the queue and is about to be assigned to a worker.'
        : `The task is next in the queue. It will run on the first free slot (${count(slots.total, 'slot')} on ${count(slots.workers, 'worker')}).`;
    case 'QUEUED':
      return `The task is number ${queue?.position} of ${queue?.total} in the queue. Slots are free, so it will start soon.`;
    case 'ALL_MAXED':
      return `The task is number ${queue?.position} of ${queue?.total} in the queue, and all slots are in use (${count(slots.total, 'slot')} on ${count(slots.workers, 'worker')})${deadline(standing)}. Add workers or slots to shorten the wait.`;
    default:
      return unreachable(why.reason);
  }
}

function backOff({ why, row, able, now, online, environment }: WaitingState): string {
  const attempt = `attempt ${row.attempt} of ${row.retry_count + 1} failed with ${row.error_code}`;
  if ((row.retry_at ?? 0) > now)
    return `The task is waiting for its back-off: ${attempt}. The next attempt starts at ${why.retryAt}.`;
  return able === 0
    ? `The back-off is over (${attempt}), but no worker can run the task. Start one${why.slots.workers === 0 && online > 0 ? ` with a token that serves ${environment ?? 'all environments'}` : ''}${why.handler ? ` that registers the handler ${why.handler.name}` : ''}.`
    : `The back-off is over (${attempt}). The task returns to the queue once a suitable worker is healthy.`;
}

function limited({ why: { limit } }: WaitingState): string {
  if (!limit) return 'The task is waiting in the queue.';
  const { scope, name, most, used } = limit;
  if (scope === 'forEach')
    return `The forEach node ${name} runs at most ${most} items at the same time, and ${used} are running. Raise its concurrency to run more.`;
  return `The ${scope === 'key' ? 'API key' : 'workflow'} ${name} may run at most ${most} ${most === 1 ? 'task' : 'tasks'} at the same time, and ${used} ${used === 1 ? 'is' : 'are'} running. Raise its concurrency limit to run more.`;
}

function notServed({ environment, online, ...standing }: WaitingState): string {
  const none =
    online === 1 ? 'The token of the only worker does not allow' : `No token of the ${online} workers allows`;
  return environment === null
    ? `${none} runs outside environments${deadline(standing)}. Drafts and runs of a commit need a worker whose token has no environments.`
    : `${none} tasks of ${environment}${deadline(standing)}. Start a worker with a token that serves ${environment}.`;
}

/** Named only where some workers serve other environments alone. */
const forEnvironment = ({ why: { slots }, online, environment }: WaitingState): string =>
  slots.workers === online ? '' : ` for ${environment ?? 'runs outside environments'}`;

function able(standing: WaitingState): string {
  const {
    able: many,
    why: { handler },
  } = standing;
  const which = `${forEnvironment(standing)}${handler ? ` with the handler ${handler.name}` : ''}`;
  return many === 1 ? `The only worker${which} is` : `All ${many} workers${which} are`;
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

function deadline({ row, now }: Pick<WaitingState, 'row' | 'now'>): string {
  if (row.state !== 'READY') return '';
  const seconds = Math.max(0, Math.ceil((row.ready_deadline - now) / 1000));
  return ` (SCHEDULE_TIMEOUT in ${seconds} s)`;
}

/** All that is known of a task that waits; `sentence.ts` says it in words. */
export interface WaitingState {
  readonly why: Omit<Why, 'message'>;
  readonly row: TaskRow;
  /** Of its job. */
  readonly environment: Environment | null;
  /** Workers that are not Down; `why.slots` counts only those that serve its environment. */
  readonly online: number;
  readonly able: number;
  /** Workers that could take it and have room, and those that register the handler but are away. */
  readonly free: number;
  readonly now: number;
}
