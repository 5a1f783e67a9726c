import type { Filter, TimeSpec } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { durationOf } from './durations.ts';
import { spanOf } from './times.ts';
import { badQuery } from './tokens.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const JOINS = '-+:/.';
const EXPECTED = 'a time such as 5m, 2025-03-10Z or 2025-03-10T12:00:00Z';

/** What stands behind `_time:`. */
export function parseTime(cursor: Cursor): Filter {
  const spec: TimeSpec = cursor.isWord('offset') ? { kind: 'ever' } : specAt(cursor);
  if (!cursor.isWord('offset')) return { kind: 'time', spec, offset: null };
  cursor.next();
  const at = cursor.peek().at;
  const offset = cursor.value('-+.', 'a duration after offset');
  if (durationOf(offset) === null)
    throw badQuery(at, `expected a duration such as 1h after offset, got ${JSON.stringify(offset)}`);
  return { kind: 'time', spec, offset };
}

function specAt(cursor: Cursor): TimeSpec {
  if (cursor.sign('*')) return { kind: 'ever' };
  for (const op of ['>=', '<=', '>', '<', '='] as const)
    if (cursor.sign(op)) return { kind: 'compare', op, text: timeAt(cursor) };
  const opening = cursor.peek();
  if (cursor.sign('[') || cursor.sign('(')) {
    const low = timeAt(cursor);
    cursor.expect(',', 'between the two times');
    const high = timeAt(cursor);
    return { kind: 'range', low, lowIn: opening.text === '[', high, highIn: closing(cursor) };
  }
  if (cursor.isWord('day_range') && (cursor.isSign('[', 1) || cursor.isSign('(', 1))) {
    return { kind: 'day_range', ...pair(cursor, minuteOf, 'a time of day such as 08:00') };
  }
  if (cursor.isWord('week_range') && (cursor.isSign('[', 1) || cursor.isSign('(', 1))) {
    const { low, lowIn, high, highIn } = pair(cursor, dayOf, 'a day such as Mon');
    return { kind: 'week_range', low: low + (lowIn ? 0 : 1), high: high - (highIn ? 0 : 1) };
  }
  return { kind: 'at', text: timeAt(cursor) };
}

function timeAt(cursor: Cursor): string {
  const at = cursor.peek().at;
  const text = cursor.value(JOINS, EXPECTED);
  if (spanOf(text, 0n) === null) throw badQuery(at, `expected ${EXPECTED}, got ${JSON.stringify(text)}`);
  return text;
}

function closing(cursor: Cursor): boolean {
  if (cursor.sign(']')) return true;
  cursor.expect(')', 'or "]" at the end of the range');
  return false;
}

function pair(
  cursor: Cursor,
  valueOf: (text: string) => number | null,
  expected: string,
): { low: number; lowIn: boolean; high: number; highIn: boolean } {
  cursor.next();
  const lowIn = cursor.next().text === '[';
  const one = () => {
    const at = cursor.peek().at;
    const text = cursor.value(':', expected);
    const value = valueOf(text);
    if (value === null) throw badQuery(at, `expected ${expected}, got ${JSON.stringify(text)}`);
    return value;
  };
  const low = one();
  cursor.expect(',', 'between the two bounds');
  const high = one();
  return { low, lowIn, high, highIn: closing(cursor) };
}

function minuteOf(text: string): number | null {
  const match = /^(\d\d):(\d\d)$/.exec(text);
  if (match === null || Number(match[1]) > 24 || Number(match[2]) > 59) return null;
  return Number(match[1]) * 60 + Number(match[2]);
}

function dayOf(text: string): number | null {
  const at = DAYS.indexOf(text.toLowerCase().slice(0, 3));
  const full = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'][at];
  return at < 0 || (text.length > 3 && full !== text.toLowerCase()) ? null : at;
}
