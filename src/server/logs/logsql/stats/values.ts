import { itemAt } from '../../../../lib/item-at.ts';
import { compareNatural } from '../../../../lib/logsql/natural.ts';
import { type Numeric, plainNumberOf } from '../../../../lib/logsql/numbers.ts';
import { readerOf } from '../frame.ts';
import { presence } from './numbers.ts';
import type { Accumulator, AccumulatorContext, Batch } from './accumulator.ts';

/** Values of a group that `quantile` keeps; of more, a fair sample. */
const SAMPLE = 10_000;

function eachText(
  { frame, rows, groups }: Batch,
  fields: readonly string[],
  visit: (value: string, group: number) => void,
): void {
  for (const field of fields.length === 0 ? frame.names : fields) {
    const read = readerOf(frame.column(field));
    for (let i = 0; i < groups.length; i++) visit(read(rows === null ? i : (rows[i] ?? 0)), groups[i] ?? 0);
  }
}

interface Valued {
  readonly text: string;
  readonly number: Numeric | null;
}

const valued = (text: string): Valued => ({ text, number: plainNumberOf(text) });

/** As `compareNatural`, with numbers that were parsed before. */
function order(a: Valued, b: Valued): number {
  if (a.number !== null && b.number !== null && a.number !== b.number) return a.number < b.number ? -1 : 1;
  return compareNatural(a.text, b.text);
}

/** `min`, `max` (texts too, and missing ones), `any` (the first that is there). */
export function createEdge({ call, hold }: AccumulatorContext): Accumulator {
  const found: Valued[] = [];
  const better =
    call.name === 'min'
      ? (a: Valued, b: Valued) => order(a, b) < 0
      : call.name === 'max'
        ? (a: Valued, b: Valued) => order(a, b) > 0
        : (_: Valued, b: Valued) => b.text === '';
  return {
    add({ frame, rows, groups }) {
      for (const field of call.fields.length === 0 ? frame.names : call.fields) {
        const cells = frame.column(field);
        const read = readerOf(cells);
        // Each distinct value of a dictionary is looked at once.
        const known = cells?.kind === 'dictionary' ? cells.values.map(valued) : null;
        const codes = cells?.kind === 'dictionary' ? cells.codes : null;
        const numbers = cells?.kind === 'decimal' && call.name !== 'any' ? cells.values : null;
        for (let i = 0; i < groups.length; i++) {
          const row = rows === null ? i : (rows[i] ?? 0);
          const group = groups[i] ?? 0;
          const last = found[group];
          if (known !== null && codes !== null) {
            const value = known[codes[row] ?? 0] as Valued;
            if (last === undefined || (value !== last && better(value, last))) put(group, value);
          } else {
            const number = numbers === null ? Number.NaN : (numbers[row] ?? Number.NaN);
            // No text is made of a number that others beat.
            if (
              last !== undefined &&
              last.number !== null &&
              (call.name === 'min' ? number > last.number : number < last.number)
            )
              continue;
            const text = read(row);
            if (last !== undefined && text === last.text) continue;
            const value = valued(text);
            if (last === undefined || better(value, last)) put(group, value);
          }
        }
      }
    },
    result: (group) => found[group]?.text ?? '',
  };

  function put(group: number, value: Valued): void {
    if (found[group] === undefined) hold(96 + value.text.length * 2);
    found[group] = value;
  }
}

/** `quantile(phi, f)` and `median(f)`. */
export function createQuantile({ call, hold }: AccumulatorContext): Accumulator {
  const samples: string[][] = [];
  const seen: number[] = [];
  const phi = call.phi ?? 0.5;
  let seed = 0x9e3779b9;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  return {
    add({ frame, rows, groups }) {
      for (const field of call.fields.length === 0 ? frame.names : call.fields) {
        const there = presence(frame, [field]);
        const read = readerOf(frame.column(field));
        for (let i = 0; i < groups.length; i++) {
          const row = rows === null ? i : (rows[i] ?? 0);
          if (!there(row)) continue;
          const group = groups[i] ?? 0;
          const sample = (samples[group] ??= []);
          const n = (seen[group] = (seen[group] ?? 0) + 1);
          if (sample.length < SAMPLE) {
            const value = read(row);
            sample.push(value);
            hold(32 + value.length * 2);
          } else {
            const at = Math.floor(random() * n);
            if (at < SAMPLE) sample[at] = read(row);
          }
        }
      }
    },
    result(group) {
      const sample = (samples[group] ?? []).map(valued).sort(order);
      return sample[Math.min(sample.length - 1, Math.floor(phi * sample.length))]?.text ?? '';
    },
  };
}

