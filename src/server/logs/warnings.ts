import type { DataWarning } from '../../contract/data-health.ts';
import { parseCheaply } from './logsql/parse.ts';
import { hintsOf } from './logsql/filter/hints.ts';
import type { LogFilter, LogRange } from './port.ts';
import { filterOf } from './store/read/filter.ts';

/** The time that a filter is about, by its own bounds and those of its query. Throws as a search would. */
export function rangeOf(filter: LogFilter, now: number): LogRange {
  const { from, to } = hintsOf(filterOf(filter, parseCheaply), BigInt(Math.floor(now)) * 1_000_000n);
  return { from, to };
}

/**
 * The part of a search's time that a page of it answers for: up to its last record where another page follows, and from the
 * last record of the page before. `cursor`, `next`: the cursors of this page and of the next one.
 */
export function coveredBy(
  range: LogRange,
  order: 'asc' | 'desc',
  cursor: string | null,
  next: string | null,
): LogRange {
  const [first, last] = [momentOf(cursor), momentOf(next)];
  return order === 'asc'
    ? { from: first ?? range.from, to: last === null ? range.to : last + 1 }
    : { from: last ?? range.from, to: first === null ? range.to : first + 1 };
}

/** The time in a cursor of the store's search. */
function momentOf(cursor: string | null): number | null {
  if (cursor === null) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) && typeof parts[2] === 'number' ? parts[2] : null;
  } catch {
    return null;
  }
}

const NEXT = '"nextCursor":';
/** The cursor at the end of a page's JSON text. */
export function nextCursorIn(text: string): string | null {
  const next: unknown = JSON.parse(text.slice(text.lastIndexOf(NEXT) + NEXT.length, -1));
  return typeof next === 'string' ? next : null;
}

/** A JSON object's text with its warnings, where there are any. */
export const withWarnings = (text: string, warnings: readonly DataWarning[]): string =>
  warnings.length === 0 ? text : `${text.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
