import type { LogValues } from '../../../../contract/logs.ts';
import { frameOf, readerOf } from '../../logsql/frame.ts';
import type { LogFilter } from '../../port.ts';
import type { StoredBlock } from '../blocks/block.ts';
import type { Snapshot } from './source.ts';
import { filterOf, readyFilter } from './filter.ts';
import type { TimeSlice } from './time-slice.ts';

/** Without `field`: the names of fields. `contains`: in any case. */
export type ValuesQuery = LogFilter & { field?: string; limit: number; contains?: string };

/** Newest matches that names are counted over, and values. */
const COUNTED = { names: 100_000, values: 1_000_000 };
/** Different values that are counted. */
const VALUES = 100_000;

type Count = (value: string, n: number) => void;

/** Names of fields, or values of one, and how many of the newest matches have them. */
export async function values(
  query: ValuesQuery,
  now: number,
  snapshot: Snapshot,
  watch: TimeSlice,
): Promise<LogValues> {
  const { matcher, hints } = readyFilter(filterOf(query), now);
  const counts = new Map<string, number>();
  const most = query.field === undefined ? COUNTED.names : COUNTED.values;
  let over = false;
  const add: Count = (value, n) => {
    const had = counts.get(value);
    if (had === undefined && counts.size >= VALUES) over = true;
    else counts.set(value, (had ?? 0) + n);
  };
  let counted = 0;
  for (const block of snapshot.blocks(hints, 'desc')) {
    await watch.step();
    if (counted >= most) {
      over = true;
      break;
    }
    const mask = matcher(frameOf(block, null), null);
    if (mask === false) continue;
    const rows = rowsOf(mask, block.rows);
    if (rows.length === 0) continue;
    counted += rows.length;
    if (query.field === undefined) countNames(block, rows, add);
    else countValues(block, query.field, rows, add);
  }
  const wanted = query.contains?.toLowerCase() ?? '';
  const found = [...counts]
    .filter(([value]) => wanted === '' || value.toLowerCase().includes(wanted))
    .map(([value, count]) => ({ value, count }));
  found.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { values: found.slice(0, query.limit), complete: !over && found.length <= query.limit };
}

function rowsOf(mask: true | Uint8Array, rows: number): Uint32Array {
  const out = new Uint32Array(rows);
  let n = 0;
  for (let row = 0; row < rows; row++) if (mask === true || mask[row] === 1) out[n++] = row;
  return out.subarray(0, n);
}

function countNames(block: StoredBlock, rows: Uint32Array, add: Count): void {
  add('_time', rows.length);
  for (const name of block.names) {
    let n = 0;
    const column = block.column(name);
    if (column === null) continue;
    if (column.kind === 'constant') n = rows.length;
    else if (column.kind === 'dictionary') {
      const empty = column.values.indexOf('');
      for (const row of rows) if (column.codes[row] !== empty) n++;
    } else if (column.kind === 'template') {
      const empty = column.templates.indexOf('');
      for (const row of rows) if (column.codes[row] !== empty) n++;
    } else if (column.kind === 'decimal') {
      for (const row of rows) if (!Number.isNaN(column.values[row])) n++;
    } else for (const row of rows) if (column.ends[row] !== (row === 0 ? 0 : column.ends[row - 1])) n++;
    if (n > 0) add(name, n);
  }
}

function countValues(block: StoredBlock, field: string, rows: Uint32Array, add: Count): void {
  const column = block.column(field);
  if (column === null) return add('', rows.length);
  if (column.kind === 'constant') return add(column.value, rows.length);
  if (column.kind === 'dictionary') {
    const counts = new Uint32Array(column.values.length);
    for (const row of rows) counts[column.codes[row] ?? 0] = (counts[column.codes[row] ?? 0] ?? 0) + 1;
    counts.forEach((n, code) => n > 0 && add(column.values[code] ?? '', n));
    return;
  }
  const read = readerOf(column);
  for (const row of rows) add(read(row), 1);
}
