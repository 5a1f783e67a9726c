import { currentLocale, t } from '../../lib/language.ts';

/** `local`, `utc`, or the name of a zone such as `Europe/Berlin`. */
export type Zone = string;
/** For `Intl`; undefined: the machine's own. */
export const timeZoneFor = (zone: Zone): string | undefined =>
  zone === 'local' ? undefined : zone === 'utc' ? 'UTC' : zone;
/** Zones come and go with the releases of a browser: the master may know one that it does not. */
export function isKnownZone(zone: Zone): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timeZoneFor(zone) });
    return true;
  } catch {
    return false;
  }
}

type Parts = 'day' | 'monthDay' | 'time' | 'exact';

const SHAPES: Readonly<Record<Parts, Intl.DateTimeFormatOptions>> = {
  day: { year: 'numeric', month: '2-digit', day: '2-digit' },
  monthDay: { month: '2-digit', day: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  exact: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
};

const formats = new Map<string, Intl.DateTimeFormat>();
/** English reads on both sides of an ocean that writes days and months the other way round: its dates are those of ISO 8601. */
function format(zone: Zone, parts: Parts): Intl.DateTimeFormat {
  const locale = isEnglish() ? 'sv-SE' : currentLocale();
  const key = `${locale} ${zone} ${parts}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, { ...SHAPES[parts], timeZone: timeZoneFor(zone) });
    formats.set(key, found);
  }
  return found;
}
const isEnglish = (): boolean => /^en\b/.test(currentLocale());

/** `2026-11-21 14:03:07.120` in the zone (German: `21.11.2026 14:03:07,120`), with the zone behind it where it is not the machine's own. `milliseconds: false` cuts them. */
export function formatInstant(at: string | number | Date, zone: Zone, milliseconds = true): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const time = format(zone, milliseconds ? 'exact' : 'time').format(date);
  return `${format(zone, 'day').format(date)} ${isEnglish() ? time.replace(',', '.') : time}${zone === 'local' ? '' : ` ${zoneName(zone, date)}`}`;
}

/** `11-21 14:03:07.120` in the zone (German: `21.11. 14:03:07,120`): for lists whose year goes without saying. */
export function formatBrief(at: string | number, zone: Zone): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const time = format(zone, 'exact').format(date);
  return `${formatDay(date.getTime(), zone)} ${isEnglish() ? time.replace(',', '.') : time}`;
}

/** `11-21`, or `21.11.`: the day of an axis that is longer than one. */
export function formatDay(at: number, zone: Zone): string {
  // Without a year, no language writes the form of ISO 8601.
  return isEnglish()
    ? format(zone, 'day').format(new Date(at)).slice(5)
    : format(zone, 'monthDay').format(new Date(at));
}

/** `14:03:07` in the zone. */
export const formatClock = (at: number, zone: Zone): string => format(zone, 'time').format(new Date(at));

const offsets = new Map<string, Intl.DateTimeFormat>();
/** Minutes that the zone's clocks are ahead of UTC at that time. */
function offsetOf(zone: Zone, at: Date): number {
  if (zone === 'local') return -at.getTimezoneOffset();
  if (zone === 'utc') return 0;
  let found = offsets.get(zone);
  if (!found)
    offsets.set(zone, (found = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })));
  const name = found.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+)(?::(\d+))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The zone's name, such as `UTC` or `UTC+01:00`. */
export function zoneName(zone: Zone, at = new Date()): string {
  if (zone === 'utc') return 'UTC';
  const minutes = offsetOf(zone, at);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** What a clock in the zone shows, in the form of a `datetime-local` field: `2026-11-21T14:03:07`. */
export const wallTime = (at: number, zone: Zone): string =>
  new Date(at + offsetOf(zone, new Date(at)) * 60_000).toISOString().slice(0, 19);

/** When a clock in the zone shows that; of an hour that comes twice the first, of one that is left out the one after it. Null where it is no time. */
export function instantOfWall(text: string, zone: Zone): number | null {
  const wall = Date.parse(`${text}${text.length === 16 ? ':00' : ''}Z`);
  if (Number.isNaN(wall)) return null;
  // The offset is that of the time sought: either of the day before or of the day after, where they differ.
  const tries = [-86_400_000, 86_400_000].map((shift) => wall - offsetOf(zone, new Date(wall + shift)) * 60_000);
  return tries.find((at) => wallTime(at, zone) === new Date(wall).toISOString().slice(0, 19)) ?? Math.max(...tries);
}

const STEPS: readonly [seconds: number, text: (n: number) => string][] = [
  [86_400 * 365, (n) => t('{n} y', { n })],
  [86_400 * 30, (n) => t('{n} mo', { n })],
  [86_400, (n) => t('{n} d', { n })],
  [3600, (n) => t('{n} h', { n })],
  [60, (n) => t('{n} min', { n })],
  [1, (n) => t('{n} s', { n })],
];

/** `2 s ago`, `in 4 min`; within a second `now` (`now` moves once a second, so what just happened may lie ahead of it). */
export function formatAgo(at: string | number, now: number): string {
  const seconds = Math.round((now - new Date(at).getTime()) / 1000);
  const size = Math.abs(seconds);
  // What lies ahead is nearly always a round time from now, seen a moment later: 90 days are 3 months, and not 2.
  const whole = seconds < 0 ? Math.round : Math.floor;
  const step = STEPS.find(([length]) => whole(size / length) >= 1);
  if (size <= 1 || !step) return t('now');
  const age = step[1](whole(size / step[0]));
  return seconds < 0 ? t('in {age}', { age }) : t('{age} ago', { age });
}
