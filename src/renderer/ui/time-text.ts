import { spokenLocale, t } from '../../lib/language.ts';

type Zone = 'local' | 'utc';
type Parts = 'day' | 'time' | 'exact';

const SHAPES: Readonly<Record<Parts, Intl.DateTimeFormatOptions>> = {
  day: { year: 'numeric', month: '2-digit', day: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  exact: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' },
};

const formats = new Map<string, Intl.DateTimeFormat>();
/** English reads on both sides of an ocean that writes days and months the other way round: its dates are those of ISO 8601. */
function format(zone: Zone, parts: Parts): Intl.DateTimeFormat {
  const locale = isEnglish() ? 'sv-SE' : spokenLocale();
  const key = `${locale} ${zone} ${parts}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, zone === 'utc' ? { ...SHAPES[parts], timeZone: 'UTC' } : SHAPES[parts]);
    formats.set(key, found);
  }
  return found;
}
const isEnglish = (): boolean => /^en\b/.test(spokenLocale());

/** `2026-11-21 14:03:07.120` in the zone (German: `21.11.2026 14:03:07,120`), with `UTC` behind it where it is that. `milliseconds: false` cuts them. */
export function formatInstant(at: string | number | Date, zone: Zone, milliseconds = true): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const time = format(zone, milliseconds ? 'exact' : 'time').format(date);
  return `${format(zone, 'day').format(date)} ${isEnglish() ? time.replace(',', '.') : time}${zone === 'utc' ? ' UTC' : ''}`;
}

/** `14:03:07` in the zone. */
export const formatClock = (at: number, zone: Zone): string => format(zone, 'time').format(new Date(at));

/** The zone's name, such as `UTC` or `UTC+01:00`. */
export function zoneName(zone: Zone, at = new Date()): string {
  if (zone === 'utc') return 'UTC';
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return 'UTC+00:00';
  const sign = minutes < 0 ? '−' : '+';
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `UTC${sign}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
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
  const step = STEPS.find(([length]) => size >= length);
  if (size <= 1 || !step) return t('now');
  const age = step[1](Math.floor(size / step[0]));
  return seconds < 0 ? t('in {age}', { age }) : t('{age} ago', { age });
}
