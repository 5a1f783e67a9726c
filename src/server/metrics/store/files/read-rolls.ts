import { isOneOf } from '../../../../lib/is-one-of.ts';
import { ByteReader } from '../../../../lib/bytes.ts';
import { decodeFloats, openSection, takeSection } from './codec.ts';
import { COARSE_MINUTES, COARSE_PARTS, coarseMinutes, HAS_COARSE, ROLL_PARTS } from './roll-up.ts';
import type { Coarse, Parts, Roll, RollPart } from './roll-up.ts';

/** What is kept of a series of a block; `coarse` as it is asked for: of most it never is. */
export interface ReadRoll extends Omit<Roll, 'coarse'> {
  coarse(): Coarse | null;
}

/** Roll-ups are read into these, one after the other: a partition has 120 minutes. */
const SCRATCH = 128;
const scratch = Array.from({ length: ROLL_PARTS.length + 1 }, () => new Float64Array(SCRATCH));

/** The roll-ups of the series that are wanted, with these parts where they are kept. What one holds is overwritten by the next. */
export function readRolls(
  data: Uint8Array,
  wanted: (series: number, field: number) => boolean,
  needed: ReadonlySet<RollPart>,
  visit: (roll: ReadRoll) => void,
): void {
  const reader = new ByteReader(data);
  const directory = new ByteReader(openSection(takeSection(reader)));
  const sections = ROLL_PARTS.map((part) => {
    const section = takeSection(reader);
    return needed.has(part) ? new ByteReader(openSection(section)) : null;
  });
  const read = (place: number, bytes: Uint8Array, count: number): Float64Array => {
    const kept = scratch[place];
    const into = kept === undefined || count > SCRATCH ? new Float64Array(count) : kept.subarray(0, count);
    decodeFloats(bytes, count, into);
    return into;
  };
  for (let left = directory.varint(); left > 0; left--) {
    const series = directory.varint();
    const field = directory.varint();
    const count = directory.varint();
    const bits = directory.u8();
    const encoded = directory.block();
    const take = wanted(series, field);
    const minutes = take ? read(ROLL_PARTS.length, encoded, count) : null;
    const parts: Partial<Record<RollPart, Float64Array>> = {};
    const kept: Partial<Record<(typeof COARSE_PARTS)[number], Uint8Array>> = {};
    for (let i = 0; i < ROLL_PARTS.length; i++) {
      const part = ROLL_PARTS[i];
      const section = sections[i];
      if (!section || part === undefined || !(bits & (1 << i))) continue;
      const bytes = section.block();
      if (!minutes) continue;
      if (bits & HAS_COARSE && isOneOf(COARSE_PARTS, part)) kept[part] = bytes;
      else parts[part] = read(i, bytes, count);
    }
    if (!minutes) continue;
    const coarse = () => (bits & HAS_COARSE ? coarseOf(minutes, parts, kept) : null);
    visit({ series, field, minutes, parts, coarse });
  }
}

function coarseOf(
  minutes: Float64Array,
  fine: Parts,
  kept: Readonly<Partial<Record<(typeof COARSE_PARTS)[number], Uint8Array>>>,
): Coarse {
  const begins = coarseMinutes(minutes);
  const parts: Partial<Record<RollPart, Float64Array>> = totals(minutes, begins, fine);
  for (const part of COARSE_PARTS) {
    if (!kept[part]) continue;
    parts[part] = new Float64Array(begins.length);
    decodeFloats(kept[part], begins.length, parts[part]);
  }
  return { minutes: begins, parts };
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
