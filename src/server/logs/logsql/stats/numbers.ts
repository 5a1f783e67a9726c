import { numberOf } from '../../../../lib/logsql/numbers.ts';
import { decimalIn } from '../decimals.ts';
import { type Cells, type Frame, readerOf } from '../frame.ts';
import { type Accumulator, type AccumulatorContext, type Batch, grown, numberText } from './accumulator.ts';

/** Reads the number of a row; NaN where there is none. Distinct values are parsed once. */
export function numberReader(cells: Cells | null): (row: number) => number {
  const parse = (text: string): number => {
    const value = numberOf(text);
    return value === null ? Number.NaN : Number(value);
  };
  if (cells === null) return () => Number.NaN;
  if (cells.kind === 'constant') {
    const value = parse(cells.value);
    return () => value;
  }
  if (cells.kind === 'dictionary') {
    const { codes } = cells;
    const values = Float64Array.from(cells.values, parse);
    return (row) => values[codes[row] ?? 0] ?? 0;
  }
  if (cells.kind === 'decimal') {
    const { values } = cells;
    return (row) => values[row] as number;
  }
  const read = readerOf(cells);
  if (cells.kind !== 'text') return (row) => parse(read(row));
  const { bytes, ends } = cells;
  return (row) => {
    const end = ends[row] as number;
    const value = decimalIn(bytes, row === 0 ? 0 : (ends[row - 1] as number), end);
    return Number.isNaN(value) ? parse(read(row)) : value;
  };
}

/** Calls with each number of the fields that a batch has, and its group. */
export function eachNumber(
  { frame, rows, groups }: Batch,
  fields: readonly string[],
  visit: (value: number, group: number) => void,
): void {
  for (const field of fields.length === 0 ? frame.names : fields) {
    const cells = frame.column(field);
    if (cells === null) continue;
    const read = numberReader(cells);
    for (let i = 0; i < groups.length; i++) {
      const value = read(rows === null ? i : (rows[i] ?? 0));
      if (!Number.isNaN(value)) visit(value, groups[i] ?? 0);
    }
  }
}

/** `count(*)`, `count(f)` (rows in which one of the fields is there) and `count_empty(f)` (in which none is). */
export function createCount({ call, hold, seconds }: AccumulatorContext): Accumulator {
  let counts = new Float64Array(0);
  const empty = call.name === 'count_empty';
  const result = (group: number) =>
    numberText(call.name === 'rate' ? (counts[group] ?? 0) / seconds : (counts[group] ?? 0));
  if (call.fields.length === 0 && !empty)
    return {
      add({ groups, total }) {
        counts = grown(counts, total, hold);
        for (let i = 0; i < groups.length; i++) {
          const group = groups[i] ?? 0;
          counts[group] = (counts[group] ?? 0) + 1;
        }
      },
      tally(group, rows) {
        counts = grown(counts, group + 1, hold);
        counts[group] = (counts[group] ?? 0) + rows;
      },
      result,
    };
  return {
    add(batch) {
      counts = grown(counts, batch.total, hold);
      const { groups, frame, rows } = batch;
      const there = presence(frame, call.fields.length === 0 ? frame.names : call.fields);
      for (let i = 0; i < groups.length; i++) {
        if (there(rows === null ? i : (rows[i] ?? 0)) === empty) continue;
        const group = groups[i] ?? 0;
        counts[group] = (counts[group] ?? 0) + 1;
      }
    },
    result,
  };
}

/** True where a row has a value in one of the fields. */
export function presence(frame: Frame, fields: readonly string[]): (row: number) => boolean {
  const tests = fields.flatMap((field) => {
    const cells = frame.column(field);
    if (cells === null) return [];
    if (cells.kind === 'time') return [() => true];
    if (cells.kind === 'decimal') return [(row: number) => !Number.isNaN(cells.values[row])];
    if (cells.kind === 'text')
      return [(row: number) => (cells.ends[row] ?? 0) > (row === 0 ? 0 : (cells.ends[row - 1] ?? 0))];
    if (cells.kind === 'template') {
      const empty = cells.templates.indexOf('');
      return [(row: number) => cells.codes[row] !== empty];
    }
    const read = readerOf(cells);
    return [(row: number) => read(row) !== ''];
  });
  const [only, ...more] = tests;
  return only !== undefined && more.length === 0 ? only : (row) => tests.some((test) => test(row));
}

/** `sum`, `avg`, `stddev`, `rate_sum`: of what is a number; NaN without any. */
export function createSum({ call, hold, seconds }: AccumulatorContext): Accumulator {
  let sums = new Float64Array(0);
  let counts = new Float64Array(0);
  let squares = new Float64Array(0);
  return {
    add(batch) {
      sums = grown(sums, batch.total, hold);
      counts = grown(counts, batch.total, hold);
      squares = call.name === 'stddev' ? grown(squares, batch.total, hold) : squares;
      const spread = call.name === 'stddev';
      const only = call.fields.length === 1 ? batch.frame.column(call.fields[0] ?? '') : null;
      if (only?.kind === 'decimal' && !spread) return addUp(only.values, batch, sums, counts);
      eachNumber(batch, call.fields, (value, group) => {
        const n = (counts[group] ?? 0) + 1;
        counts[group] = n;
        const sum = sums[group] ?? 0;
        // Welford's way: the mean moves with each value, so nothing is lost to large sums.
        if (spread) {
          const delta = value - sum;
          const mean = sum + delta / n;
          sums[group] = mean;
          squares[group] = (squares[group] ?? 0) + delta * (value - mean);
        } else sums[group] = sum + value;
      });
    },
    result(group) {
      const n = counts[group] ?? 0;
      if (n === 0) return 'NaN';
      if (call.name === 'stddev') return numberText(Math.sqrt((squares[group] ?? 0) / n));
      const sum = sums[group] ?? 0;
      return numberText(call.name === 'avg' ? sum / n : call.name === 'rate_sum' ? sum / seconds : sum);
    },
  };
}

/** Adds each number to the sum of its group, without a call for each. */
function addUp(values: Float64Array, { rows, groups }: Batch, sums: Float64Array, counts: Float64Array): void {
  for (let i = 0; i < groups.length; i++) {
    const value = values[rows === null ? i : (rows[i] as number)] as number;
    if (Number.isNaN(value)) continue;
    const group = groups[i] as number;
    sums[group] = (sums[group] as number) + value;
    counts[group] = (counts[group] as number) + 1;
  }
}

/** `sum_len`: bytes of all values. */
export function createSumLen({ call, hold }: AccumulatorContext): Accumulator {
  let sums = new Float64Array(0);
  return {
    add({ frame, rows, groups, total }) {
      sums = grown(sums, total, hold);
      for (const field of call.fields.length === 0 ? frame.names : call.fields) {
        const cells = frame.column(field);
        if (cells === null) continue;
        const read = readerOf(cells);
        const length =
          cells.kind === 'text'
            ? (row: number) => (cells.ends[row] ?? 0) - (row === 0 ? 0 : (cells.ends[row - 1] ?? 0))
            : (row: number) => Buffer.byteLength(read(row));
        for (let i = 0; i < groups.length; i++) {
          const group = groups[i] ?? 0;
          sums[group] = (sums[group] ?? 0) + length(rows === null ? i : (rows[i] ?? 0));
        }
      }
    },
    result: (group) => numberText(sums[group] ?? 0),
  };
}
