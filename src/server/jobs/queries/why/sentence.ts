import { iso } from '../../../../lib/clock.ts';
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
        return `It was given to worker ${row.worker_id} at ${iso(row.scheduled_at ?? now)}, which has not begun it yet.`;
      return `It runs on worker ${row.worker_id}${why.runTimeoutAt === null ? '' : ` and may take until ${why.runTimeoutAt}`}.`;
    case 'CHILD_RUNNING':
      return `It waits for ${why.childJobId === null ? 'its child job' : `child job ${why.childJobId}`} to end and holds no slot meanwhile.`;
    case 'FINISHED':
      return row.state === 'COMPLETED'
        ? `It is COMPLETED since ${iso(row.finished_at ?? now)}.`
        : `It has ended as ${row.state}, and no retry is left or allowed; retry it by hand once the cause is mended.`;
    case 'BACK_OFF':
      return backOff(standing);
    case 'NO_WORKERS':
      return `No worker is there${deadline(standing)}; start one with \`yardmaster worker\`, or see why they are Down.`;
    case 'HANDLER_NOT_REGISTERED':
      return `${slots.workers === 1 ? 'The only worker has not' : `None of the ${slots.workers} workers has`} registered the handler ${handler?.name}${deadline(standing)}; start a worker whose handlers file exports it.`;
    case 'ALL_DRAINED':
      return `${able(standing)} drained and take no new tasks${deadline(standing)}; resume one, or start another.`;
    case 'ALL_UNHEALTHY':
      return `${able(standing)} silent, unstable or just leaving and take no new tasks${deadline(standing)}; look at the list of workers.`;
    case 'CONCURRENCY_LIMIT':
      return limited(standing);
    case 'NEXT':
      if (why.childJobId !== null || queue === null) return 'Its child job starts in a moment.';
      return standing.free > 0
        ? 'It is next and goes to a worker in a moment.'
        : `It is next: it goes to the first of the ${count(slots.total, 'slot')} of ${count(slots.workers, 'worker')} that becomes free.`;
    case 'QUEUED':
      return `It is number ${queue?.position} of ${queue?.total} in the queue, and there is room: its turn comes in a moment.`;
    case 'ALL_MAXED':
      return `It is number ${queue?.position} of ${queue?.total} in the queue, and all ${count(slots.total, 'slot')} of ${count(slots.workers, 'worker')} are in use${deadline(standing)}; more workers or slots would shorten the wait.`;
    default:
      return unreachable(why.reason);
  }
}

function backOff({ why, row, able, now }: WaitingState): string {
  const attempt = `attempt ${row.attempt} of at most ${row.retry_count + 1} failed with ${row.error_code}`;
  if ((row.retry_at ?? 0) > now) return `It waits for its back-off: ${attempt}, the next one comes at ${why.retryAt}.`;
  return able === 0
    ? `Its back-off is over (${attempt}), but no worker that could take it is there; start one${why.handler ? ` that registers the handler ${why.handler.name}` : ''}.`
    : `Its back-off is over (${attempt}): the next check makes it ready again, once a worker that could take it is healthy.`;
}

function limited({ why: { limit } }: WaitingState): string {
  if (!limit) return 'It waits for its turn.';
  const { scope, name, most, used } = limit;
  if (scope === 'forEach')
    return `The forEach ${name} works on at most ${most} items at once, and ${used} are under way; raise its concurrency to have more.`;
  return `The ${scope === 'key' ? 'API key' : 'workflow'} ${name} may have at most ${most} ${most === 1 ? 'task' : 'tasks'} running at once, and ${used} ${used === 1 ? 'is' : 'are'}; raise its limit to have more.`;
}

function able({ able: many, why: { handler } }: WaitingState): string {
  const which = handler ? ` with the handler ${handler.name}` : '';
  return many === 1 ? `The only worker${which} is` : `All ${many} workers${which} are`;
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

function deadline({ row, now }: WaitingState): string {
  if (row.state !== 'READY') return '';
  const seconds = Math.max(0, Math.ceil((row.ready_deadline - now) / 1000));
  return ` (SCHEDULE_TIMEOUT in ${seconds} s)`;
}

/** All that is known of a task that waits; `sentence.ts` says it in words. */
export interface WaitingState {
  readonly why: Omit<Why, 'message'>;
  readonly row: TaskRow;
  readonly able: number;
  /** Workers that could take it and have room, and those that register the handler but are away. */
  readonly free: number;
  readonly now: number;
}
