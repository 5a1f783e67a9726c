import { fluxText } from '../../../lib/flux-text.ts';
import type { RolledPart } from '../../../lib/influxdb/buckets.ts';

/** Flux for what charts, alerts and `GET /api/v1/metrics` ask of an InfluxDB. */

export interface Selection {
  readonly bucket: string;
  /** Unix ms, `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  /** Null: any. */
  readonly measurements: readonly string[] | null;
  /** Measurements that are left out. */
  readonly without?: readonly string[];
  readonly fields: readonly string[] | null;
  /** Of these, those that begin so, or that do not. */
  readonly prefix?: { readonly text: string; readonly isLeftOut: boolean };
  /** Tag → allowed values ('' = without the tag). Where `task_id` is among them, `fields` has one name. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  /** Of the bucket of roll-ups: which part of its minutes. */
  readonly rolled?: RolledPart;
}

const LEAST_MS = 0;
/** InfluxDB's times end in 2262. */
const MOST_MS = 9_223_372_036_854;
export const within = (ms: number): number => Math.min(MOST_MS, Math.max(LEAST_MS, Math.floor(ms)));
const time = (ms: number): string => new Date(within(ms)).toISOString();
const list = (names: readonly string[]): string => `[${names.map(fluxText).join(', ')}]`;
export const column = (name: string): string => `r[${fluxText(name)}]`;

const anyOf = (name: string, values: readonly string[]): string =>
  values.length === 0
    ? 'false'
    : values
        .map((value) =>
          value === ''
            ? `not exists ${column(name)} or ${column(name)} == ""`
            : `${column(name)} == ${fluxText(value)}`,
        )
        .join(' or ');
const filter = (condition: string): string => `filter(fn: (r) => ${condition})`;

/** `from`, `range` and conditions on names and tags, which InfluxDB applies where it reads. */
export function selected(selection: Selection): string[] {
  const { bucket, from, to, measurements, without = [], fields, prefix, tags, rolled } = selection;
  return [
    `from(bucket: ${fluxText(bucket)})`,
    `range(start: ${time(from)}, stop: ${time(to)})`,
    ...(measurements ? [filter(anyOf('_measurement', measurements))] : []),
    ...(without.length > 0
      ? [filter(without.map((name) => `${column('_measurement')} != ${fluxText(name)}`).join(' and '))]
      : []),
    ...(fields ? [filter(anyOf('_field', fields))] : []),
    ...(prefix ? [filter(`${column('_field')} ${prefix.isLeftOut ? '!~' : '=~'} /^${prefix.text}/`)] : []),
    ...(rolled === undefined ? [] : [filter(`${column('aggregate')} == ${fluxText(rolled)}`)]),
    ...Object.entries(tags).map(([tag, values]) => filter(anyOf(tag, values))),
  ];
}

/** The same where tasks are asked for: the task of a point is a field beside its value. */
export function selectedByTask(selection: Selection): string[] {
  const { fields, tags } = selection;
  const [field = ''] = fields ?? [];
  const { task_id: tasks, ...others } = tags;
  return [
    ...selected({ ...selection, fields: [field, 'task_id'], tags: others }),
    pivot(),
    filter(`exists ${column(field)}`),
    ...(tasks === undefined ? [] : [filter(anyOf('task_id', tasks))]),
    `rename(columns: {${fluxText(field)}: "_value"})`,
  ];
}

const pivot = (): string => 'pivot(rowKey: ["_time"], columnKey: ["_field"], valueColumn: "_value")';

export type Part = RolledPart | { readonly quantile: number };

/**
 * One part of each window: the series of the selection are put together by the columns of `groupBy`. Each series is reduced
 * first, which InfluxDB does where it reads, then the few rows that are left.
 *
 * @param everyMs null: the range is one window
 */
export function partOf(selection: Selection, part: Part, groupBy: readonly string[], everyMs: number | null): string {
  const byTask = groupBy.includes('task_id') || selection.tags['task_id'] !== undefined;
  const from = byTask ? selectedByTask(selection) : selected(selection);
  const group = `group(columns: ${list(groupBy)})`;
  const keep = `keep(columns: ${list([...groupBy, '_time', '_value'])})`;
  if (typeof part === 'object') {
    const quantile = `quantile(q: ${part.quantile}, method: "exact_selector"`;
    return chain([
      ...from,
      'toFloat()',
      group,
      everyMs === null
        ? `${quantile})`
        : windowed(everyMs, `(column, tables=<-) => tables |> ${quantile}, column: column)`),
      keep,
    ]);
  }
  // Counts of what was counted before are summed.
  const again = part === 'count' ? 'sum' : part;
  const first = selection.rolled === undefined ? part : again;
  if (part === 'last') {
    const newest = everyMs === null ? ['last()'] : [`window(every: ${everyMs}ms)`, 'last()'];
    return chain([...from, ...(byTask ? [] : newest), 'toFloat()', group, 'sort(columns: ["_time"])', ...newest, keep]);
  }
  const reduced = (fn: string) => (everyMs === null ? `${fn}()` : windowed(everyMs, fn));
  return chain(
    byTask
      ? [...from, 'toFloat()', group, reduced(part), 'toFloat()', keep]
      : [...from, reduced(first), 'toFloat()', group, reduced(again), keep],
  );
}

const windowed = (everyMs: number, fn: string): string =>
  `aggregateWindow(every: ${everyMs}ms, fn: ${fn}, createEmpty: false, timeSrc: "_start")`;

/** The stored points, a row each with its fields as columns: the newest `limit` of each series (`points`), and how many there are (`count`). */
export function storedPoints(selection: Selection, limit: number): { points: string; count: string } {
  const { fields, tags } = selection;
  const { task_id: tasks, ...others } = tags;
  const rows = chain([
    ...selected({ ...selection, fields: fields && [...fields, 'task_id'], tags: others }),
    pivot(),
    ...(fields ? [filter(fields.map((name) => `exists ${column(name)}`).join(' or '))] : []),
    ...(tasks === undefined ? [] : [filter(anyOf('task_id', tasks))]),
  ]);
  return {
    points: `${rows}\n  |> sort(columns: ["_time"])\n  |> tail(n: ${limit})`,
    count: `${rows}\n  |> count(column: "_time")\n  |> keep(columns: ["_time"])`,
  };
}

/** A row for each field of each measurement, with its newest value (`newest`), and how many series have it (`series`). */
export function fieldsOf(selection: Selection): { newest: string; series: string } {
  const rows = chain([...selected(selection), 'last()', 'group(columns: ["_measurement", "_field"])']);
  const keep = '\n  |> keep(columns: ["_measurement", "_field", "_value"])';
  return { newest: `${rows}\n  |> last()${keep}`, series: `${rows}\n  |> count()${keep}` };
}

/** Names of tags, a row each. */
export const tagNames = (selection: Selection): string =>
  chain([...selected(selection), 'keys()', 'keep(columns: ["_value"])', 'distinct()']);

/** Values of a tag, a row each, in their order. */
export const tagValues = (selection: Selection, tag: string, limit: number): string =>
  chain([
    ...selected(tag === 'task_id' ? { ...selection, fields: ['task_id'] } : selection),
    `keep(columns: ${list([tag === 'task_id' ? '_value' : tag])})`,
    'group()',
    `distinct(column: ${fluxText(tag === 'task_id' ? '_value' : tag)})`,
    'sort()',
    `limit(n: ${limit})`,
  ]);

export const yielded = (program: string, name: string): string => `${program}\n  |> yield(name: ${fluxText(name)})`;

const chain = (steps: readonly string[]): string => steps.join('\n  |> ');
