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

/** The same beyond start and end; intervals are counted from the start all the same. */
export function dueAfter(
  { cron, everySeconds, at, timeZone, startAt, createdAt }: Timing,
  after: number,
): number | null {
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
    return `cannot be read: ${cronReason(error instanceof Error ? error.message : String(error))}`;
  }
}

const CRON_FIELDS = ['second', 'minute', 'hour', 'day', 'month', 'weekday'];

/** The parser's words, with the names of the fields; it counts some values from another number than the author. */
const cronReason = (message: string): string =>
  message
    .replace(/^CronPattern: (Syntax error, )?/, '')
    .replace(
      /^configuration entry (\d) \((.*)\) contains illegal characters\.$/,
      (_, index: string, text: string) => `the ${CRON_FIELDS[Number(index)]} "${text}" is not valid`,
    )
    .replace(/^configuration entry (\w+) \(\) is empty.*$/, 'the $1 has an empty value')
    .replace(/^Invalid value for (\w+): .*$/, 'the $1 is out of range')
    .replace(/^mode '.*' requires exactly 5 or 6 parts.*$/, 'exactly five or six fields are required')
    .replace(/^invalid configuration format \(.*\), /, '')
    .replace('five, six, or seven space separated parts', 'five or six fields')
    .replace('dayOfWeek', 'weekday')
    .replace('nearestWeekdays', 'day');

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A day that no month has would be looked for through hundreds of years, for a second and more. */
function isDueEver(pattern: CronPattern): boolean {
  if (pattern.useAndLogic) return hasCommonDay(pattern);
  if (!pattern.starDOW || pattern.lastDayOfMonth || pattern.lastWeekday) return true;
  return pattern.month.some(
    (isMonth, month) => isMonth && DAYS[month] !== undefined && firstDay(pattern) < DAYS[month],
  );
}

const firstDay = ({ day, nearestWeekdays }: CronPattern): number => {
  const first = day.findIndex((one, i) => one || nearestWeekdays[i]);
  return first < 0 ? Number.POSITIVE_INFINITY : first;
};

const [FIRST_YEAR, YEARS] = [2000, 28];
const LAST_OF_ITS_KIND = 32;

/** Whether there is a day that fits both day of month and weekday (`+MON`). So many years have every month that there is. */
function hasCommonDay(pattern: CronPattern): boolean {
  for (let at = 0; at < YEARS * 12; at++) {
    if (!pattern.month[at % 12]) continue;
    const firstWeekday = new Date(Date.UTC(FIRST_YEAR, at, 1)).getUTCDay();
    const last = new Date(Date.UTC(FIRST_YEAR, at + 1, 0)).getUTCDate();
    const weekdayOf = (day: number) => (firstWeekday + day - 1) % 7;
    const days = [...pattern.day.keys()].filter((i) => pattern.day[i]).map((i) => i + 1);
    if (pattern.lastDayOfMonth) days.push(last);
    if (pattern.lastWeekday) days.push(workday(last, last, weekdayOf));
    for (const [i, isMeant] of pattern.nearestWeekdays.entries())
      if (isMeant && i < last) days.push(workday(i + 1, last, weekdayOf));
    const fits = (day: number): boolean => {
      const which = pattern.dayOfWeek[weekdayOf(day)] ?? 0;
      return (which & (1 << Math.floor((day - 1) / 7))) !== 0 || ((which & LAST_OF_ITS_KIND) !== 0 && day + 7 > last);
    };
    if (days.some((day) => day <= last && fits(day))) return true;
  }
  return false;
}

/** The day from Monday to Friday that is nearest to this one, in the same month. */
function workday(day: number, last: number, weekdayOf: (day: number) => number): number {
  const weekday = weekdayOf(day);
  if (weekday === 0) return day === last ? day - 2 : day + 1;
  if (weekday === 6) return day === 1 ? day + 2 : day - 1;
  return day;
}

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
