import { ByteReader, ByteWriter } from './bytes.ts';
import { decodeNumbers, encodeNumbers, openSection, putSection, scaleOf, takeSection } from './codec.ts';
import { has, type Rows } from './rows.ts';

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
  readonly parts: Readonly<Partial<Record<RollPart, Float64Array>>>;
}

/** Points a minute below which only count and sum are kept. */
const DENSE = 8;

/** `rows` tidy, all of one partition. `all`: every part, as the points will go. */
export function rollsOf(series: number, rows: Rows, start: number, all: boolean): Roll[] {
  const rolls: Roll[] = [];
  for (const column of rows.columns.values()) {
    if (column.texts) continue;
    const minutes: number[] = [];
    const lists: Record<RollPart, number[]> = { count: [], sum: [], min: [], max: [], first: [], last: [] };
    let at = -1;
    let points = 0;
    // Sums of decimals are made of whole numbers: they stay decimals, which take less room and are exact.
    const scale = scaleOf(column.numbers.subarray(0, rows.count)) ?? 1;
    const scaled = scale > 1 ? (value: number) => Math.round(value * scale) : (value: number) => value;
    for (let row = 0; row < rows.count; row++) {
      if (!has(column, row)) continue;
      const value = column.numbers[row] as number;
      const minute = Math.floor(((rows.ms[row] as number) - start) / MINUTE);
      points++;
      if (at < 0 || minutes[at] !== minute) {
        minutes.push(minute);
        at++;
        for (const part of ROLL_PARTS) lists[part].push(value);
        lists.count[at] = 1;
        lists.sum[at] = scaled(value);
        continue;
      }
      lists.count[at] = (lists.count[at] as number) + 1;
      lists.sum[at] = (lists.sum[at] as number) + scaled(value);
      if (value < (lists.min[at] as number)) lists.min[at] = value;
      if (value > (lists.max[at] as number)) lists.max[at] = value;
      lists.last[at] = value;
    }
    if (minutes.length === 0) continue;
    if (scale > 1) lists.sum = lists.sum.map((sum) => sum / scale);
    const kept = all || points >= DENSE * minutes.length ? ROLL_PARTS : (['count', 'sum'] as const);
    rolls.push({ series, field: column.field, minutes: Float64Array.from(minutes), parts: Object.fromEntries(kept.map((part) => [part, Float64Array.from(lists[part])])) });
  }
  return rolls;
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
    for (const [i, part] of ROLL_PARTS.entries()) if (parts[part]) (sections[i] as ByteWriter).block(encodeNumbers(parts[part]));
  }
  const out = new ByteWriter(4096);
  putSection(out, directory.done());
  for (const section of sections) putSection(out, section.done());
  return out.done();
}

/** The roll-ups of the series that are wanted, with these parts where they are kept. */
export function decodeRolls(data: Uint8Array, wanted: (series: number, field: number) => boolean, needed: ReadonlySet<RollPart>): Roll[] {
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
    const minutes = directory.block();
    const take = wanted(series, field);
    const parts: Partial<Record<RollPart, Float64Array>> = {};
    for (const [i, part] of ROLL_PARTS.entries()) {
      const section = sections[i];
      if (!section || !(bits & (1 << i))) continue;
      const bytes = section.block();
      if (take) parts[part] = decodeNumbers(bytes, count) as Float64Array;
    }
    if (take) rolls.push({ series, field, minutes: decodeNumbers(minutes, count) as Float64Array, parts });
  }
  return rolls;
}
