import { hash } from 'node:crypto';
import { invalidAt } from '../../lib/fault.ts';
import type { LogFilter } from './port.ts';

type Search = LogFilter & { order: 'asc' | 'desc' };

/** What the pages of one search have in common: its query, its filters and its order. */
const fingerprint = ({ query, job_id, task_id, worker_id, level, source, from, to, within, order }: Search): string =>
  hash(
    'sha256',
    JSON.stringify([
      query?.trim() || '*',
      job_id,
      task_id,
      worker_id,
      level,
      source,
      from,
      to,
      order,
      ...(within ? [within] : []),
    ]),
    'base64url',
  ).slice(0, 16);

/** Where a search goes on. `now`: its moment; `ms`: the time of its last record, in Unix ms; `more`: the store's own numbers. */
export interface SearchCursor {
  readonly now: number;
  readonly ms: number;
  readonly more: readonly number[];
}

export const writeCursor = (query: Search, { now, ms, more }: SearchCursor): string =>
  Buffer.from(JSON.stringify([fingerprint(query), now, ms, ...more])).toString('base64url');

/** Reads a cursor with so many numbers of the store's own. Throws VALIDATION_FAILED where it is none of this search. */
export function readCursor(text: string, query: Search, numbers: number): SearchCursor {
  try {
    // A foreign text may be anything: what a cursor is not fails one of the checks.
    const [of, now, ms, ...more] = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (of === fingerprint(query) && more.length === numbers && [now, ms, ...more].every(Number.isSafeInteger))
      return { now, ms, more };
  } catch {
    // Told below.
  }
  throw invalidAt(
    '/cursor',
    'the cursor does not belong to this search: use nextCursor of the previous page, with the same query, filters and order',
    'is not a cursor of this search',
  );
}

/** A page as the JSON text of a `LogSearch`. */
export function pageText(query: LogFilter, records: readonly string[], next: string | null): string {
  const head = JSON.stringify({ query: query.query?.trim() || '*', from: query.from ?? null, to: query.to ?? null });
  return `${head.slice(0, -1)},"records":[${records.join(',')}],"nextCursor":${JSON.stringify(next)}}`;
}
