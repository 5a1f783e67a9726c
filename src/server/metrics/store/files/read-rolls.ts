import { itemAt } from '../../../../lib/item-at.ts';
import { isOneOf } from '../../../../lib/is-one-of.ts';
import { ByteReader } from '../../../../lib/bytes.ts';
import { decodeFloats, openSection, takeSection } from './codec.ts';
import { MINUTE, ROLL_PARTS } from './roll-up.ts';
import type { Parts, RollPart } from './roll-up.ts';

/** Minutes, or tens of them, and what is kept of each: the first `count` of each array. */
export interface Stretches {
  readonly count: number;
  readonly minutes: Float64Array;
  readonly parts: Parts;
}

/** What is kept of a series of a block. All of it is overwritten by the next. */
export interface ReadRoll extends Stretches {
  readonly series: number;
  readonly field: number;
  /** Null: nothing is kept of ten minutes. As it is asked for: of most it never is. */
  coarse(): Stretches | null;
}

/** Blocks of formats 2 and 3 have these parts of ten minutes where they have only counts and sums of minutes. */
const COARSE_PARTS = ['min', 'max', 'first', 'last'] as const;
const HAS_COARSE = 64;
export const TEN_MINUTES = 10 * MINUTE;
const COARSE_MINUTES = TEN_MINUTES / MINUTE;

/** Roll-ups are read into these, one after the other: a partition has 120 minutes. */
const SCRATCH = 128;
const MINUTES = ROLL_PARTS.length;
const scratch = Array.from({ length: ROLL_PARTS.length + 1 }, () => new Float64Array(SCRATCH));

function scratchOf(place: number, count: number): Float64Array {
  let into = scratch[place];
  if (into === undefined || into.length < count) scratch[place] = into = new Float64Array(count * 2);
  return into;
}

class Roll implements ReadRoll {
  /** As of `ByteReader`. */
  static readonly kept = new Roll([]);
  series = 0;
  field = 0;
  count = 0;
  minutes: Float64Array = new Float64Array(0);
  /** Where in its section a part of ten minutes begins; -1: it is not kept. */
  readonly coarseAt = ROLL_PARTS.map(() => -1);
  hasCoarse = false;
  readonly parts: Partial<Record<RollPart, Float64Array | undefined>> = {
    count: undefined,
    sum: undefined,
    min: undefined,
    max: undefined,
    first: undefined,
    last: undefined,
  };
  private readonly sections: readonly (ByteReader | null)[];
  constructor(sections: readonly (ByteReader | null)[]) {
    this.sections = sections;
  }
  coarse(): Stretches | null {
    if (!this.hasCoarse) return null;
    const fine = this.minutes.subarray(0, this.count);
    const begins = coarseMinutes(fine);
    const parts: Partial<Record<RollPart, Float64Array>> = totals(fine, begins, this.parts);
    for (const [i, part] of ROLL_PARTS.entries()) {
      const section = this.sections[i];
      const at = this.coarseAt[i] ?? -1;
      if (!section || at < 0) continue;
      const values = new Float64Array(begins.length);
      decodeFloats(new ByteReader(section.buffer, at), begins.length, values);
      parts[part] = values;
    }
    return { count: begins.length, minutes: begins, parts };
  }
}

/** Bytes of the objects of a block, beside its data. */
const OBJECTS = 1024;

/** A block of roll-ups: its directory, and for each part that of all its series. Unpacked once, and only what is asked for. */
export class RollBlock {
  readonly directory: Uint8Array;
  private readonly kept: readonly ReturnType<typeof takeSection>[];
  private readonly opened: (Uint8Array | undefined)[] = [];
  private taken: number;
  constructor(data: Uint8Array) {
    const reader = new ByteReader(data);
    this.directory = openSection(takeSection(reader));
    this.kept = ROLL_PARTS.map(() => takeSection(reader));
    this.taken = OBJECTS + data.length + this.directory.length;
  }
  /** What it takes of memory by now. */
  get bytes(): number {
    return this.taken;
  }
  section(part: RollPart): Uint8Array {
    const place = ROLL_PARTS.indexOf(part);
    const known = this.opened[place];
    if (known) return known;
    const kept = itemAt(this.kept, place);
    const section = openSection(kept);
    if (kept.packed) this.taken += section.length;
    return (this.opened[place] = section);
  }
}

/** Whoever reads roll-ups. Methods, not functions: code that was compiled for one function is thrown away once that function has gone. */
export interface RollReader {
  wants(series: number, field: number): boolean;
  take(roll: ReadRoll): void;
}

/** The roll-ups of the series that are wanted, with these parts where they are kept. */
export function readRolls(block: RollBlock, needed: ReadonlySet<RollPart>, into: RollReader): void {
  const directory = new ByteReader(block.directory);
  const sections = ROLL_PARTS.map((part) => (needed.has(part) ? new ByteReader(block.section(part)) : null));
  const roll = new Roll(sections);
  for (let left = directory.varint(); left > 0; left--) {
    roll.series = directory.varint();
    roll.field = directory.varint();
    const count = (roll.count = directory.varint());
    const bits = directory.u8();
    const isWanted = into.wants(roll.series, roll.field);
    roll.hasCoarse = (bits & HAS_COARSE) !== 0;
    if (isWanted) roll.minutes = readBlock(directory, MINUTES, count);
    else skipBlock(directory);
    for (let i = 0; i < ROLL_PARTS.length; i++) {
      const part = ROLL_PARTS[i];
      const section = sections[i];
      if (part === undefined) continue;
      roll.parts[part] = undefined;
      roll.coarseAt[i] = -1;
      if (!section || !(bits & (1 << i))) continue;
      if (!isWanted) skipBlock(section);
      else if (roll.hasCoarse && isOneOf(COARSE_PARTS, part)) roll.coarseAt[i] = skipBlock(section);
      else roll.parts[part] = readBlock(section, i, count);
    }
    if (isWanted) into.take(roll);
  }
}

/** Goes behind a block, and gives where it began. */
function skipBlock(reader: ByteReader): number {
  const length = reader.varint();
  const { at } = reader;
  if (at + length > reader.buffer.length) throw new RangeError('the bytes end too early');
  reader.at = at + length;
  return at;
}

function readBlock(reader: ByteReader, place: number, count: number): Float64Array {
  const into = scratchOf(place, count);
  const at = skipBlock(reader);
  const end = reader.at;
  reader.at = at;
  decodeFloats(reader, count, into);
  reader.at = end;
  return into;
}

/** The first minutes of the tens that these lie in, each once. */
function coarseMinutes(minutes: Float64Array): Float64Array {
  const begins = new Float64Array(minutes.length);
  let n = 0;
  for (let i = 0; i < minutes.length; i++) {
    const begin = Math.floor((minutes[i] ?? 0) / COARSE_MINUTES) * COARSE_MINUTES;
    if (n === 0 || begins[n - 1] !== begin) begins[n++] = begin;
  }
  return begins.slice(0, n);
}

/** Counts and sums of minutes as those of the tens that they lie in. */
function totals(
  minutes: Float64Array,
  begins: Float64Array,
  { count, sum }: Parts,
): Partial<Record<RollPart, Float64Array>> {
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
