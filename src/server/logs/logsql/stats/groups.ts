import type { ByField } from '../../../../lib/logsql/ast.ts';
import { countOf, type Frame } from '../frame.ts';
import { type Keys, keysOf } from './keys.ts';
import { tally } from './tally.ts';

/** Cells of the table that maps codes to groups, for each row of the frame: more and a hash map is used. */
const TABLE_SHARE = 4;
const TABLE_LEAST = 4096;

/** Rows in groups of equal keys. Groups are numbered in the order in which they are met. */
export interface Groups {
  /** The group of each picked row of the frame. */
  assign(frame: Frame): Int32Array;
  /** Gives each group of picked rows of the frame and how many there are, where nothing else of them matters. */
  tally(frame: Frame, give: (group: number, rows: number) => void): void;
  /** The values of the keys of each group. */
  readonly keys: readonly (readonly string[])[];
}

/** @param hold told of the bytes that each new group takes */
export function createGroups(by: readonly ByField[], hold: (bytes: number) => void): Groups {
  const keys: string[][] = [];
  const known = new Map<string, number>();

  function groupOf(values: readonly string[]): number {
    // Lengths keep `a` + `bc` and `ab` + `c` apart.
    const name = values.length === 1 ? (values[0] ?? '') : values.map((value) => `${value.length}:${value}`).join('');
    let group = known.get(name);
    if (group === undefined) {
      group = keys.push([...values]) - 1;
      known.set(name, group);
      hold(name.length * 4 + 200);
    }
    return group;
  }

  const groups: Groups = {
    keys,
    tally(frame, give) {
      if (countOf(frame) === 0 || tally(frame, by, (values, rows) => give(groupOf(values), rows))) return;
      const counts = new Map<number, number>();
      for (const group of groups.assign(frame)) counts.set(group, (counts.get(group) ?? 0) + 1);
      for (const [group, rows] of counts) give(group, rows);
    },
    assign(frame) {
      const count = countOf(frame);
      const out = new Int32Array(count);
      if (count === 0) return out;
      const parts = by.map((one) => keysOf(frame, one));
      const moving = parts.filter(({ codes }) => codes !== null);
      const only = moving[0];
      const valuesOf = (codes: readonly number[]) => {
        let at = 0;
        return parts.map(({ values, codes: own }) => values[own === null ? 0 : (codes[at++] ?? 0)] ?? '');
      };
      if (only === undefined) return out.fill(groupOf(valuesOf([])));
      const product = moving.reduce((all, { values }) => all * values.length, 1);
      if (moving.length === 1) {
        byTable(frame, only, out, (code) => groupOf(valuesOf([code])));
      } else if (product < 2 ** 31) {
        const joined = joinedKeys(frame, moving, count);
        const split = (code: number) => {
          const codes: number[] = [];
          for (const { values } of moving.toReversed()) {
            codes.unshift(code % values.length);
            code = Math.floor(code / values.length);
          }
          return codes;
        };
        const find = (code: number) => groupOf(valuesOf(split(code)));
        if (product <= Math.max(TABLE_LEAST, count * TABLE_SHARE))
          byTable(frame, { codes: joined, byRow: false, values: { length: product } }, out, find);
        else byMap(joined, out, find);
      } else {
        for (let i = 0; i < count; i++)
          out[i] = groupOf(
            valuesOf(
              moving.map(
                ({ codes, byRow }) => codes?.[byRow && frame.picked !== null ? (frame.picked[i] ?? 0) : i] as number,
              ),
            ),
          );
      }
      return out;
    },
  };
  return groups;
}

/** All keys of a row as one number. */
function joinedKeys(frame: Frame, parts: readonly Keys[], count: number): Int32Array {
  const joined = new Int32Array(count);
  const { picked } = frame;
  for (const { codes, byRow, values } of parts) {
    if (codes === null) continue;
    const width = values.length;
    if (byRow && picked !== null)
      for (let i = 0; i < count; i++) joined[i] = (joined[i] ?? 0) * width + (codes[picked[i] ?? 0] ?? 0);
    else for (let i = 0; i < count; i++) joined[i] = (joined[i] ?? 0) * width + (codes[i] ?? 0);
  }
  return joined;
}

function byTable(
  frame: Frame,
  { codes, byRow, values }: { codes: Keys['codes']; byRow: boolean; values: { readonly length: number } },
  out: Int32Array,
  find: (code: number) => number,
): void {
  if (codes === null) return;
  const table = new Int32Array(values.length).fill(-1);
  const picked = byRow ? frame.picked : null;
  for (let i = 0; i < out.length; i++) {
    const code = codes[picked === null ? i : (picked[i] ?? 0)] ?? 0;
    let group = table[code] ?? 0;
    if (group < 0) table[code] = group = find(code);
    out[i] = group;
  }
}

function byMap(codes: Int32Array, out: Int32Array, find: (code: number) => number): void {
  const table = new Map<number, number>();
  for (let i = 0; i < out.length; i++) {
    const code = codes[i] ?? 0;
    let group = table.get(code);
    if (group === undefined) {
      group = find(code);
      table.set(code, group);
    }
    out[i] = group;
  }
}
