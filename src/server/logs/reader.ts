import { hash } from 'node:crypto';
import type { LogHits, LogSearch } from '../../contract/api.ts';
import type { LogValues } from '../../contract/api-logs.ts';
import { Fault } from '../../lib/fault.ts';
import { filterOf } from './filter.ts';
import { fieldsOf, matches } from './logsql/match.ts';
import { planOf, searchSql } from './plan.ts';
import type { LogFilter } from './port.ts';
import { isoOf, presented, type StoredRecord } from './record.ts';
import { openLogFile } from './store-open.ts';

type Row = StoredRecord & { id: number };
export type SearchQuery = LogFilter & { limit: number; order: 'asc' | 'desc'; cursor?: string };
const DEFAULT_STEP_MS = 60_000;
/** Buckets at most where the caller left the step open. */
const DEFAULT_BUCKETS = 1000;
export type HitsQuery = LogFilter & { stepMs: number | null; field?: string };

export type ValuesQuery = LogFilter & { field?: string; limit: number; contains?: string };
/** Newest matches that fields and values are counted over. */
const COUNTED = 20_000;

/** A query that takes longer is given up, so that it holds no other one up for ever. */
const QUERY_MS = 30_000;
const BUCKETS = 20_000;
/** Bytes of records of one answer; a page ends early rather than growing beyond. */
const PAGE_CHARS = 16 * 1024 * 1024;

/** Finds records. `now` is in milliseconds since the epoch. */
export interface LogReader {
  search(query: SearchQuery, now: number): LogSearch;
  hits(query: HitsQuery, now: number): LogHits;
  /** Without `field`: the names of fields. */
  values(query: ValuesQuery, now: number): LogValues;
  close(): void;
}

