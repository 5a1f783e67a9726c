import { Fault } from '../../../lib/fault.ts';
import type { Bucket, FieldType, QueryEnv, SeriesData, SeriesKey, SeriesSource } from '../store/port.ts';
import { DEFAULT_DIALECT, type Annotation, type Dialect } from './csv.ts';
import { runFlux } from './run.ts';

/** A series of a test: points as [time in ms, value]. */
export interface TestSeries {
  measurement: string;
  field: string;
  tags?: Record<string, string>;
  type?: FieldType;
  points: readonly (readonly [ms: number, value: number | string])[];
}

export const BUCKET: Bucket = { id: '00000000000000aa', name: 'metrics', retentionSeconds: 0, createdAt: 0 };
export const NOW = Date.UTC(2025, 0, 1, 12);

/** A series store in memory, as plain as can be: what the real one does quicker. */
export function memorySource(series: readonly TestSeries[], calls: string[] = []): SeriesSource {
  const keyOf = ({ measurement, field, tags = {}, type = 'float' }: TestSeries): SeriesKey => ({
    measurement,
    field,
    tags,
    type,
  });
  const chosen = (filter: Parameters<SeriesSource['read']>[0], from: number, to: number) =>
    series.flatMap((one) => {
      const key = keyOf(one);
      const fits =
        (filter.measurement?.includes(key.measurement) ?? true) &&
        (filter.field?.includes(key.field) ?? true) &&
        Object.entries(filter.tags).every(([tag, values]) => values.includes(key.tags[tag] ?? '')) &&
        filter.where.every(({ test }) => test(key));
      const points = one.points.filter(([ms]) => ms >= from && ms < to);
      return fits && points.length > 0 ? [{ key, points }] : [];
    });
  const data = (key: SeriesKey, points: TestSeries['points']): SeriesData => ({
    ...key,
    ms: Float64Array.from(points, ([ms]) => ms),
    ns: null,
    values:
      key.type === 'string'
        ? points.map(([, value]) => String(value))
        : Float64Array.from(points, ([, value]) => Number(value)),
  });
  return {
    *types(filter) {
      for (const { key } of chosen(filter, -Infinity, Infinity)) yield key.type;
    },
    *keys(filter, from, to) {
      calls.push('keys');
      for (const { key } of chosen(filter, from, to)) yield key;
    },
    *read(filter, from, to) {
      calls.push('read');
      for (const { key, points } of chosen(filter, from, to)) yield data(key, points);
    },
    *windows(filter, from, to, everyMs, aggregate) {
      calls.push(`windows ${aggregate}`);
      for (const { key, points } of chosen(filter, from, to)) {
        const windows = new Map<number, number[]>();
        for (const [ms, value] of points) {
          const start = Math.floor(ms / everyMs) * everyMs;
          windows.set(start, [...(windows.get(start) ?? []), Number(value)]);
        }
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
        const of = {
          sum,
          count: (values: number[]) => values.length,
          mean: (values: number[]) => sum(values) / values.length,
          min: (values: number[]) => Math.min(...values),
          max: (values: number[]) => Math.max(...values),
          first: (values: number[]) => values[0] as number,
          last: (values: number[]) => values.at(-1) as number,
        }[aggregate];
        yield { ...key, starts: Float64Array.from(windows.keys()), values: Float64Array.from(windows.values(), of) };
      }
    },
    groupsOfWindows(filter, from, to, everyMs, aggregate, groupOf) {
      calls.push(`groupsOfWindows ${aggregate}`);
      if (7_200_000 % everyMs !== 0) return null;
      const groups = new Map<string, Map<number, { first: number; values: number[] }>>();
      const all = [...this.windows(filter, from, to, everyMs, aggregate)];
      calls.pop();
      for (const [first, { starts, values, ...key }] of all.entries()) {
        const windows = groups.get(groupOf(key)) ?? new Map<number, { first: number; values: number[] }>();
        groups.set(groupOf(key), windows);
        for (const [i, start] of starts.entries()) {
          const window = windows.get(start) ?? { first, values: [] };
          window.values.push(values[i] ?? 0);
          windows.set(start, window);
        }
      }
      return [...groups].map(([group, windows]) => {
        const found = [...windows].sort(([a], [b]) => a - b);
        return {
          group,
          starts: Float64Array.from(found, ([start]) => start),
          sums: Float64Array.from(found, ([, { values }]) => values.reduce((a, b) => a + b)),
          counts: Float64Array.from(found, ([, { values }]) => values.length),
          firsts: Int32Array.from(found, ([, { first }]) => first),
        };
      });
    },
    *groups(filter, from, to, everyMs, needs, groupOf) {
      calls.push(`groups ${needs.join(' ')}`);
      const groups = new Map<string, Map<number, { sum: number; count: number }>>();
      for (const { key, points } of chosen(filter, from, to)) {
        const windows = groups.get(groupOf(key)) ?? new Map<number, { sum: number; count: number }>();
        groups.set(groupOf(key), windows);
        for (const [ms, value] of points) {
          const start = Math.floor(ms / everyMs) * everyMs;
          const { sum, count } = windows.get(start) ?? { sum: 0, count: 0 };
          windows.set(start, { sum: sum + Number(value), count: count + 1 });
        }
      }
      for (const [group, windows] of groups) {
        const starts = Float64Array.from(windows.keys()).sort();
        const of = (part: 'sum' | 'count') => starts.map((start) => windows.get(start)?.[part] ?? 0);
        yield { group, starts, sums: of('sum'), counts: of('count') };
      }
    },
    *last(filter, from, to) {
      calls.push('last');
      for (const { key, points } of chosen(filter, from, to)) yield data(key, points.slice(-1));
    },
  };
}

