import { Cron, CronPattern } from 'croner';
import { rememberLast } from '../../lib/bounded-map.ts';

/** When a schedule is due. Exactly one of `cron`, `everySeconds` and `at` is set. Times are Unix milliseconds. */
export interface Timing {
  readonly cron: string | null;
  readonly everySeconds: number | null;
  readonly at: number | null;
  readonly timeZone: string;
  /** No due time is before it; intervals are counted from it. */
  readonly startAt: number | null;
  /** No due time is at or after it. */
  readonly endAt: number | null;
  /** What intervals are counted from where there is no start. */
  readonly createdAt: number;
}

/** Each takes some 80 KB. */
const PATTERNS = 200;

/**
 * A time that a change of the clocks skips is due at the first moment after it, and one that comes twice is due once, where
 * seconds, minutes and hours are lists or ranges; with a wildcard or a step, each hour that there is counts.
 */
const patternFor = rememberLast(
  PATTERNS,
  (key: string) =>
    new Cron(key.slice(key.indexOf(' ') + 1), {
      timezone: key.slice(0, key.indexOf(' ')),
      mode: '5-or-6-parts',
      fixedTimeRule: 'no-wildcard',
      paused: true,
    }),
);

/** The first due time after a time; null: there is none. */
export function nextDue(timing: Timing, after: number): number | null {
  const { startAt, endAt } = timing;
  const due = dueAfter(timing, startAt === null ? after : Math.max(after, startAt - 1));
  return due === null || (endAt !== null && due >= endAt) ? null : due;
}

function dueAfter({ cron, everySeconds, at, timeZone, startAt, createdAt }: Timing, after: number): number | null {
  if (at !== null) return at > after ? at : null;
  if (everySeconds !== null) {
    const [anchor, every] = [startAt ?? createdAt, everySeconds * 1000];
    return anchor + (Math.floor((after - anchor) / every) + 1) * every;
  }
  return (
    patternFor(`${timeZone} ${cron ?? ''}`)
      .nextRun(new Date(after))
      ?.getTime() ?? null
  );
}

/** What is wrong with a cron expression; null: nothing. */
export function cronFault(cron: string): string | null {
  if (cron.includes(':')) return 'must be a cron expression with five or six fields; got a date: use at';
  try {
    return isDueEver(new CronPattern(cron, undefined, { mode: '5-or-6-parts' }))
      ? null
      : 'is never due: no month has such a day';
  } catch (error) {
    return `is not a cron expression: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error)}`;
  }
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A day that no month has would be looked for through ten thousand years. */
function isDueEver(pattern: CronPattern): boolean {
  if ((!pattern.starDOW && !pattern.useAndLogic) || pattern.lastDayOfMonth || pattern.lastWeekday) return true;
  return pattern.month.some(
    (isMonth, month) => isMonth && DAYS[month] !== undefined && firstDay(pattern) < DAYS[month],
  );
}

const firstDay = ({ day, nearestWeekdays }: CronPattern): number => {
  const first = day.findIndex((one, i) => one || nearestWeekdays[i]);
  return first < 0 ? Number.POSITIVE_INFINITY : first;
};

/** True for a name of the time zone database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !name.includes(' ');
  } catch {
    return false;
  }
}

/** So much later than it is due is a job started: the same for a due time whenever it is asked. */
export function jitterMs(id: string, due: number, seconds: number): number {
  if (seconds === 0) return 0;
  let hash = 2166136261;
  for (const char of `${id} ${due}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) % (seconds * 1000);
}
