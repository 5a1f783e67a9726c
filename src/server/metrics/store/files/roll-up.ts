import { itemAt } from '../../../../lib/item-at.ts';
import { ByteWriter } from '../../../../lib/bytes.ts';
import { encodeNumbers, putSection, scaleOf } from './codec.ts';
import { PART_MS } from './partition.ts';
import type { Column, Rows } from './rows.ts';

/** Roll-ups of one minute: what long ranges read instead of points. A block has those of many series of a partition. */

export const MINUTE = 60_000;
export const ROLL_PARTS = ['count', 'sum', 'min', 'max', 'first', 'last'] as const;
export type RollPart = (typeof ROLL_PARTS)[number];

/** Minutes of a field of a series. */
export interface Roll {
  readonly series: number;
  readonly field: number;
  /** Minutes since the partition's start, ascending. */
  readonly minutes: Float64Array;
  readonly parts: Parts;
  /** It has so many points a minute that reading it costs less than reading them. */
  readonly isDense: boolean;
}

export type Parts = Readonly<Partial<Record<RollPart, Float64Array | undefined>>>;

/** Points a minute. */
const DENSE = 8;

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

/** `pieces` tidy, one after the other in time, all of one partition. */
export function rollsOf(series: number, pieces: Iterable<Rows>, start: number): Roll[] {
  const fields = new Map<number, Lists>();
  for (const rows of pieces) {
    for (const column of rows.columns.values()) {
      if (column.texts) continue;
      let lists = fields.get(column.field);
      if (!lists) fields.set(column.field, (lists = emptyLists(fields.size)));
      addTo(lists, rows, column, start);
    }
  }
  return [...fields].filter(([, { n }]) => n > 0).map(([field, lists]) => rollOf(series, field, lists));
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

function rollOf(series: number, field: number, lists: Lists): Roll {
  const { n } = lists;
  let points = 0;
  for (let i = 0; i < n; i++) points += lists.count[i] ?? 0;
  const parts: Partial<Record<RollPart, Float64Array>> = {};
  for (const part of ROLL_PARTS) parts[part] = lists[part].slice(0, n);
  return { series, field, minutes: lists.minutes.slice(0, n), parts, isDense: points >= DENSE * n };
}

export function encodeRolls(rolls: readonly Roll[]): Uint8Array {
  const directory = new ByteWriter(rolls.length * 16);
  const sections = ROLL_PARTS.map(() => new ByteWriter(rolls.length * 64));
  directory.varint(rolls.length);
  for (const { series, field, minutes, parts } of rolls) {
    directory.varint(series);
    directory.varint(field);
    directory.varint(minutes.length);
    directory.u8(ROLL_PARTS.reduce((bits, part, i) => bits | (parts[part] ? 1 << i : 0), 0));
    directory.block(encodeNumbers(minutes));
    for (const [i, part] of ROLL_PARTS.entries())
      if (parts[part]) itemAt(sections, i).block(encodeNumbers(parts[part]));
  }
  const out = new ByteWriter(4096);
  putSection(out, directory.done());
  for (const section of sections) putSection(out, section.done());
  return out.done();
}