/** `uniq_values` (sorted, each once) and `values` (all that are there) as a JSON array. */
export function createValues({ call, hold }: AccumulatorContext): Accumulator {
  const found: (Set<string> | string[])[] = [];
  const limit = call.limit ?? Number.POSITIVE_INFINITY;
  return {
    add(batch) {
      eachText(batch, call.fields, (value, group) => {
        if (value === '') return;
        const all = (found[group] ??= call.name === 'values' ? [] : new Set());
        if (Array.isArray(all) ? all.length >= limit : all.size >= limit || all.has(value)) return;
        hold(64 + value.length * 2);
        if (Array.isArray(all)) all.push(value);
        else all.add(value);
      });
    },
    result(group) {
      const all = found[group] ?? [];
      return JSON.stringify(Array.isArray(all) ? all : [...all].sort(compareNatural));
    },
  };
}

/** `count_uniq(f, …)`: distinct combinations; rows in which all fields are empty do not count. */
export function createCountUniq({ call, hold }: AccumulatorContext): Accumulator {
  const found: Set<string>[] = [];
  const limit = call.limit ?? Number.POSITIVE_INFINITY;
  const put = (name: string, group: number) => {
    const all = (found[group] ??= new Set());
    if (all.has(name) || all.size >= limit) return;
    hold(64 + name.length * 2);
    all.add(name);
  };
  return {
    add({ frame, rows, groups }) {
      const fields = call.fields.length === 0 ? frame.names : call.fields;
      const only = fields.length === 1 ? frame.column(fields[0] ?? '') : null;
      if (fields.length === 1 && only === null) return;
      if (only?.kind === 'dictionary') {
        // One look at each pair of group and value.
        const seen = new Map<number, Uint8Array>();
        for (let i = 0; i < groups.length; i++) {
          const group = groups[i] ?? 0;
          const code = only.codes[rows === null ? i : (rows[i] ?? 0)] ?? 0;
          let marks = seen.get(group);
          if (marks === undefined) seen.set(group, (marks = new Uint8Array(only.values.length)));
          if (marks[code] === 1) continue;
          marks[code] = 1;
          const value = only.values[code] ?? '';
          if (value !== '') put(value, group);
        }
        return;
      }
      const readers = fields.map((field) => readerOf(frame.column(field)));
      for (let i = 0; i < groups.length; i++) {
        const values = readers.map((read) => read(rows === null ? i : (rows[i] ?? 0)));
        if (values.some((value) => value !== ''))
          put(values.length === 1 ? (values[0] ?? '') : JSON.stringify(values), groups[i] ?? 0);
      }
    },
    result: (group) => String(found[group]?.size ?? 0),
  };
}

/** `row_any`, `row_min(f, …)`, `row_max(f, …)`: the fields of one row as a JSON object. */
export function createRow({ call, hold }: AccumulatorContext): Accumulator {
  const edge = call.name === 'row_any' ? null : (call.fields[0] ?? '');
  const shown = edge === null ? call.fields : call.fields.slice(1);
  const found: { key: string; text: string }[] = [];
  return {
    add({ frame, rows, groups }) {
      const read = readerOf(edge === null ? null : frame.column(edge));
      const names = shown.length === 0 ? frame.names.toSorted() : shown;
      const readers = names.map((name) => readerOf(frame.column(name)));
      for (let i = 0; i < groups.length; i++) {
        const row = rows === null ? i : (rows[i] ?? 0);
        const key = read(row);
        const last = found[groups[i] ?? 0];
        if (
          last !== undefined &&
          (edge === null ||
            (call.name === 'row_min' ? compareNatural(key, last.key) >= 0 : compareNatural(key, last.key) <= 0))
        )
          continue;
        if (edge !== null && key === '') continue;
        const text = JSON.stringify(
          Object.fromEntries(
            names.map((name, at) => [name, itemAt(readers, at)(row)]).filter(([, value]) => value !== ''),
          ),
        );
        hold(64 + (text.length - (last?.text.length ?? 0)) * 2);
        found[groups[i] ?? 0] = { key, text };
      }
    },
    result: (group) => found[group]?.text ?? '',
  };
}
