import { LINE_ID } from '../line-ids.ts';
import { pageText, readCursor, writeCursor } from '../search-cursor.ts';
import type { SearchQuery } from '../store/read/search.ts';
import type { Instant } from '../store/time.ts';
import type { LogsClient } from './client.ts';
import { timesOf } from './hits.ts';
import { nanoText, piped, questionOf, type RemoteQuery } from './query.ts';
import { recordOf, type RemoteRecord } from './records.ts';

/** A place in the order of times: so many lines of this very instant are behind it. */
interface Place extends Instant {
  readonly behind: number;
}

type Client = Pick<LogsClient, 'lines'>;

/** Characters of records of one answer, which is one text on the master's loop; a page ends early rather than growing beyond. */
const PAGE_CHARS = 4 * 1024 * 1024;
/** A search looks through this much time first, and then through ever more: the store sorts all that lies in it. */
const FIRST_MS = 60_000;
const WIDER = 8;
/** Lines of a request, where lines that were there twice leave room for a few. */
const LEAST = 16;
/** Beyond that, all the rest at once. */
const WIDEST_MS = 400 * 86_400_000;

/** One page of a search, as the JSON text of a `LogSearch`. `removed`: is told how many lines were there twice. */
export async function remoteSearch(
  client: Client,
  query: SearchQuery,
  now: number,
  timeoutMs: number,
  tools: Tools,
): Promise<string> {
  const { records, next } = await find(client, query, now, timeoutMs, tools);
  return pageText(query, records, next);
}

/** The records of one page alone, as a JSON array, the oldest first however they were looked for. */
export async function remoteRecords(
  client: Client,
  query: SearchQuery,
  now: number,
  timeoutMs: number,
  tools: Tools,
): Promise<string> {
  const { records } = await find(client, query, now, timeoutMs, tools);
  return `[${(query.order === 'asc' ? records : records.toReversed()).join(',')}]`;
}

export interface Tools {
  readonly signal: AbortSignal;
  /** What is made of each record's text. */
  clean(record: string): string;
  /** A line was there twice. */
  removed(): void;
}

async function find(
  client: Client,
  query: SearchQuery,
  now: number,
  timeoutMs: number,
  { signal, clean, removed }: Tools,
): Promise<{ records: string[]; next: string | null }> {
  const cursor = query.cursor === undefined ? null : readCursor(query.cursor, query, 3);
  // Pages of one search share its moment, so that `_time:5m` means the same on all of them.
  const moment = cursor?.now ?? now;
  const [ns = 0, behind = 0, widthMs = FIRST_MS] = cursor?.more ?? [];
  const start: Place | null = cursor && { ms: cursor.ms, ns, behind };
  const most = Math.min(query.chars ?? PAGE_CHARS, PAGE_CHARS);
  const records: string[] = [];
  let chars = 0;
  let place = start;
  let lastId: string | null = null;
  const rows = rowsOf(client, query, moment, timeoutMs, start, Math.max(1, widthMs), signal);
  for (let found = await rows.next(); ; found = await rows.next()) {
    if (found.done) return { records, next: null };
    const { record, width } = found.value;
    const isTwice: boolean = record.id !== null && record.id === lastId;
    if (!isTwice && (records.length >= query.limit || chars > most)) {
      await rows.return(undefined);
      const { ms, ns: nanos, behind: passed } = place ?? { ms: 0, ns: 0, behind: 0 };
      return {
        records,
        next: writeCursor(query, {
          now: moment,
          ms,
          more: [nanos, passed, Math.max(FIRST_MS, Math.round(width / WIDER))],
        }),
      };
    }
    const { time, id } = record;
    const isSame: boolean = place !== null && place.ms === time.ms && place.ns === time.ns;
    place = { ...time, behind: (isSame ? (place?.behind ?? 0) : 0) + 1 };
    lastId = id;
    if (isTwice) {
      removed();
      continue;
    }
    const text = clean(record.text);
    records.push(text);
    chars += text.length;
  }
}

