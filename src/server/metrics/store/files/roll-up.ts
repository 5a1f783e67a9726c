import { isOneOf } from '../../../../lib/is-one-of.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';
import { decodeFloats, encodeNumbers, openSection, putSection, scaleOf, takeSection } from './codec.ts';
import { has, type Column, type Rows } from './rows.ts';

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

type Parts = Readonly<Partial<Record<RollPart, Float64Array>>>;
/** As minutes are, the first of each ten. */
interface Coarse {
  readonly minutes: Float64Array;
  readonly parts: Parts;
}

/** Points a minute below which only count and sum are kept, and points in ten minutes below which nothing more is. */
const DENSE = 8;
/** The longer of the two stretches. */
export const TEN_MINUTES = 10 * MINUTE;
const COARSE_MINUTES = TEN_MINUTES / MINUTE;
const COARSE_PARTS = ['min', 'max', 'first', 'last'] as const;
const HAS_COARSE = 64;

type Lists = Record<RollPart | 'minutes', number[]>;
const newLists = (): Lists => ({ minutes: [], count: [], sum: [], min: [], max: [], first: [], last: [] });

/** `pieces` tidy, one after the other in time, all of one partition. `all`: every part, as the points will go. */
export function rollsOf(series: number, pieces: Iterable<Rows>, start: number, all: boolean): Roll[] {
  const fields = new Map<number, Lists>();
  for (const rows of pieces) {
    for (const column of rows.columns.values()) {
      if (column.texts) continue;
      let lists = fields.get(column.field);
      if (!lists) fields.set(column.field, (lists = newLists()));
      addTo(lists, rows, column, start);
    }
  }
  return [...fields]
    .filter(([, { minutes }]) => minutes.length > 0)
    .map(([field, lists]) => rollOf(series, field, lists, all));
}

function addTo(lists: Lists, rows: Rows, column: Column, start: number): void {
  const { minutes, count, sum, min, max, first, last } = lists;
  // Sums of decimals are made of whole numbers: they stay decimals, which take less room and are exact.
  const scale = scaleOf(column.numbers.subarray(0, rows.count)) ?? 1;
  const scaled = scale > 1 ? (value: number) => Math.round(value * scale) : (value: number) => value;
  let at = minutes.length - 1;
  // The first of them may have begun in the piece before.
  const begin = Math.max(at, 0);
  const sums: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (!has(column, row)) continue;
    const value = column.numbers[row] ?? 0;
    const minute = Math.floor(((rows.ms[row] ?? 0) - start) / MINUTE);
    if (at < 0 || minutes[at] !== minute) {
      at = minutes.push(minute) - 1;
      count.push(0);
      for (const list of [min, max, first, last]) list.push(value);
    }
    count[at] = (count[at] ?? 0) + 1;
    const before = sums[at - begin];
    sums[at - begin] = before === undefined ? scaled(value) : before + scaled(value);
    if (value < (min[at] ?? 0)) min[at] = value;
    if (value > (max[at] ?? 0)) max[at] = value;
    last[at] = value;
  }
  for (let i = begin; i <= at; i++) {
    const more = sums[i - begin];
    if (more !== undefined) sum[i] = (sum[i] ?? 0) + more / scale;
  }
}

function rollOf(series: number, field: number, lists: Lists, all: boolean): Roll {
  const minutes = Float64Array.from(lists.minutes);
  const points = lists.count.reduce((total, n) => total + n, 0);
  const kept = all || points >= DENSE * minutes.length ? ROLL_PARTS : (['count', 'sum'] as const);
  const parts = Object.fromEntries(kept.map((part) => [part, Float64Array.from(lists[part])]));
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
const coarseMinutes = (minutes: Float64Array): Float64Array =>
  Float64Array.from(new Set(Array.from(minutes, (minute) => Math.floor(minute / COARSE_MINUTES) * COARSE_MINUTES)));

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

/** The roll-ups of the series that are wanted, with these parts where they are kept. */
export function decodeRolls(
  data: Uint8Array,
  wanted: (series: number, field: number) => boolean,
  needed: ReadonlySet<RollPart>,
): Roll[] {
  const reader = new ByteReader(data);
  const directory = new ByteReader(openSection(takeSection(reader)));
  const sections = ROLL_PARTS.map((part) => {
    const section = takeSection(reader);
    return needed.has(part) ? new ByteReader(openSection(section)) : null;
  });
  const rolls: Roll[] = [];
  for (let left = directory.varint(); left > 0; left--) {
    const series = directory.varint();
    const field = directory.varint();
    const count = directory.varint();
    const bits = directory.u8();
    const encoded = directory.block();
    const take = wanted(series, field);
    const minutes = take ? decodeFloats(encoded, count) : null;
    const begins = minutes && bits & HAS_COARSE ? coarseMinutes(minutes) : null;
    const parts: Partial<Record<RollPart, Float64Array>> = {};
    const coarse: Partial<Record<RollPart, Float64Array>> = {};
    for (const [i, part] of ROLL_PARTS.entries()) {
      const section = sections[i];
      if (!section || !(bits & (1 << i))) continue;
      const bytes = section.block();
      if (!minutes) continue;
      if (begins && isOneOf(COARSE_PARTS, part)) coarse[part] = decodeFloats(bytes, begins.length);
      else parts[part] = decodeFloats(bytes, count);
    }
    if (minutes)
      rolls.push({
        series,
        field,
        minutes,
        parts,
        coarse: begins && { minutes: begins, parts: { ...coarse, ...totals(minutes, begins, parts) } },
      });
  }
  return rolls;
}

/** Counts and sums of minutes as those of the tens that they lie in. */
function totals(minutes: Float64Array, begins: Float64Array, { count, sum }: Parts): Parts {
  const of = (values: Float64Array): Float64Array => {
    const whole = new Float64Array(begins.length);
    for (let i = 0, at = 0; i < minutes.length; i++) {
      if ((minutes[i] ?? 0) >= (begins[at] ?? 0) + COARSE_MINUTES) at++;
      whole[at] = (whole[at] ?? 0) + (values[i] ?? 0);
    }
    return whole;
  };
  return { ...(count && { count: of(count) }), ...(sum && { sum: of(sum) }) };
}
