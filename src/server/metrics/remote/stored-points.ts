import type { DataPoint } from '../../../contract/metrics.ts';
import { iso } from '../../../lib/clock.ts';
import type { CsvTable } from './annotated-csv.ts';
import type { OnRow } from './run-flux.ts';
import { numberOf } from './windows.ts';

interface StoredPoints {
  readonly take: OnRow;
  result(): { points: DataPoint[]; total: number; names: ReadonlySet<string> };
}

/** Columns of a table: which are tags, which are numbers. */
interface Columns {
  readonly time: number;
  readonly tags: readonly (readonly [name: string, at: number])[];
  readonly fields: readonly (readonly [name: string, at: number])[];
}

/** Takes rows of pivoted points: the newest `limit` of them, in the order of time. */
export function createStoredPoints(limit: number): StoredPoints {
  let newest: { readonly ms: number; readonly point: DataPoint }[] = [];
  let total = 0;
  const names = new Set<string>();
  const known = new WeakMap<CsvTable, Columns>();
  const cut = () => (newest = newest.sort((a, b) => b.ms - a.ms).slice(0, limit));

  return {
    take(result, table, cells) {
      if (result.startsWith('count')) {
        total += Number(cells[table.at('_time')] ?? 0);
        return;
      }
      let columns = known.get(table);
      if (!columns) known.set(table, (columns = columnsOf(table)));
      const ms = Date.parse(cells[columns.time] ?? '');
      const tags: Record<string, string> = {};
      for (const [name, at] of columns.tags) if (cells[at]) tags[name] = cells[at];
      const point: DataPoint = { timestamp: iso(ms), tags };
      for (const [name, at] of columns.fields) {
        const text = cells[at] ?? '';
        if (text === '') continue;
        point[name] = numberOf(text);
        names.add(name);
      }
      newest.push({ ms, point });
      if (newest.length >= 2 * limit + 1000) cut();
    },
    result: () => ({
      points: cut()
        .reverse()
        .map(({ point }) => point),
      total,
      names,
    }),
  };
}

function columnsOf({ names, types, grouped, at }: CsvTable): Columns {
  const tags: [string, number][] = [];
  const fields: [string, number][] = [];
  for (const [i, name] of names.entries()) {
    if (name === '' || name === 'result' || name === 'table' || name.startsWith('_')) continue;
    // The task of a point is a field, so that tasks make no series; it is shown as the tag that it is.
    if (grouped[i] || name === 'task_id') tags.push([name, i]);
    else if (types[i] !== 'string') fields.push([name, i]);
  }
  return { time: at('_time'), tags: tags.sort(([a], [b]) => (a < b ? -1 : 1)), fields };
}
