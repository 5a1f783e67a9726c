import { itemAt } from '../../../../lib/item-at.ts';
import { ByteWriter } from '../../../../lib/bytes.ts';
import { encodeNumbers, putSection, scaleOf } from './codec.ts';
import { PART_MS } from './partition.ts';
import type { Column, Rows } from './rows.ts';

/** Roll-ups of one minute: what long ranges read instead of points. A block has those of many series of a partition. */

export const MINUTE = 60_000;
export const ROLL_PARTS = ['count', 'sum', 'min', 'max', 'first', 'last'] as const;
export type RollPart = (typeof ROLL_PARTS)[number];

/** Minutes of a field of a series. `parts` may lack all but count and sum where reading the points costs as little. */
export interface Roll {
  readonly series: number;
  readonly field: number;
  /** Minutes since the partition's start, ascending. */
  readonly minutes: Float64Array;
  readonly parts: Parts;
  /** What `parts` lack, for the ten minutes that each of them lies in; null: nothing, or not even that is kept. */
  readonly coarse: Coarse | null;
}

export type Parts = Readonly<Partial<Record<RollPart, Float64Array | undefined>>>;
/** As minutes are, the first of each ten. */
interface Coarse {
  readonly minutes: Float64Array;
  readonly parts: Parts;
}

/** Points a minute below which only count and sum are kept, and points in ten minutes below which nothing more is. */
const DENSE = 8;
/** The longer of the two stretches. */
export const TEN_MINUTES = 10 * MINUTE;
export const COARSE_MINUTES = TEN_MINUTES / MINUTE;
export const COARSE_PARTS = ['min', 'max', 'first', 'last'] as const;
export const HAS_COARSE = 64;

/** Minutes of a partition: the first `n` of each array. */
interface Lists extends Record<RollPart | 'minutes', Float64Array> {
  n: number;
}
const MINUTES = PART_MS / MINUTE;
const newLists = (): Lists => ({
  n: 0,
  minutes: new Float64Array(MINUTES),
  count: new Float64Array(MINUTES),
  sum: new Float64Array(MINUTES),
  min: new Float64Array(MINUTES),
  max: new Float64Array(MINUTES),
  first: new Float64Array(MINUTES),
  last: new Float64Array(MINUTES),
});
/** The minutes of each field of a series are put together in these, one series after the other. */
const scratch: Lists[] = [];
const sums = new Float64Array(MINUTES);

function emptyLists(place: number): Lists {
  const lists = (scratch[place] ??= newLists());
  lists.n = 0;
  lists.count.fill(0);
  lists.sum.fill(0);
  return lists;
}

/** `pieces` tidy, one after the other in time, all of one partition. `all`: every part, as the points will go. */
export function rollsOf(series: number, pieces: Iterable<Rows>, start: number, all: boolean): Roll[] {
  const fields = new Map<number, Lists>();
  for (const rows of pieces) {
    for (const column of rows.columns.values()) {
      if (column.texts) continue;
      let lists = fields.get(column.field);
      if (!lists) fields.set(column.field, (lists = emptyLists(fields.size)));
      addTo(lists, rows, column, start);
    }
  }
  return [...fields].filter(([, { n }]) => n > 0).map(([field, lists]) => rollOf(series, field, lists, all));
}

