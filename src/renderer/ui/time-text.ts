type Zone = 'local' | 'utc';

const formats = new Map<string, Intl.DateTimeFormat>();
function format(zone: Zone, parts: 'day' | 'time'): Intl.DateTimeFormat {
  const key = `${zone}-${parts}`;
  let found = formats.get(key);
  if (!found) {
    const shape: Intl.DateTimeFormatOptions =
      parts === 'day' ? { year: 'numeric', month: '2-digit', day: '2-digit' } : { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' };
    found = new Intl.DateTimeFormat('sv-SE', zone === 'utc' ? { ...shape, timeZone: 'UTC' } : shape);
    formats.set(key, found);
  }
  return found;
}

/** `2026-11-21 14:03:07.120` in the zone, with `UTC` behind it where it is that. `milliseconds: false` cuts them. */
export function formatInstant(at: string | number | Date, zone: Zone, milliseconds = true): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const time = format(zone, 'time').format(date).replace(',', '.');
  return `${format(zone, 'day').format(date)} ${milliseconds ? time : time.slice(0, 8)}${zone === 'utc' ? ' UTC' : ''}`;
}

/** `14:03:07` in the zone. */
export const formatClock = (at: number, zone: Zone): string => format(zone, 'time').format(new Date(at)).slice(0, 8);

/** The zone's name, such as `UTC` or `UTC+01:00`. */
export function zoneName(zone: Zone, at = new Date()): string {
  if (zone === 'utc') return 'UTC';
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return 'UTC+00:00';
  const sign = minutes < 0 ? '−' : '+';
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `UTC${sign}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const STEPS: readonly [seconds: number, unit: string][] = [[86_400 * 365, 'y'], [86_400 * 30, 'mo'], [86_400, 'd'], [3600, 'h'], [60, 'min']];

/** `2 s ago`, `in 4 min`; within a second `now` (`now` moves once a second, so what just happened may lie ahead of it). */
export function formatAgo(at: string | number, now: number): string {
  const seconds = Math.round((now - new Date(at).getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size <= 1) return 'now';
  const step = STEPS.find(([length]) => size >= length);
  const text = step ? `${Math.floor(size / step[0])} ${step[1]}` : `${size} s`;
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}