/** Reads what is committed. */
export function openReader(folder: string): LogReader {
  const db = openLogFile(folder, true);
  const select = (where: string, order: 'ASC' | 'DESC') => db.prepare<unknown[], Row>(searchSql(where, order));

  return {
    search(query: SearchQuery, nowMs: number): LogSearch {
      const cursor = query.cursor === undefined ? null : readCursor(query.cursor, query);
      // Pages of one search share its moment, so that `_time:5m` means the same on all of them.
      const now = cursor?.now ?? nowMs * 1000;
      const filter = filterOf(query, now);
      const plan = planOf(filter);
      const order = query.order === 'asc' ? 'ASC' : 'DESC';
      const after = cursor === null ? '' : ` AND (time, id) ${order === 'ASC' ? '>' : '<'} (?, ?)`;
      const deadline = Date.now() + QUERY_MS;
      const found: Row[] = [];
      let chars = 0;
      let seen = 0;
      let more = false;
      for (const row of select(plan.where + after, order).iterate(...plan.args, ...(cursor ? [cursor.time, cursor.id] : []))) {
        if ((++seen & 1023) === 0 && Date.now() > deadline) throw tooLong();
        if (!plan.exact && !matches(filter, row)) continue;
        if (found.length === query.limit || chars > PAGE_CHARS) {
          more = true;
          break;
        }
        chars += row.msg.length + (row.fields?.length ?? 0);
        found.push(row);
      }
      const last = found.at(-1);
      return {
        query: query.query?.trim() || '*',
        from: query.from ?? null,
        to: query.to ?? null,
        records: found.map(presented),
        nextCursor: more && last ? Buffer.from(JSON.stringify([fingerprint(query), now, last.time, last.id])).toString('base64url') : null,
      };
    },

    hits(query: HitsQuery, nowMs: number): LogHits {
      const filter = filterOf(query, nowMs * 1000);
      const plan = planOf(filter);
      const step = Math.max(1, Math.round(query.stepMs ?? DEFAULT_STEP_MS)) * 1000;
      const field = query.field;
      const series = new Map<string, Map<number, number>>();
      const add = (value: string, bucket: number, n: number) => {
        const buckets = series.get(value) ?? new Map<number, number>();
        series.set(value, buckets);
        buckets.set(bucket, (buckets.get(bucket) ?? 0) + n);
      };
      const own = field !== undefined && ['level', 'job_id', 'task_id', 'worker_id', 'source'].includes(field);
      if (plan.exact && (field === undefined || own)) {
        const rows = db.prepare<unknown[], { bucket: number; value: string | null; n: number }>(`SELECT time / ${step} AS bucket, ${own ? field : 'NULL'} AS value, count(*) AS n FROM log WHERE ${plan.where} GROUP BY 1, 2`);
        for (const { bucket, value, n } of rows.iterate(...plan.args)) add(value ?? '', bucket, n);
      } else {
        const deadline = Date.now() + QUERY_MS;
        let seen = 0;
        for (const row of select(plan.where, 'ASC').iterate(...plan.args)) {
          if ((++seen & 1023) === 0 && Date.now() > deadline) throw tooLong();
          if (plan.exact || matches(filter, row)) add(field === undefined ? '' : String(presented(row)[field] ?? ''), Math.floor(row.time / step), 1);
        }
      }
      const times = query.stepMs === null ? coarser(series, step, query) : 1;
      return { hits: filled(times === 1 ? series : merged(series, times), field, step * times, query) };
    },
    values(query: ValuesQuery, nowMs: number): LogValues {
      const filter = filterOf(query, nowMs * 1000);
      const plan = planOf(filter);
      const counts = new Map<string, number>();
      const wanted = query.contains?.toLowerCase() ?? '';
      const add = (value: string) => value.toLowerCase().includes(wanted) && counts.set(value, (counts.get(value) ?? 0) + 1);
      const deadline = Date.now() + QUERY_MS;
      let seen = 0;
      let counted = 0;
      for (const row of select(plan.where, 'DESC').iterate(...plan.args)) {
        if ((++seen & 1023) === 0 && Date.now() > deadline) throw tooLong();
        if (!plan.exact && !matches(filter, row)) continue;
        if (++counted > COUNTED) break;
        if (query.field === undefined) for (const name of Object.keys(presented(row))) add(name);
        else add(fieldsOf(row)(query.field));
      }
      const values = [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
      return { values: values.slice(0, query.limit), complete: counted <= COUNTED && values.length <= query.limit };
    },
    close: () => void db.close(),
  };
}

/** How many times longer the step has to be where the caller left it open; windows that start in between add one. */
function coarser(series: Map<string, Map<number, number>>, step: number, { from, to }: HitsQuery): number {
  let first = from === undefined ? Number.POSITIVE_INFINITY : (Date.parse(from) * 1000) / step;
  let last = to === undefined ? Number.NEGATIVE_INFINITY : (Date.parse(to) * 1000) / step;
  for (const buckets of series.values()) {
    for (const bucket of buckets.keys()) {
      first = Math.min(first, bucket);
      last = Math.max(last, bucket);
    }
  }
  return Math.max(1, Math.ceil((last - first + 1) / (DEFAULT_BUCKETS - 1)));
}

function merged(series: Map<string, Map<number, number>>, times: number): Map<string, Map<number, number>> {
  return new Map(
    [...series].map(([value, buckets]) => {
      const wide = new Map<number, number>();
      for (const [bucket, n] of buckets) wide.set(Math.floor(bucket / times), (wide.get(Math.floor(bucket / times)) ?? 0) + n);
      return [value, wide];
    }),
  );
}

/** Series by their value; every series has the same buckets, those without records included. */
function filled(series: Map<string, Map<number, number>>, field: string | undefined, step: number, query: HitsQuery): LogHits['hits'] {
  if (series.size === 0) return [];
  const all = [...series.values()].flatMap((buckets) => [...buckets.keys()]);
  const given = (text: string | undefined, otherwise: number, last: number) => (text === undefined ? otherwise : Math.floor((Date.parse(text) * 1000 - last) / step));
  const first = given(query.from, all.reduce((a, b) => Math.min(a, b)), 0);
  const last = given(query.to, all.reduce((a, b) => Math.max(a, b)), 1);
  if (last - first + 1 > BUCKETS) throw new Fault('VALIDATION_FAILED', `the step is too short for this time range: it makes ${last - first + 1} buckets, at most ${BUCKETS} are given`, { errors: [{ pointer: '/step', message: 'is too short for the time range' }] });
  const buckets = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const timestamps = buckets.map((bucket) => isoOf(bucket * step));
  return [...series]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, counts]) => {
      const values = buckets.map((bucket) => counts.get(bucket) ?? 0);
      return { fields: field === undefined ? {} : { [field]: value }, timestamps, values, total: values.reduce((a, b) => a + b, 0) };
    });
}

/** What the pages of one search have in common: its query, its filters and its order. */
const fingerprint = ({ query, job_id, task_id, worker_id, level, source, from, to, order }: SearchQuery): string =>
  hash('sha256', JSON.stringify([query?.trim() || '*', job_id, task_id, worker_id, level, source, from, to, order]), 'base64url').slice(0, 16);

function readCursor(text: string, query: SearchQuery): { now: number; time: number; id: number } {
  try {
    const [of, now, time, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, number, number, number];
    if (of === fingerprint(query) && [now, time, id].every(Number.isSafeInteger)) return { now, time, id };
  } catch {
    // Told below.
  }
  throw new Fault('VALIDATION_FAILED', 'the cursor is not one that this search gave: use nextCursor of the page before, with the same query, filters and order', { errors: [{ pointer: '/cursor', message: 'is not a cursor of this search' }] });
}

const tooLong = () => new Fault('STORE_UNAVAILABLE', `the search took longer than ${QUERY_MS / 1000} s: narrow its time range, or name a job or a task`);