function addTo(lists: Lists, { count: rows, ms }: Rows, { numbers }: Column, start: number): void {
  const { minutes, count, sum, min, max, first, last } = lists;
  // Sums of decimals are made of whole numbers: they stay decimals, which take less room and are exact.
  const scale = scaleOf(numbers.subarray(0, rows)) ?? 1;
  let at = lists.n - 1;
  // The first of them may have begun in the piece before.
  const begin = Math.max(at, 0);
  sums.fill(0, begin);
  for (let row = 0; row < rows; row++) {
    const value = numbers[row] ?? Number.NaN;
    // Absent.
    if (value !== value) continue;
    const minute = Math.floor(((ms[row] ?? 0) - start) / MINUTE);
    if (at < 0 || minutes[at] !== minute) {
      at++;
      minutes[at] = minute;
      min[at] = max[at] = first[at] = value;
    }
    count[at] = (count[at] ?? 0) + 1;
    sums[at] = (sums[at] ?? 0) + (scale > 1 ? Math.round(value * scale) : value);
    if (value < (min[at] ?? 0)) min[at] = value;
    if (value > (max[at] ?? 0)) max[at] = value;
    last[at] = value;
  }
  for (let i = begin; i <= at; i++) sum[i] = (sum[i] ?? 0) + (sums[i] ?? 0) / scale;
  lists.n = at + 1;
}

function rollOf(series: number, field: number, lists: Lists, all: boolean): Roll {
  const { n } = lists;
  const minutes = lists.minutes.slice(0, n);
  let points = 0;
  for (let i = 0; i < n; i++) points += lists.count[i] ?? 0;
  const kept = all || points >= DENSE * n ? ROLL_PARTS : (['count', 'sum'] as const);
  const parts: Partial<Record<RollPart, Float64Array>> = {};
  for (const part of kept) parts[part] = lists[part].slice(0, n);
  return { series, field, minutes, parts, coarse: kept === ROLL_PARTS ? null : coarseOf(minutes, lists, points) };
}

function coarseOf(minutes: Float64Array, { min, max, first, last }: Lists, points: number): Coarse | null {
  const begins = coarseMinutes(minutes);
  if (points < DENSE * begins.length) return null;
  const parts = {
    min: new Float64Array(begins.length),
    max: new Float64Array(begins.length),
    first: new Float64Array(begins.length),
    last: new Float64Array(begins.length),
  };
  for (let i = 0, at = -1; i < minutes.length; i++) {
    if (at < 0 || Math.floor((minutes[i] ?? 0) / COARSE_MINUTES) * COARSE_MINUTES !== begins[at]) {
      at++;
      parts.min[at] = min[i] ?? 0;
      parts.max[at] = max[i] ?? 0;
      parts.first[at] = first[i] ?? 0;
    }
    parts.min[at] = Math.min(parts.min[at] ?? 0, min[i] ?? 0);
    parts.max[at] = Math.max(parts.max[at] ?? 0, max[i] ?? 0);
    parts.last[at] = last[i] ?? 0;
  }
  return { minutes: begins, parts };
}

/** The first minutes of the tens that these lie in, each once. */
export function coarseMinutes(minutes: Float64Array): Float64Array {
  const begins = new Float64Array(minutes.length);
  let n = 0;
  for (let i = 0; i < minutes.length; i++) {
    const begin = Math.floor((minutes[i] ?? 0) / COARSE_MINUTES) * COARSE_MINUTES;
    if (n === 0 || begins[n - 1] !== begin) begins[n++] = begin;
  }
  return begins.slice(0, n);
}

export function encodeRolls(rolls: readonly Roll[]): Uint8Array {
  const directory = new ByteWriter(rolls.length * 16);
  const sections = ROLL_PARTS.map(() => new ByteWriter(rolls.length * 64));
  directory.varint(rolls.length);
  for (const { series, field, minutes, parts, coarse } of rolls) {
    const own = coarse ? { ...coarse.parts, ...parts } : parts;
    directory.varint(series);
    directory.varint(field);
    directory.varint(minutes.length);
    directory.u8(ROLL_PARTS.reduce((bits, part, i) => bits | (own[part] ? 1 << i : 0), coarse ? HAS_COARSE : 0));
    directory.block(encodeNumbers(minutes));
    for (const [i, part] of ROLL_PARTS.entries()) if (own[part]) itemAt(sections, i).block(encodeNumbers(own[part]));
  }
  const out = new ByteWriter(4096);
  putSection(out, directory.done());
  for (const section of sections) putSection(out, section.done());
  return out.done();
}
