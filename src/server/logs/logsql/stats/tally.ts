import type { ByField } from '../../../../lib/logsql/ast.ts';
import { countOf, type Frame } from '../frame.ts';
import { type Keys, keysOf, timeRuns } from './keys.ts';

/** A table of more combinations of values than this, or than four for each row, is no way to count them. */
const TABLE_LEAST = 4096;
const TABLE_SHARE = 4;

/** Rows of a frame that follow each other and are in one bucket of time: those before `ends[i]` and not before `ends[i - 1]`. */
interface Runs {
  readonly ends: readonly number[];
  readonly values: readonly string[];
}

/**
 * Counts the rows of each combination of keys, without a number for each row: by the codes of dictionaries, and by runs
 * of rows between two steps of time. False: there are too many combinations; nothing was given.
 */
export function tally(
  frame: Frame,
  by: readonly ByField[],
  give: (values: readonly string[], rows: number) => void,
): boolean {
  const timed = by.findIndex((one) => one.step !== null && frame.column(one.field)?.kind === 'time');
  const runs = timed < 0 ? null : runsOf(frame, by[timed]);
  const parts = by.map((one, i) => (runs !== null && i === timed ? null : keysOf(frame, one)));
  const moving = parts.filter((part) => part !== null && part.codes !== null) as (Keys & { codes: object })[];
  const count = countOf(frame);
  const product = moving.reduce((all, { values }) => all * values.length, 1);
  if (product > Math.max(TABLE_LEAST, count * TABLE_SHARE)) return false;

  const counts = new Uint32Array(product);
  const { ends, values } = runs ?? { ends: [count], values: [] };
  let from = 0;
  for (const [i, end] of ends.entries()) {
    if (end > from) {
      for (const code of countRows(frame, moving, counts, from, end)) {
        give(valuesOf(parts, code, values[i] ?? ''), counts[code] ?? 0);
        counts[code] = 0;
      }
    }
    from = end;
  }
  return true;
}

/** Null: the rows of the frame were picked, and each is looked at. */
function runsOf(frame: Frame, by: ByField | undefined): Runs | null {
  const cells = by && frame.column(by.field);
  return cells?.kind === 'time' && by?.step && frame.picked === null
    ? timeRuns(cells, frame.rows, by.step, by.offset)
    : null;
}

/** What each key is; the code of the last one varies fastest. `run`: the value of the key without codes of its own. */
function valuesOf(parts: readonly (Keys | null)[], code: number, run: string): string[] {
  let left = code;
  return parts
    .toReversed()
    .map((part) => {
      if (part === null) return run;
      if (part.codes === null) return part.values[0] ?? '';
      const own = left % part.values.length;
      left = Math.floor(left / part.values.length);
      return part.values[own] ?? '';
    })
    .reverse();
}

/**
 * Counts the rows from `from` to `end` of those that count, by the codes of all parts as one; returns the codes that were
 * met, in that order.
 */
export function countRows(
  frame: Frame,
  parts: readonly Keys[],
  counts: Uint32Array,
  from: number,
  end: number,
): number[] {
  const [only, second] = parts;
  if (only === undefined || only.codes === null) {
    counts[0] = end - from;
    return [0];
  }
  const met: number[] = [];
  if (second === undefined) countCodes(frame, only, counts, from, end, met);
  else {
    const joined = new Int32Array(end - from);
    for (const { codes, byRow, values } of parts) {
      const picked = byRow ? frame.picked : null;
      const width = values.length;
      for (let i = from; i < end; i++) {
        const code = codes?.[picked === null ? i : (picked[i] ?? 0)] ?? 0;
        joined[i - from] = (joined[i - from] ?? 0) * width + code;
      }
    }
    countCodes(frame, { codes: joined, byRow: false }, counts, 0, joined.length, met);
  }
  return met;
}

function countCodes(
  frame: Frame,
  { codes, byRow }: Pick<Keys, 'codes' | 'byRow'>,
  counts: Uint32Array,
  from: number,
  end: number,
  met: number[],
): void {
  const picked = byRow ? frame.picked : null;
  if (codes === null) return;
  for (let i = from; i < end; i++) {
    const code = codes[picked === null ? i : (picked[i] ?? 0)] ?? 0;
    const had = counts[code] ?? 0;
    if (had === 0) met.push(code);
    counts[code] = had + 1;
  }
}
