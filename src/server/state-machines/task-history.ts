import { keysOf } from '../../contract/tables.ts';
import { valueAt } from '../../lib/item-at.ts';
import type { Transition } from '../../contract/tasks.ts';
import type { TaskState } from '../../contract/vocabulary.ts';
import { iso } from '../../lib/clock.ts';

/**
 * A task's history as text that only grows, one line a transition, so that a transition appends and never rewrites:
 * `<from><to> <time> <attempt> [@worker] [reason]`. States are one letter, times base 36. The worker is named where the
 * task is assigned; the lines after it, up to the next READY, belong to the same one.
 */
const LETTER: Readonly<Record<TaskState, string>> = {
  READY: 'Q',
  SCHEDULED: 'S',
  RUNNING: 'R',
  COMPLETED: 'C',
  FAILED: 'F',
  SCHEDULE_TIMEOUT: 'T',
  RUN_TIMEOUT: 'X',
};
const STATE = new Map(keysOf(LETTER).map((state) => [LETTER[state], state]));

/** The lines of a turn have few different times, and to write one in base 36 costs more than the rest of its line. */
let lastAt = 0;
let lastText = '0';
function base36(at: number): string {
  if (at !== lastAt) {
    lastText = at.toString(36);
    lastAt = at;
  }
  return lastText;
}

export function historyLine(
  from: TaskState | null,
  to: TaskState,
  at: number,
  attempt: number,
  workerId: string | null,
  reason: string,
): string {
  const worker = to === 'SCHEDULED' && workerId !== null ? ` @${workerId}` : '';
  return `${from === null ? '-' : LETTER[from]}${LETTER[to]} ${base36(at)} ${attempt}${worker} ${reason.includes('\n') ? reason.replaceAll('\n', ' ') : reason}\n`;
}

/** The lines as the API shows them. Times ISO 8601. */
export function parseHistory(text: string): Transition[] {
  let workerId: string | null = null;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, from = '', to = '', at = '0', attempt = '1', worker, reason = ''] =
        /^(.)(.) (\S+) (\d+)(?: @(\S+))? (.*)$/s.exec(line) ?? [];
      if (to === LETTER.READY) workerId = null;
      if (worker !== undefined) workerId = worker;
      return {
        from: STATE.get(from) ?? null,
        to: valueAt(STATE, to),
        at: iso(Number.parseInt(at, 36)),
        attempt: Number(attempt),
        workerId,
        reason: reason === '' ? null : reason,
      };
    });
}
