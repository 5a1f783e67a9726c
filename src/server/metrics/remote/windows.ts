import type { RolledPart } from '../../../lib/influxdb/buckets.ts';
import { partOf, yielded, type Part, type Selection } from './flux.ts';
import type { OnRow } from './run-flux.ts';

/** What is known of one window of one group. */
export interface Accumulated {
  sum: number;
  count: number;
  min: number;
  max: number;
  last: number;
  lastAt: number;
  quantile: number;
}

export interface WindowGroup {
  /** Of the columns that were grouped by; '' where a series has none. */
  readonly tags: Readonly<Record<string, string>>;
  /** By the window's start, Unix ms. */
  readonly windows: Map<number, Accumulated>;
}

/** Where the points of a range are: roll-ups of what is older than points are kept, and points. */
export interface Source {
  readonly selection: Selection;
  readonly isRolled: boolean;
}

/** A program for parts of windows, and what takes its rows. */
export interface WindowQuery {
  readonly program: string;
  readonly take: OnRow;
  readonly groups: Map<string, WindowGroup>;
}

/**
 * Parts of each window, of all sources; series are put together by the columns of `groupBy`.
 *
 * @param everyMs null: the whole range is one window, which starts at `from`
 * @param label before the names of its results, where several queries are one program
 */
export function windowQuery(
  sources: readonly Source[],
  parts: readonly Part[],
  groupBy: readonly string[],
  everyMs: number | null,
  from: number,
  label = '',
): WindowQuery {
  const groups = new Map<string, WindowGroup>();
  const programs = sources.flatMap(({ selection, isRolled }, source) =>
    parts.flatMap((part) => {
      // Roll-ups keep no values: percentiles are of points alone.
      if (typeof part === 'object')
        return isRolled ? [] : [yielded(partOf(selection, part, groupBy, everyMs), `${label}quantile ${source}`)];
      const chosen = isRolled ? { ...selection, rolled: part } : selection;
      return [yielded(partOf(chosen, part, groupBy, everyMs), `${label}${part} ${source}`)];
    }),
  );

  const take: OnRow = (result, table, cells) => {
    const text = cells[table.at('_value')] ?? '';
    if (text === '') return;
    const value = numberOf(text);
    const at = table.at('_time');
    const ms = at < 0 ? from : Date.parse(cells[at] ?? '');
    const start = everyMs === null ? from : Math.floor(ms / everyMs) * everyMs;
    const tags: Record<string, string> = {};
    for (const name of groupBy) tags[name] = cells[table.at(name)] ?? '';
    const key = groupBy.map((name) => tags[name]).join('\u0000');
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { tags, windows: new Map() }));
    let window = group.windows.get(start);
    if (!window) group.windows.set(start, (window = empty()));
    add(window, result.slice(label.length, result.indexOf(' ')) as RolledPart | 'quantile', value, ms);
  };
  return { program: programs.join('\n\n'), take, groups };
}

const empty = (): Accumulated => ({
  ...{ sum: 0, count: 0, quantile: Number.NaN },
  ...{ min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
  ...{ last: Number.NaN, lastAt: Number.NEGATIVE_INFINITY },
});

function add(window: Accumulated, part: RolledPart | 'quantile', value: number, ms: number): void {
  switch (part) {
    case 'sum':
      window.sum += value;
      break;
    case 'count':
      window.count += value;
      break;
    case 'min':
      window.min = Math.min(window.min, value);
      break;
    case 'max':
      window.max = Math.max(window.max, value);
      break;
    case 'last':
      if (ms >= window.lastAt) {
        window.last = value;
        window.lastAt = ms;
      }
      break;
    case 'quantile':
      window.quantile = value;
      break;
  }
}

/** A number as annotated CSV writes it. */
export const numberOf = (text: string): number =>
  text === 'true'
    ? 1
    : text === 'false'
      ? 0
      : text === '+Inf'
        ? Number.POSITIVE_INFINITY
        : text === '-Inf'
          ? Number.NEGATIVE_INFINITY
          : Number(text);
