import { frameOf } from '../../logsql/frame.ts';
import { nextOf } from '../../logsql/mask.ts';
import type { LogFilter } from '../../port.ts';
import { pageText, readCursor, writeCursor } from '../../search-cursor.ts';
import { recordWriter } from './records.ts';
import type { Snapshot } from './source.ts';
import { filterOf, readyFilter } from './filter.ts';
import type { TimeSlice } from './time-slice.ts';

/** `chars`: characters of records after which a page ends, for what reads them itself; see `PAGE_CHARS`. */
export type SearchQuery = LogFilter & { limit: number; order: 'asc' | 'desc'; cursor?: string; chars?: number };

/** One page of a search: records as JSON texts. */
interface Page {
  readonly records: readonly string[];
  readonly next: string | null;
}

/** A record's place in the order of times: equal times are ordered by arrival, which no merging of blocks changes. */
interface Place {
  ms: number;
  ns: number;
  arrival: number;
}
type Found = Place & { block: number; row: number };

/** Characters of records of one answer, which is one text on the master's loop; a page ends early rather than growing beyond. */
const PAGE_CHARS = 4 * 1024 * 1024;

/** Rows that are written in one go, those of a block one after another, so that its columns are unpacked once. */
const TOGETHER = 64;

/** One page of a search, as the JSON text of a `LogSearch`. `clean`: what is made of each record's text. */
export async function search(
  query: SearchQuery,
  now: number,
  snapshot: Snapshot,
  watch: TimeSlice,
  clean: (record: string) => string,
): Promise<string> {
  const { records, next } = await find(query, now, snapshot, watch, clean);
  return pageText(query, records, next);
}

/** The records of one page alone, as a JSON array, the oldest first however they were looked for. */
export async function searchRecords(
  query: SearchQuery,
  now: number,
  snapshot: Snapshot,
  watch: TimeSlice,
  clean: (record: string) => string,
): Promise<string> {
  const { records } = await find(query, now, snapshot, watch, clean);
  return `[${(query.order === 'asc' ? records : records.toReversed()).join(',')}]`;
}

async function find(
  query: SearchQuery,
  now: number,
  snapshot: Snapshot,
  watch: TimeSlice,
  clean: (record: string) => string,
): Promise<Page> {
  const cursor = query.cursor === undefined ? null : placeOf(query.cursor, query);
  // Pages of one search share its moment, so that `_time:5m` means the same on all of them.
  const moment = cursor?.now ?? now;
  const { matcher, hints } = readyFilter(filterOf(query), moment);
  const sign = query.order === 'asc' ? 1 : -1;
  const compare = (a: Place, b: Place): number => sign * (a.ms - b.ms || a.ns - b.ns || a.arrival - b.arrival);
  const narrowed =
    cursor === null
      ? hints
      : sign > 0
        ? { ...hints, from: Math.max(hints.from ?? -Infinity, cursor.ms) }
        : { ...hints, to: Math.min(hints.to ?? Infinity, cursor.ms + 1) };
  // One more than is given tells whether there is another page.
  const wanted = query.limit + 1;
  let found: Found[] = [];
  /** Drops what cannot be on the page. */
  const trim = () => {
    found.sort(compare);
    found.length = Math.min(found.length, wanted);
  };

  for (const block of snapshot.blocks(narrowed, query.order)) {
    await watch.step();
    const bound = sign > 0 ? block.t0 : block.t1;
    const last = found.length >= wanted ? found[wanted - 1] : undefined;
    if (last && sign * (bound - last.ms) > 0) break;
    const mask = matcher(frameOf(block, null), null);
    if (mask === false || (mask !== true && nextOf(mask, 0) < 0)) continue;
    const { ms, ns, arrivals } = block;
    let taken = 0;
    for (let i = 0; i < block.rows && taken < wanted; i++) {
      const row = sign > 0 ? i : block.rows - 1 - i;
      if (mask !== true && mask[row] !== 1) continue;
      const place = {
        ms: ms[row] ?? 0,
        ns: ns === null ? 0 : (ns[row] ?? 0),
        arrival: arrivals[row] ?? 0,
      };
      if (cursor !== null && compare(place, cursor) <= 0) continue;
      // Rows of a block are in the order of times: those behind are no better.
      if (last && compare(place, last) > 0) break;
      found.push({ ...place, block: block.id, row });
      taken++;
    }
    if (taken > 0) trim();
  }

  const records: string[] = [];
  const most = Math.min(query.chars ?? PAGE_CHARS, PAGE_CHARS);
  let chars = 0;
  let given = 0;
  const write = blockWriter(snapshot);
  // The blocks of a page may be thousands: no more than one has its columns at hand.
  for (let from = 0; from < query.limit && from < found.length && chars <= most; from += TOGETHER) {
    await watch.step();
    const part = found.slice(from, Math.min(from + TOGETHER, query.limit));
    const texts = new Array<string>(part.length);
    for (const [block, places] of Map.groupBy(part.entries(), ([, { block }]) => block))
      for (const [i, { row }] of places) texts[i] = write(block, row);
    for (const text of texts) {
      if (chars > most) break;
      given++;
      if (text === '') continue;
      const record = clean(text);
      records.push(record);
      chars += record.length;
    }
  }
  const end = found[given - 1];
  return { records, next: end && given < found.length ? cursorAt(query, moment, end) : null };
}

/** Writes rows; keeps the block of the last one open. '' where it cannot be read any more. */
function blockWriter(snapshot: Snapshot): (block: number, row: number) => string {
  let last: { id: number; write(row: number): string } | null = null;
  return (id, row) => {
    if (last?.id !== id) {
      const block = snapshot.block(id);
      last = { id, write: block === null ? () => '' : recordWriter(block) };
    }
    return last.write(row);
  };
}

const cursorAt = (query: SearchQuery, now: number, { ms, ns, arrival }: Place): string =>
  writeCursor(query, { now, ms, more: [ns, arrival] });

function placeOf(text: string, query: SearchQuery): Place & { now: number } {
  const { now, ms, more } = readCursor(text, query, 2);
  const [ns = 0, arrival = 0] = more;
  return { now, ms, ns, arrival };
}