/** The lines of a search in their order, from a place on; looks through one stretch of time after the other. `width`: of the stretch. */
async function* rowsOf(
  client: Client,
  query: SearchQuery,
  now: number,
  timeoutMs: number,
  start: Place | null,
  firstMs: number,
  signal: AbortSignal,
): AsyncGenerator<{ record: RemoteRecord; width: number }, undefined> {
  const question = questionOf(query, now, timeoutMs);
  const isUp = query.order === 'asc';
  const range =
    isUp && start === null && question.range.from === null
      ? await sinceFirst(client, question, signal)
      : question.range;
  if (range === null) return;
  const edge = { from: range.from ?? -Infinity, to: range.to ?? Infinity };
  let place = start;
  let width = firstMs;
  // One more than a page tells whether there is another.
  let left = query.limit + 1;
  // Unix ms, up to where was looked; what lies in the future is part of the first stretch of a search that goes back.
  let done = isUp
    ? Math.max(edge.from, place?.ms ?? -Infinity)
    : Math.min(edge.to, place === null ? Infinity : place.ms + 1);
  for (;;) {
    const until = isUp ? Math.min(edge.to, done + width) : Math.max(edge.from, Math.min(done, now) - width);
    // Nothing is behind the moment of the search but what clocks that are ahead have written.
    const isLast = isUp ? until >= edge.to || until > now : until <= edge.from || width > WIDEST_MS;
    const end = isLast ? (isUp ? edge.to : edge.from) : until;
    const [low, high] = isUp ? [done, end] : [end, done];
    let found = 0;
    for (let isMore = true; isMore;) {
      isMore = false;
      const asked = Math.max(left, LEAST);
      const bounds = boundsOf(low, high, place, isUp);
      let got = 0;
      for await (const lines of client.lines(
        piped(
          { ...question, extraFilters: [...question.extraFilters, ...bounds] },
          orderedBy(isUp, place?.behind ?? 0, asked),
        ),
        signal,
      ))
        for (const line of lines) {
          got++;
          const record = recordOf(line);
          const { ms, ns } = record.time;
          place = { ms, ns, behind: (place?.ms === ms && place.ns === ns ? place.behind : 0) + 1 };
          yield { record, width };
        }
      isMore = got >= asked;
      found += got;
      left -= got;
    }
    if (isLast) return;
    // What was seen lies within the stretches that are done.
    place = null;
    done = end;
    // As wide as what is left should need, by what this stretch had.
    width = Math.ceil(width * (found === 0 ? WIDER : Math.min(WIDER, Math.max(1, (2 * left) / found))));
  }
}

async function sinceFirst(
  client: Client,
  question: RemoteQuery & { range: { to: number | null } },
  signal: AbortSignal,
) {
  const found = await timesOf(client, question, signal);
  return found && { from: found.from, to: question.range.to };
}

/** Filters for what lies between two times (Unix ms, the second is out) and not before a place. */
function boundsOf(low: number, high: number, place: Place | null, isUp: boolean): string[] {
  const at = (ms: number) => nanoText({ ms, ns: 0 });
  const bounds: string[] = [];
  if (isUp && place !== null) bounds.push(`_time:>=${nanoText(place)}`);
  else if (Number.isFinite(low)) bounds.push(`_time:>=${at(low)}`);
  if (!isUp && place !== null) bounds.push(`_time:<=${nanoText(place)}`);
  else if (Number.isFinite(high)) bounds.push(`_time:<${at(high)}`);
  return bounds;
}

/** Lines of one instant are in the order of their ids, which is that of their arrival; those without one in any that stays the same. */
const orderedBy = (isUp: boolean, offset: number, limit: number): string => {
  const way = isUp ? '' : ' desc';
  const keys = ['_time', LINE_ID, '_stream_id', '_msg'].map((name) => name + way);
  return `sort by (${keys.join(', ')})${offset > 0 ? ` offset ${offset}` : ''} limit ${limit}`;
};