export const envOf = (source: SeriesSource, limits: { seconds?: number; values?: number } = {}): QueryEnv => {
  const deadline = Date.now() + (limits.seconds ?? 20) * 1000;
  let held = 0;
  return {
    source,
    buckets: [BUCKET],
    check() {
      if (Date.now() > deadline) throw new Fault('FLUX_LIMIT', 'the query took too long');
    },
    charge(values) {
      held += values;
      if (held > (limits.values ?? 5_000_000)) throw new Fault('FLUX_LIMIT', 'the query holds too much');
    },
  };
};

export const ALL: readonly Annotation[] = ['datatype', 'group', 'default'];

/** The CSV that a program answers with. */
export function csv(
  text: string,
  series: readonly TestSeries[] = [],
  dialect: Partial<Dialect> = {},
  env = envOf(memorySource(series)),
): string {
  let answer = '';
  for (const page of runFlux(
    { text, dialect: { ...DEFAULT_DIALECT, ...dialect }, now: BigInt(NOW) * 1_000_000n, params: null },
    env,
  ))
    answer += new TextDecoder().decode(page);
  return answer;
}

/** Reads CSV: lines of cells; a blank line is an empty array. Throws what is no CSV. */
export function readCsv(text: string, delimiter = ','): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a cell has no closing quote');
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== delimiter && text[at] !== '\r') cell += text[at++];
    }
    cells.push(cell);
    if (text[at] === delimiter) at++;
    else if (text.startsWith('\r\n', at)) {
      lines.push(cells.length === 1 && cell === '' ? [] : cells);
      cells = [];
      at += 2;
    } else throw new Error(`unexpected ${JSON.stringify(text.slice(at, at + 10))} at ${at}`);
  }
  return lines;
}

/** The rows of all tables, by column names; without `result` and `table`, unless they are asked for. */
export function rows(
  text: string,
  series: readonly TestSeries[] = [],
  env = envOf(memorySource(series)),
  all = false,
): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  let header: string[] | null = null;
  for (const cells of readCsv(csv(text, series, {}, env))) {
    if (cells.length === 0) header = null;
    else if (header === null) header = cells;
    else
      found.push(
        Object.fromEntries(
          header.flatMap((name, i) =>
            name === '' || (!all && (name === 'result' || name === 'table')) ? [] : [[name, cells[i] ?? '']],
          ),
        ),
      );
  }
  return found;
}

/** The message with which a program fails. */
export function failure(text: string, series: readonly TestSeries[] = []): string {
  try {
    csv(text, series);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the program did not fail');
}
